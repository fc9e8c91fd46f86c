import fc from 'fast-check';
import { expect, test } from 'vitest';
import { splitCents } from '#domain/payout.ts';

const amount = fc.integer({ min: -1_000_000_000_000, max: 1_000_000_000_000 });
const weights = fc.array(fc.oneof(fc.integer({ min: -50, max: 50 }), fc.maxSafeNat()), { minLength: 1, maxLength: 30 });

test('the parts of an amount add up exactly, and each is within a cent of its share', () => {
  fc.assert(
    fc.property(amount, weights, (cents, rawWeights) => {
      const parts = splitCents(cents, rawWeights);
      expect(parts.reduce((sum, part) => sum + BigInt(part), 0n)).toBe(BigInt(cents));
      const weights = rawWeights.map((weight) => Math.max(0, weight));
      const totalWeight = weights.reduce((sum, weight) => sum + BigInt(weight), 0n);
      if (totalWeight === 0n) return;
      for (const [index, weight] of weights.entries()) {
        const error = BigInt(parts[index] ?? 0) * totalWeight - BigInt(cents) * BigInt(weight);
        expect(error > -totalWeight && error < totalWeight).toBe(true);
      }
    }),
  );
});

test('leftover cents go to the largest remainders, earliest first on ties', () => {
  expect(splitCents(100, [1, 1, 1])).toEqual([34, 33, 33]);
  expect(splitCents(100, [10, 20, 25])).toEqual([18, 36, 46]);
  expect(splitCents(-5, [3, 1])).toEqual([-4, -1]);
  expect(splitCents(7, [0, 0])).toEqual([4, 3]);
  expect(splitCents(7, [])).toEqual([]);
});
