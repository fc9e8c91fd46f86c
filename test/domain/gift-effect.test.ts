// @spec decisions.2
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { allGiftsSentence, effectSentence } from '#domain/gift-effect.ts';

test.each([
  [10_000, '$100 funds about 4 tons of grant work.'],
  [2_500, '$25 funds about a ton of grant work.'],
  [3_749, '$37.49 funds about a ton of grant work.'],
  [3_750, '$37.50 funds about 2 tons of grant work.'],
  [1_249, 'About 88 gifts like this pay for one home.'],
])('a donation of %i cents: %s', (amount, sentence) => {
  expect(effectSentence({ carbon: 0, amount, typicalGrant: 110_000 })).toBe(sentence);
});

test.each([
  [3_424, 'About 32 gifts like this pay for one home.'],
  [10_830, 'About 10 gifts like this pay for one home.'],
  [73_333, 'About 2 gifts like this pay for one home.'],
  [73_334, 'A gift like this pays for about one home.'],
  [164_999, 'A gift like this pays for about one home.'],
  [165_000, 'A gift like this pays for about 2 homes.'],
  [0, ''],
])('an offset of %i cents where a typical grant is $1,100: %s', (amount, sentence) => {
  expect(effectSentence({ carbon: 10_000, amount, typicalGrant: 110_000 })).toBe(sentence);
});

test.each([
  [3_424, '$34.24 funds about a ton of grant work.'],
  [1_249, ''],
])('an offset of %i cents without a typical grant: %s', (amount, sentence) => {
  expect(effectSentence({ carbon: 10_000, amount, typicalGrant: null })).toBe(sentence);
});

test.each([
  [54_999, ''],
  [55_000, 'Together they pay for about one home.'],
  [275_000, 'Together they pay for about 3 homes.'],
])('all gifts of %i cents: %s', (amount, sentence) => {
  expect(allGiftsSentence(amount, 110_000)).toBe(sentence);
  expect(allGiftsSentence(amount, null)).toBe('');
});

const extractNumber = (sentence: string) =>
  Number(/[\d,]+(?= (?:gifts|homes))/.exec(sentence)?.[0].replaceAll(',', '') ?? 1);

test('the stated share of a home is rounded to the nearest whole number', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10_000_000 }), fc.integer({ min: 1, max: 1_000_000 }), (amount, grant) => {
      const sentence = effectSentence({ carbon: 1, amount, typicalGrant: grant });
      const gifts = grant / amount;
      // Whole numbers, since quotients are rounded.
      if (sentence.includes('gifts')) {
        expect(2 * Math.abs(extractNumber(sentence) * amount - grant)).toBeLessThanOrEqual(amount);
      } else if (gifts <= 1) {
        expect(2 * Math.abs(extractNumber(sentence) * grant - amount)).toBeLessThanOrEqual(grant);
      } else {
        expect(gifts).toBeLessThan(1.5);
      }
    }),
  );
});
