import fc from 'fast-check';
import { expect, test } from 'vitest';
import { GALLONS_OF_GAS_PER_TON, POUNDS_PER_TON } from '#domain/emissions.ts';
import {
  effectSentence,
  gallonsSentence,
  grantSentence,
  SHARES,
  wholeGallons,
  wholeTons,
} from '#domain/gift-effect.ts';

test.each([
  [167_670_000, '16,767 lbs: as much carbon as burning 855 gallons of gasoline.'],
  [167_679_999, '16,767.99 lbs: as much carbon as burning 855 gallons of gasoline.'],
  [200_000, '20 lbs: as much carbon as burning a gallon of gasoline.'],
  [196_000, ''],
  [0, ''],
])('%i ten-thousandths of a pound: %s', (carbon, sentence) => {
  expect(effectSentence({ carbon, amount: 0 })).toBe(sentence);
  expect(gallonsSentence(carbon)).toBe(sentence.replace(/^[\d,.]+ lbs: /, 'That’s '));
});

test.each([
  [10_000, 'Grants pay $25 for each ton of carbon that the work will save: $100 is enough for 4 tons.'],
  [2_550, 'Grants pay $25 for each ton of carbon that the work will save: $25.50 is enough for a ton.'],
  [2_499, ''],
])('a donation of %i cents: %s', (amount, sentence) => {
  expect(effectSentence({ carbon: 0, amount })).toBe(sentence);
});

test.each([
  [299_999, 'It’s as much as three quarters of a typical grant here.'],
  [300_000, 'It’s as much as a typical grant here.'],
  [899_999, 'It’s as much as 2 typical grants here.'],
  [224_999, 'It’s as much as two thirds of a typical grant here.'],
  [100_000, 'It’s as much as a third of a typical grant here.'],
  [99_999, 'It’s as much as a quarter of a typical grant here.'],
  [14_999, 'It’s as much as a thirtieth of a typical grant here.'],
  [10_000, 'It’s as much as a thirtieth of a typical grant here.'],
  [9_999, 'It’s as much as a fiftieth of a typical grant here.'],
  [3000, 'It’s as much as a hundredth of a typical grant here.'],
  [2999, ''],
])('%i cents with a typical grant of $3,000 reads "%s"', (amount, sentence) => {
  expect(grantSentence(amount, 300_000)).toBe(sentence);
  expect(grantSentence(amount, null)).toBe('');
});

test('a gift is compared by its carbon and with a typical grant', () => {
  expect(effectSentence({ carbon: 167_670_000, amount: 15_000, typicalGrant: 45_000 })).toBe(
    '16,767 lbs: as much carbon as burning 855 gallons of gasoline. It’s as much as a third of a typical grant here.',
  );
});

test('shares are in descending order', () => {
  const shares = SHARES.map(([part, whole]) => part / whole);
  expect(shares).toEqual(shares.toSorted((one, other) => other - one));
});

const CARBON = fc.maxSafeNat();
const AMOUNT = fc.nat({ max: 100_000_000 });

test('the stated gallons never emit more than the carbon, and one more gallon would', () => {
  fc.assert(
    fc.property(CARBON, (carbon) => {
      const inGallons = BigInt(carbon) * BigInt(GALLONS_OF_GAS_PER_TON);
      const gallon = BigInt(POUNDS_PER_TON) * 10_000n;
      const gallons = BigInt(wholeGallons(carbon));
      expect(gallons * gallon <= inGallons && inGallons < (gallons + 1n) * gallon).toBe(true);
    }),
  );
});

test('the stated tons never cost more than the gift, and one more ton would', () => {
  fc.assert(
    fc.property(AMOUNT, (amount) => {
      const tons = wholeTons(amount);
      expect(tons * 2500).toBeLessThanOrEqual(amount);
      expect((tons + 1) * 2500).toBeGreaterThan(amount);
    }),
  );
});

test('two gifts never claim less together than apart', () => {
  fc.assert(
    fc.property(fc.nat(1e12), fc.nat(1e12), AMOUNT, AMOUNT, (a, b, cents, more) => {
      expect(wholeGallons(a) + wholeGallons(b)).toBeLessThanOrEqual(wholeGallons(a + b));
      expect(wholeTons(cents) + wholeTons(more)).toBeLessThanOrEqual(wholeTons(cents + more));
    }),
  );
});

test('no sentence claims more pounds than were offset', () => {
  fc.assert(
    fc.property(fc.integer({ min: 200_000, max: 1e12 }), (carbon) => {
      const [pounds = ''] = effectSentence({ carbon, amount: 0 }).split(' lbs');
      // No floating-point error.
      expect(Math.round(Number(pounds.replaceAll(',', '')) * 10_000)).toBeLessThanOrEqual(carbon);
    }),
  );
});
