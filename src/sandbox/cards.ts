// Stripe's published test cards, and what may be wrong with a card that is typed in.

export type Decline = { readonly code: string; readonly declineCode: string; readonly message: string };
/** What happens to a payment with a card. */
export type Verdict =
  | { readonly kind: 'pays' }
  | { readonly kind: 'authenticates' }
  | { readonly kind: 'declined'; readonly decline: Decline };

const PAYS: Verdict = { kind: 'pays' };
const AUTHENTICATES: Verdict = { kind: 'authenticates' };
const declined = (message: string, declineCode: string, code = 'card_declined'): Verdict => ({
  kind: 'declined',
  decline: { code, declineCode, message },
});

const VERDICTS: Readonly<Record<string, Verdict>> = {
  '4242424242424242': PAYS,
  '4000056655665556': PAYS,
  '5555555555554444': PAYS,
  '2223003122003222': PAYS,
  '5200828282828210': PAYS,
  '378282246310005': PAYS,
  '371449635398431': PAYS,
  '6011111111111117': PAYS,
  '3056930009020004': PAYS,
  '3566002020360505': PAYS,
  '6200000000000005': PAYS,
  '4000002500003155': AUTHENTICATES,
  '4000000000003220': AUTHENTICATES,
  '4000002760003184': AUTHENTICATES,
  '4000000000000002': declined('Your card was declined.', 'generic_decline'),
  '4000000000009995': declined('Your card has insufficient funds. Try a different card.', 'insufficient_funds'),
  '4000000000009987': declined('Your card was declined.', 'lost_card'),
  '4000000000009979': declined('Your card was declined.', 'stolen_card'),
  '4000000000000069': declined('Your card has expired. Try a different card.', 'expired_card', 'expired_card'),
  '4000000000000127': declined("Your card's security code is incorrect.", 'incorrect_cvc', 'incorrect_cvc'),
  '4000000000000119': declined(
    'An error occurred while processing your card. Try again.',
    'processing_error',
    'processing_error',
  ),
};

const NOT_A_TEST_CARD = declined(
  'Your card was declined. Your request was in test mode, but used a non test card.',
  'test_mode_live_card',
);

/** The cards that the page shows as hints, and what each does. */
export const CARD_HINTS: readonly { readonly number: string; readonly does: string }[] = [
  { number: '4242 4242 4242 4242', does: 'Pays' },
  { number: '4000 0025 0000 3155', does: 'Asks for authentication' },
  { number: '4000 0000 0000 0002', does: 'Is declined' },
  { number: '4000 0000 0000 9995', does: 'Has insufficient funds' },
];

/** @param number digits only, already found valid */
export function verdictOn(number: string): Verdict {
  return VERDICTS[number] ?? NOT_A_TEST_CARD;
}

/** The check digit of a card number is right (ISO/IEC 7812). */
export function passesLuhn(number: string): boolean {
  const digits = number.split('').reverse().map(Number);
  const sum = digits.reduce((total, digit, index) => total + (index % 2 === 0 ? digit : doubled(digit)), 0);
  return digits.length > 0 && sum % 10 === 0;
}

function doubled(digit: number): number {
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

export function brandOf(number: string): string {
  return BRANDS.find(([pattern]) => pattern.test(number))?.[1] ?? 'unknown';
}
