// @spec 7.create-checkout
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type CardFee,
  cardFeeOf,
  cardFeeText,
  chargeToReceive,
  coveredFee,
  MAX_BASIS_POINTS,
  MAX_FIXED_FEE,
  USUAL_CARD_FEE,
} from '#domain/card-fee.ts';
import { donationItem, MAX_CHECKOUT, MIN_CHECKOUT } from '#domain/cart.ts';

const fees: fc.Arbitrary<CardFee> = fc.record({
  basisPoints: fc.nat({ max: MAX_BASIS_POINTS }),
  fixedCents: fc.nat({ max: MAX_FIXED_FEE }),
});

test('a charge covers the gift, and one cent less does not', () => {
  const isSmallest = (gift: number, fee: CardFee) => {
    const netAmount = (charge: number) => charge - cardFeeOf(charge, fee);
    const charge = chargeToReceive(gift, fee);
    return netAmount(charge) >= gift && netAmount(charge - 1) < gift;
  };
  const gifts = fc.integer({ min: MIN_CHECKOUT, max: MAX_CHECKOUT });
  fc.assert(fc.property(gifts, fees, isSmallest), { numRuns: 2000 });
  const smallGifts = Array.from({ length: 50_000 }, (_, offset) => MIN_CHECKOUT + offset);
  expect(smallGifts.filter((gift) => !isSmallest(gift, USUAL_CARD_FEE))).toEqual([]);
});

test.each([
  [500, 546],
  [2500, 2606],
  [10_000, 10_330],
  [10_001, 10_331],
  [123_456, 127_174],
])('a gift of %i cents needs a charge of %i at 2.9%% + 30¢', (gift, charge) => {
  expect(chargeToReceive(gift, USUAL_CARD_FEE)).toBe(charge);
  expect(charge - cardFeeOf(charge, USUAL_CARD_FEE)).toBe(gift);
});

test('the first charge has one fixed fee for all items, and a renewal one for its recurring items', () => {
  const cart = [donationItem(50, 'month', 1), donationItem(100)];
  expect(coveredFee(cart, USUAL_CARD_FEE)).toEqual({
    first: chargeToReceive(15_000, USUAL_CARD_FEE) - 15_000,
    renewal: chargeToReceive(5000, USUAL_CARD_FEE) - 5000,
  });
  expect(coveredFee([donationItem(100)], USUAL_CARD_FEE)).toEqual({ first: 330, renewal: 0 });
});

test('the fee for one-time items is never negative', () => {
  const dollars = fc.integer({ min: 1, max: 400_000 });
  const firstCoversRenewal = (recurring: number, oneTime: number, fee: CardFee) => {
    const { first, renewal } = coveredFee([donationItem(recurring, 'month', 1), donationItem(oneTime)], fee);
    return first >= renewal;
  };
  fc.assert(fc.property(dollars, dollars, fees, firstCoversRenewal));
});

test.each([
  [USUAL_CARD_FEE, '2.9% + 30¢'],
  [{ basisPoints: 220, fixedCents: 30 }, '2.2% + 30¢'],
  [{ basisPoints: 175, fixedCents: 0 }, '1.75%'],
])('%j is %s', (fee, text) => expect(cardFeeText(fee)).toBe(text));
