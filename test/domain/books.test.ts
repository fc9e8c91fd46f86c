import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type Account,
  adjustmentLines,
  buildLines,
  calculateCarbonShare,
  checkLines,
  disputeLines,
  feeLines,
  giftCents,
  LEDGER_KINDS,
  type Lines,
  limitReturns,
  payoutLines,
  providerPaymentLines,
  refundLines,
  returnLines,
} from '#domain/books.ts';

const cents = fc.integer({ min: -1_000_000_000, max: 1_000_000_000 });

const MOVES: readonly (readonly [name: string, move: (cents: number) => Lines, from: Account, to: Account])[] = [
  ['a payment', providerPaymentLines, 'gifts', 'provider'],
  ['a check', checkLines, 'gifts', 'bank'],
  ['an adjustment', adjustmentLines, 'gifts', 'opening'],
  ['a refund', refundLines, 'provider', 'gifts'],
  ['a fee', feeLines, 'provider', 'fees'],
  ['a dispute hold', disputeLines, 'provider', 'disputed'],
  ['a lost dispute', (cents) => returnLines('disputed', cents, 0), 'disputed', 'gifts'],
  ['a payout', payoutLines, 'provider', 'bank'],
];

test.each(MOVES)('%s moves its money from one account to another', (_name, buildLines, from, to) => {
  expect(buildLines(2500)).toEqual({ [from]: -2500, [to]: 2500 });
  expect(buildLines(0)).toEqual({});
});

test.each(MOVES)('the lines of %s sum to zero for any amount', (_name, move) => {
  fc.assert(
    fc.property(cents, (amount) => {
      expect(Object.values(move(amount)).reduce((sum, line) => sum + line, 0)).toBe(0);
    }),
  );
});

test('an entry changes the stats by the amount its lines post to gifts', () => {
  fc.assert(
    fc.property(cents, (amount) => {
      for (const kind of ['payment', 'renewal', 'check', 'refund', 'adjustment'] as const) {
        expect(giftCents(buildLines(kind, amount)), kind).toBe(amount);
      }
    }),
  );
  const uncountedKinds = LEDGER_KINDS.filter((kind) => giftCents(buildLines(kind, 100)) === 0);
  expect(uncountedKinds).toEqual(['dispute', 'reversal', 'fee', 'payout', 'promise', 'grant']);
  expect(giftCents(disputeLines(100))).toBe(0);
  expect(giftCents(returnLines('disputed', 100, 0))).toBe(-100);
});

test('the carbon of partial refunds adds up to exactly the gift’s carbon', () => {
  fc.assert(
    fc.property(
      fc.nat({ max: 10_000_000_000 }),
      fc.array(fc.integer({ min: 1, max: 1_000_000 }), { minLength: 1, maxLength: 20 }),
      (carbon, parts) => {
        const total = parts.reduce((sum, part) => sum + part, 0);
        let [refundedSoFar, carbonSoFar] = [0, 0];
        for (const part of parts) {
          refundedSoFar += part;
          const partCarbon = calculateCarbonShare(carbon, refundedSoFar, total);
          expect(partCarbon).toBeGreaterThanOrEqual(carbonSoFar);
          carbonSoFar = partCarbon;
        }
        expect(carbonSoFar).toBe(carbon);
      },
    ),
  );
});

test.each([
  [1000, 1, 3, 333],
  [1000, 2, 3, 667],
  [5, 1, 2, 3],
  [0, 1, 2, 0],
  [100, 0, 0, 0],
])('of %i ten-thousandths of a pound, refunding %i of %i cents returns %i', (carbon, part, whole, expected) => {
  expect(calculateCarbonShare(carbon, part, whole)).toBe(expected);
});

const amounts = fc.nat({ max: 1_000_000_000 });

test('the returns of a gift never exceed its amount', () => {
  fc.assert(
    fc.property(amounts, amounts, amounts, amounts, (amount, returned, pending, disputed) => {
      const returns = limitReturns(amount, { returned, pending, disputed });
      const parts = [returns.returned, returns.pending, returns.disputed];
      const sum = parts.reduce((total, part) => total + part, 0);
      expect(Math.min(...parts)).toBeGreaterThanOrEqual(0);
      expect(sum).toBe(Math.min(amount, returned + pending + disputed));
    }),
  );
  expect(limitReturns(2500, { returned: 500, pending: 0, disputed: 2500 })).toEqual({
    returned: 500,
    pending: 0,
    disputed: 2000,
  });
});
