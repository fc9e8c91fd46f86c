// Stripe's published test cards, and the validation of the two payment forms.
import type { Decline } from './charging.ts';
import type { Instrument, Payer } from './resources/payment.ts';
import type { DelayedOutcome } from './resources/payment-method.ts';

export type CardOutcome =
  | { readonly kind: 'pays'; readonly delayedOutcome?: DelayedOutcome }
  | { readonly kind: 'authenticates' }
  | { readonly kind: 'declined'; readonly decline: Decline };

const SUCCESS: CardOutcome = { kind: 'pays' };
const successThen = (delayedOutcome: DelayedOutcome): CardOutcome => ({ kind: 'pays', delayedOutcome });
const AUTHENTICATION: CardOutcome = { kind: 'authenticates' };
const declineOutcome = (message: string, declineCode: string, code = 'card_declined'): CardOutcome => ({
  kind: 'declined',
  decline: { code, declineCode, message },
});

const OUTCOMES: Readonly<Record<string, CardOutcome>> = {
  '4242424242424242': SUCCESS,
  '4000056655665556': SUCCESS,
  '5555555555554444': SUCCESS,
  '2223003122003222': SUCCESS,
  '5200828282828210': SUCCESS,
  '378282246310005': SUCCESS,
  '371449635398431': SUCCESS,
  '6011111111111117': SUCCESS,
  '3056930009020004': SUCCESS,
  '3566002020360505': SUCCESS,
  '6200000000000005': SUCCESS,
  '4000000000000341': successThen('declined_at_renewal'),
  '4000000000000259': successThen('disputed'),
  '4000000000005423': successThen('warned'),
  '4000000000000077': successThen('funds_available'),
  '4000000000007726': successThen('refund_pending'),
  '4000000000005126': successThen('refund_fails'),
  '4000002500003155': AUTHENTICATION,
  '4000000000003220': AUTHENTICATION,
  '4000002760003184': AUTHENTICATION,
  '4000000000000002': declineOutcome('Your card was declined.', 'generic_decline'),
  '4000000000009995': declineOutcome('Your card has insufficient funds. Try a different card.', 'insufficient_funds'),
  '4000000000009987': declineOutcome('Your card was declined.', 'lost_card'),
  '4000000000009979': declineOutcome('Your card was declined.', 'stolen_card'),
  '4000000000000069': declineOutcome('Your card has expired. Try a different card.', 'expired_card', 'expired_card'),
  '4000000000000127': declineOutcome("Your card's security code is incorrect.", 'incorrect_cvc', 'incorrect_cvc'),
  '4000000000000119': declineOutcome(
    'An error occurred while processing your card. Try again.',
    'processing_error',
    'processing_error',
  ),
};

const NOT_A_TEST_CARD = declineOutcome(
  'Your card was declined. Your request was in test mode, but used a non test card.',
  'test_mode_live_card',
);

export const CARD_HINTS: readonly { readonly number: string; readonly behavior: string }[] = [
  { number: '4242 4242 4242 4242', behavior: 'Succeeds' },
  { number: '4000 0025 0000 3155', behavior: 'Asks for authentication' },
  { number: '4000 0000 0000 0002', behavior: 'Is declined' },
  { number: '4000 0000 0000 9995', behavior: 'Has insufficient funds' },
  { number: '4000 0000 0000 0341', behavior: 'Succeeds, then is declined at each renewal' },
  { number: '4000 0000 0000 0259', behavior: 'Succeeds, then the payment is disputed' },
  { number: '4000 0000 0000 5423', behavior: 'Succeeds, then triggers a fraud warning' },
];

/** @param number valid, digits only */
export function getCardOutcome(number: string): CardOutcome {
  return OUTCOMES[number] ?? NOT_A_TEST_CARD;
}

/** Checks the check digit (ISO/IEC 7812). */
export function passesLuhn(number: string): boolean {
  const digits = number.split('').reverse().map(Number);
  const sum = digits.reduce((total, digit, index) => total + (index % 2 === 0 ? digit : doubleDigit(digit)), 0);
  return digits.length > 0 && sum % 10 === 0;
}

function doubleDigit(digit: number): number {
  return digit > 4 ? digit * 2 - 9 : digit * 2;
}

const BRANDS: readonly (readonly [RegExp, string])[] = [
  [/^4/, 'visa'],
  [/^(5[1-5]|2[2-7])/, 'mastercard'],
  [/^3[47]/, 'amex'],
  [/^(6011|65|64[4-9])/, 'discover'],
  [/^3[068]/, 'diners'],
  [/^35/, 'jcb'],
  [/^62/, 'unionpay'],
];

