// @spec decisions.3
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { averageMonthlyCents } from '#domain/recurring-gift.ts';
import { roundToUnits } from '#test/support/rational.ts';

const terms = fc.record({
  amount: fc.integer({ min: 1, max: 99_999_999 }),
  interval: fc.oneof(
    fc.record({ unit: fc.constant('month' as const), count: fc.integer({ min: 1, max: 36 }) }),
    fc.record({ unit: fc.constant('year' as const), count: fc.constant(1) }),
  ),
});

test('a recurring gift’s monthly amount is exact and rounded once', () => {
  fc.assert(
    fc.property(terms, (gift) => {
      const { unit, count } = gift.interval;
      const share = { numerator: BigInt(gift.amount), denominator: BigInt(unit === 'year' ? 12 * count : count) };
      expect(averageMonthlyCents(gift)).toBe(Number(roundToUnits(share, 0)));
    }),
  );
});
