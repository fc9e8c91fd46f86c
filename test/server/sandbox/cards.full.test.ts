import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CARD_HINTS, detectBrand, getCardOutcome, passesLuhn, readCard } from '#sandbox/cards.ts';
import { createTranslator } from '#sandbox/pages/translations.ts';
import { GOOD_CARD } from './open-sandbox.ts';

const NOW = new Date('2026-03-15T12:00:00Z');
const readErrors = (fields: Partial<typeof GOOD_CARD>) => {
  const result = readCard({ ...GOOD_CARD, ...fields }, NOW);
  return 'errors' in result ? result.errors : {};
};

test('a changed digit is always detected', () => {
  const position = fc.integer({ min: 0, max: 15 });
  const change = fc.integer({ min: 1, max: 9 });
  fc.assert(
    fc.property(fc.constantFrom(...CARD_HINTS), position, change, ({ number }, index, increment) => {
      const digits = number.replaceAll(' ', '');
      const changedDigits =
        digits.slice(0, index) + ((Number(digits[index]) + increment) % 10) + digits.slice(index + 1);
      expect(passesLuhn(digits)).toBe(true);
      expect(passesLuhn(changedDigits)).toBe(false);
    }),
  );
});

test.each([
  ['4242424242424242', 'visa'],
  ['5555555555554444', 'mastercard'],
  ['378282246310005', 'amex'],
  ['6011111111111117', 'discover'],
  ['3056930009020004', 'diners'],
  ['3566002020360505', 'jcb'],
  ['6200000000000005', 'unionpay'],
])('%s is accepted as a %s card', (number, brand) => {
  expect(passesLuhn(number)).toBe(true);
  expect(getCardOutcome(number)).toEqual({ kind: 'pays' });
  expect(detectBrand(number)).toBe(brand);
});

test.each(['12/34', '12 / 34', '1234', '12/2034', ' 12/34 '])('an expiration date can be written as %s', (expiry) => {
  const result = readCard({ ...GOOD_CARD, expiry }, NOW);
  expect(result).toMatchObject({ card: { instrument: { expMonth: 12, expYear: 2034, last4: '4242' } } });
});

test.each([
  ['03/26', undefined],
  ['02/26', "Your card's expiration date is in the past."],
  ['12/25', "Your card's expiration year is in the past."],
  ['13/30', "Your card's expiration date is invalid."],
  ['00/30', "Your card's expiration date is invalid."],
  ['12/2077', "Your card's expiration year is invalid."],
  ['12', "Your card's expiration date is incomplete."],
  ['', "Enter your card's expiration date."],
])('in March 2026, a card with the expiration date %s: %s', (expiry, message) => {
  expect(readErrors({ expiry }).expiry).toBe(message);
});

test.each([
  ['4242424242424242', '1234', "Your card's security code is invalid."],
  ['378282246310005', '123', "Your card's security code is incomplete."],
  ['378282246310005', '1234', undefined],
  ['4242424242424242', '12a', "Your card's security code is invalid."],
])('the card %s with the code %s: %s', (number, cvc, message) => {
  expect(readErrors({ number, cvc }).cvc).toBe(message);
});

test('no input crashes the form', () => {
  const text = fc.string({ maxLength: 30 });
  fc.assert(
    fc.property(fc.record({ email: text, name: text, number: text, expiry: text, cvc: text }), (fields) => {
      expect(Object.keys(readCard(fields, NOW))).toHaveLength(1);
    }),
  );
});

test('every hint about a test card has a Spanish translation', () => {
  const translate = createTranslator('es');
  for (const { behavior } of CARD_HINTS) expect(translate(behavior)).not.toBe(behavior);
});