export function detectBrand(number: string): string {
  return BRANDS.find(([pattern]) => pattern.test(number))?.[1] ?? 'unknown';
}

/** The input names of both forms. The bank debit form has only the first two. */
export type PayField = 'email' | 'name' | 'number' | 'expiry' | 'cvc';
export type PayFields = Readonly<Record<PayField, string>>;
export type FieldErrors = Readonly<Partial<Record<PayField, string>>>;

export type EnteredCard = { readonly payer: Payer; readonly instrument: Instrument; readonly outcome: CardOutcome };

/**
 * @param now for the expiration check: a card is valid through the end of its month @returns the card, or an error
 * message per field
 */
export function readCard(fields: PayFields, now: Date): { card: EnteredCard } | { errors: FieldErrors } {
  const number = removeSpacing(fields.number);
  const expiry = readExpiry(fields.expiry);
  const errors = removeEmpty({
    email: emailError(fields.email),
    number: numberError(number),
    expiry: expiryError(fields.expiry, expiry, now),
    cvc: cvcError(removeSpacing(fields.cvc), number),
    name: nameError(fields.name, 'Enter the name on the card.'),
  });
  if (errors || !expiry) return { errors: errors ?? {} };
  const instrument: Instrument = {
    kind: 'card',
    brand: detectBrand(number),
    last4: number.slice(-4),
    expMonth: expiry.month,
    expYear: expiry.year,
  };
  return { card: { payer: readPayer(fields), instrument, outcome: getCardOutcome(number) } };
}

export function readDebit(fields: PayFields): { payer: Payer } | { errors: FieldErrors } {
  const errors = removeEmpty({
    email: emailError(fields.email),
    name: nameError(fields.name, 'Enter the name of the account holder.'),
  });
  return errors ? { errors } : { payer: readPayer(fields) };
}

function readPayer(fields: PayFields): Payer {
  return { email: fields.email.trim(), name: fields.name.trim() };
}

function removeEmpty(messages: Partial<Record<PayField, string | undefined>>): FieldErrors | undefined {
  const errors = Object.entries(messages).filter(([, message]) => message !== undefined);
  return errors.length > 0 ? Object.fromEntries(errors) : undefined;
}

/** Ignores only spaces and dashes. */
function removeSpacing(text: string): string {
  return text.replace(/[\s-]/g, '');
}

function emailError(email: string): string | undefined {
  if (email.trim() === '') return 'Enter your email address.';
  return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email.trim()) ? undefined : 'Your email is incomplete.';
}

function nameError(name: string, message: string): string | undefined {
  return name.trim() === '' ? message : undefined;
}

function numberError(number: string): string | undefined {
  if (number === '') return 'Enter your card number.';
  if (!/^\d+$/.test(number)) return 'Your card number is invalid.';
  if (number.length < 12) return 'Your card number is incomplete.';
  return number.length <= 19 && passesLuhn(number) ? undefined : 'Your card number is invalid.';
}

type Expiry = { readonly month: number; readonly year: number };

/** Accepts 12/34, 12 / 34, 1234, 12/2034. */
function readExpiry(text: string): Expiry | undefined {
  const [, month, year] =
    /^(\d{1,2})\s*\/\s*(\d{4}|\d{2})$/.exec(text.trim()) ?? /^(\d{2})(\d{4}|\d{2})$/.exec(removeSpacing(text)) ?? [];
  if (month === undefined || year === undefined) return undefined;
  return { month: Number(month), year: year.length === 2 ? 2000 + Number(year) : Number(year) };
}

function expiryError(text: string, expiry: Expiry | undefined, now: Date): string | undefined {
  if (text.trim() === '') return "Enter your card's expiration date.";
  if (!expiry) return "Your card's expiration date is incomplete.";
  if (expiry.month < 1 || expiry.month > 12) return "Your card's expiration date is invalid.";
  const thisYear = now.getUTCFullYear();
  if (expiry.year < thisYear) return "Your card's expiration year is in the past.";
  if (expiry.year === thisYear && expiry.month < now.getUTCMonth() + 1)
    return "Your card's expiration date is in the past.";
  return expiry.year > thisYear + 50 ? "Your card's expiration year is invalid." : undefined;
}

function cvcError(cvc: string, number: string): string | undefined {
  const length = detectBrand(number) === 'amex' ? 4 : 3;
  if (cvc === '') return "Enter your card's security code.";
  if (!/^\d+$/.test(cvc) || cvc.length > length) return "Your card's security code is invalid.";
  return cvc.length < length ? "Your card's security code is incomplete." : undefined;
}
