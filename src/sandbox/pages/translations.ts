/** Translates page text and fills in its {parts}. */
export type Translate = (english: string, parts?: Readonly<Record<string, string>>) => string;

/**
 * Creates a translator for the payer's pages: Spanish if that is the session's locale, otherwise English. Text that only
 * testers see is always in English.
 */
export function createTranslator(locale: string | null): Translate {
  const translations = locale === 'es' ? SPANISH : {};
  return (english, parts = {}) =>
    (translations[english] ?? english).replace(/\{(\w+)\}/g, (_, name) => parts[name] ?? '');
}

const SPANISH: Readonly<Record<string, string>> = {
  'Sandbox – no money moves': 'Simulador: no se mueve dinero',
  'A test stand-in for the card provider.': 'Una página de prueba en lugar del procesador de pagos.',
  'Order summary': 'Resumen',
  'Cancel and go back': 'Cancelar y volver',
  'Give to {merchant}': 'Donar a {merchant}',
  'Pay {merchant}': 'Pagar a {merchant}',
  'Every month': 'Cada mes',
  'Every {count} months': 'Cada {count} meses',
  'Every year': 'Cada año',
  'Then {amount} {every}, until you cancel.': 'Después, {amount} {every}, hasta que cancele.',
  'Total due today': 'Total a pagar hoy',
  'Pay by card': 'Pagar con tarjeta',
  'Card information': 'Datos de la tarjeta',
  'Card number': 'Número de tarjeta',
  'Expiration date': 'Fecha de vencimiento',
  'Security code': 'Código de seguridad',
  'Name on card': 'Nombre en la tarjeta',
  Email: 'Correo electrónico',
  'MM / YY': 'MM / AA',
  'Pay {amount}': 'Pagar {amount}',
  'Donate {amount}': 'Donar {amount}',
  'Pay by bank debit': 'Pagar con débito bancario',
  'Pay by bank debit (slow)': 'Pagar con débito bancario (lento)',
  'A real bank debit takes days. Here it stays under pending debits until you settle it or let it fail. No account number needed.':
    'Un débito bancario real tarda días. Aquí queda entre los débitos pendientes hasta que lo complete o lo haga fallar. No se necesita número de cuenta.',
  'See pending debits': 'Ver los débitos pendientes',
  'Account holder': 'Titular de la cuenta',
  'Debit {amount} from a test bank account': 'Cobrar {amount} de una cuenta bancaria de prueba',
  'Test cards': 'Tarjetas de prueba',
  'Any future date, any security code.': 'Cualquier fecha futura, cualquier código de seguridad.',
  'Fill in': 'Usar',
  Succeeds: 'Paga',
  'Asks for authentication': 'Pide autenticación',
  'Is declined': 'Se rechaza',
  'Has insufficient funds': 'No tiene fondos suficientes',
  'Succeeds, then is declined at each renewal': 'Paga, y se rechaza en cada renovación',
  'Succeeds, then the payment is disputed': 'Paga, y el pago se disputa',
  'Succeeds, then triggers a fraud warning': 'Paga, y el banco avisa de un posible fraude',
  'There is a problem': 'Hay un problema',
  'The payment did not go through': 'El pago no se realizó',
  'Your card was declined.': 'Su tarjeta fue rechazada.',
  'Your card has insufficient funds. Try a different card.':
    'Su tarjeta no tiene fondos suficientes. Pruebe con otra tarjeta.',
  'Your card was declined. Your request was in test mode, but used a non test card.':
    'Su tarjeta fue rechazada. Aquí solo sirven las tarjetas de prueba.',
  'Enter your email address.': 'Escriba su correo electrónico.',
  'Your email is incomplete.': 'Su correo electrónico está incompleto.',
  'Enter your card number.': 'Escriba el número de su tarjeta.',
  'Your card number is invalid.': 'El número de su tarjeta no es válido.',
  'Your card number is incomplete.': 'El número de su tarjeta está incompleto.',
  "Enter your card's expiration date.": 'Escriba la fecha de vencimiento de su tarjeta.',
  "Your card's expiration date is incomplete.": 'La fecha de vencimiento está incompleta.',
  "Your card's expiration date is invalid.": 'La fecha de vencimiento no es válida.',
  "Your card's expiration date is in the past.": 'Su tarjeta ya venció.',
  "Your card's expiration year is in the past.": 'Su tarjeta ya venció.',
  "Enter your card's security code.": 'Escriba el código de seguridad de su tarjeta.',
  "Your card's security code is invalid.": 'El código de seguridad no es válido.',
  "Your card's security code is incomplete.": 'El código de seguridad está incompleto.',
  'Enter the name on the card.': 'Escriba el nombre que está en la tarjeta.',
  'Enter the name of the account holder.': 'Escriba el nombre del titular de la cuenta.',
  'Authenticate your payment': 'Autentique su pago',
  'Test bank': 'Banco de prueba',
  'Is this you?': '¿Es usted?',
  '{merchant} wants to charge {amount} to your card. A real bank would ask you for a code or to confirm in its app.':
    '{merchant} quiere cobrar {amount} a su tarjeta. Un banco real le pediría un código o que confirme en su aplicación.',
  'Complete authentication': 'Completar la autenticación',
  'Fail authentication': 'Hacer que falle',
  'This payment is complete': 'Este pago está completo',
  'You have paid. There is nothing left to do here.': 'Usted ya pagó. Aquí no queda nada por hacer.',
  'Your bank debit has started. Go back to see its status.': 'Su débito bancario empezó. Vuelva para ver su estado.',
  Continue: 'Continuar',
  'Go back': 'Volver',
  'This payment page has expired': 'Esta página de pago venció',
  'Nothing was charged. To pay, go back and start again.': 'No se cobró nada. Para pagar, vuelva y empiece de nuevo.',
  'Change your card': 'Cambiar su tarjeta',
  'Your recurring payments use: {card}. Any payment due is charged to the new card immediately.':
    'Sus pagos recurrentes usan: {card}. Un pago pendiente se cobra de inmediato a la tarjeta nueva.',
  '{brand} ending in {last4}': '{brand} terminada en {last4}',
  'The card was declined': 'La tarjeta fue rechazada',
  'New card': 'Tarjeta nueva',
  'Save the card': 'Guardar la tarjeta',
};
