// @spec 7.create-checkout
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type CardFee,
  calculateCardFee,
  calculateChargeToReceive,
  calculateFeeCoverage,
  DEFAULT_CARD_FEE,
  formatCardFee,
  MAX_BASIS_POINTS,
  MAX_FIXED_FEE,
} from '#domain/card-fee.ts';
import { donationItem, MAX_CHECKOUT, MIN_CHECKOUT } from '#domain/cart.ts';

const fees: fc.Arbitrary<CardFee> = fc.record({
  basisPoints: fc.nat({ max: MAX_BASIS_POINTS }),
  fixedCents: fc.nat({ max: MAX_FIXED_FEE }),
});

test('a charge covers the gift, and one cent less does not', () => {
  const isSmallestCharge = (gift: number, fee: CardFee) => {
    const netAmount = (charge: number) => charge - calculateCardFee(charge, fee);
    const charge = calculateChargeToReceive(gift, fee);
    return netAmount(charge) >= gift && netAmount(charge - 1) < gift;
  };
  const gifts = fc.integer({ min: MIN_CHECKOUT, max: MAX_CHECKOUT });
  fc.assert(fc.property(gifts, fees, isSmallestCharge), { numRuns: 2000 });
  const smallGifts = Array.from({ length: 50_000 }, (_, offset) => MIN_CHECKOUT + offset);
  expect(smallGifts.filter((gift) => !isSmallestCharge(gift, DEFAULT_CARD_FEE))).toEqual([]);
});

test.each([
  [500, 546],
  [2500, 2606],
  [10_000, 10_330],
  [10_001, 10_331],
  [123_456, 127_174],
])('a gift of %i cents needs a charge of %i at 2.9%% + 30¢', (gift, charge) => {
  expect(calculateChargeToReceive(gift, DEFAULT_CARD_FEE)).toBe(charge);
  expect(charge - calculateCardFee(charge, DEFAULT_CARD_FEE)).toBe(gift);
});

test('the first charge has one fixed fee for all items, and a renewal has one for its recurring items', () => {
  const cart = [donationItem(50, 'month', 1), donationItem(100)];
  expect(calculateFeeCoverage(cart, DEFAULT_CARD_FEE)).toEqual({
    initial: calculateChargeToReceive(15_000, DEFAULT_CARD_FEE) - 15_000,
    renewal: calculateChargeToReceive(5000, DEFAULT_CARD_FEE) - 5000,
  });
  expect(calculateFeeCoverage([donationItem(100)], DEFAULT_CARD_FEE)).toEqual({ initial: 330, renewal: 0 });
});

test('the fee for one-time items is never negative', () => {
  const dollars = fc.integer({ min: 1, max: 400_000 });
  const initialCoversRenewal = (recurring: number, oneTime: number, fee: CardFee) => {
    const { initial, renewal } = calculateFeeCoverage(
      [donationItem(recurring, 'month', 1), donationItem(oneTime)],
      fee,
    );
    return initial >= renewal;
  };
  fc.assert(fc.property(dollars, dollars, fees, initialCoversRenewal));
});

test.each([
  [DEFAULT_CARD_FEE, '2.9% + 30¢'],
  [{ basisPoints: 220, fixedCents: 30 }, '2.2% + 30¢'],
  [{ basisPoints: 175, fixedCents: 0 }, '1.75%'],
])('%j is %s', (fee, text) => expect(formatCardFee(fee)).toBe(text));
