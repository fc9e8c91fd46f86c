// @spec decisions.3
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { averageMonthlyCents } from '#domain/recurring-gift.ts';
import { plus, type Rational, roundToUnits } from '#test/support/rational.ts';

const terms = fc.record({
  amount: fc.integer({ min: 1, max: 99_999_999 }),
  interval: fc.oneof(
    fc.record({ unit: fc.constant('month' as const), count: fc.integer({ min: 1, max: 36 }) }),
    fc.record({ unit: fc.constant('year' as const), count: fc.constant(1) }),
  ),
});

test('the monthly total of recurring gifts is summed exactly and rounded once', () => {
  fc.assert(
    fc.property(fc.array(terms, { maxLength: 12 }), (gifts) => {
      const shares = gifts.map(({ amount, interval: { unit, count } }): Rational => {
        return { numerator: BigInt(amount), denominator: BigInt(unit === 'year' ? 12 * count : count) };
      });
      const sum = plus({ numerator: 0n, denominator: 1n }, ...shares);
      expect(averageMonthlyCents(gifts)).toBe(Number(roundToUnits(sum, 0)));
    }),
  );
});
