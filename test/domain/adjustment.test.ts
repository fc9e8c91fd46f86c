// @spec decisions.3
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { calculateAdjustment, calculateStats, type LedgerSums } from '#domain/adjustment.ts';
import { STAT_NAMES } from '#domain/org.ts';

const boundedInteger = (limit: number) => fc.integer({ min: -limit, max: limit });
const sums: fc.Arbitrary<LedgerSums> = fc.record({
  amount: boundedInteger(1e12),
  carbon: boundedInteger(1e13),
  gas: boundedInteger(1e13),
  grants: boundedInteger(1e6),
  awardees: fc.nat(1e4),
});
const decimalUpTo = (units: number, scale: number) => fc.nat(units).map((n) => Number(`${n}e-${scale}`));
const requestedStats = fc.record(
  { co2: decimalUpTo(1e13, 4), gas: decimalUpTo(1e13, 4), funds: decimalUpTo(1e11, 2), grants: fc.nat(1e6) },
  { requiredKeys: [] },
);

const postAdjustment = (before: LedgerSums, adjustment: ReturnType<typeof calculateAdjustment>): LedgerSums => ({
  amount: before.amount + (adjustment?.amount ?? 0),
  carbon: before.carbon + (adjustment?.carbon ?? 0),
  gas: before.gas + (adjustment?.gas ?? 0),
  grants: before.grants + (adjustment?.grants ?? 0),
  awardees: before.awardees,
});

test('an adjustment sets exactly the requested stats and leaves the others unchanged', () => {
  fc.assert(
    fc.property(sums, requestedStats, (before, stats) => {
      const newStats = calculateStats(postAdjustment(before, calculateAdjustment(before, stats)));
      const expected = { ...calculateStats(before), ...stats };
      for (const name of STAT_NAMES) {
        // Gallons follow the pounds unless set separately.
        if (name === 'gas' && stats.gas === undefined && stats.co2 !== undefined) continue;
        expect(newStats[name], name).toBe(expected[name]);
      }
    }),
  );
});

test('unchanged stats need no adjustment, and repeating an adjustment changes nothing', () => {
  fc.assert(
    fc.property(sums, requestedStats, (before, stats) => {
      const adjusted = postAdjustment(before, calculateAdjustment(before, stats));
      expect(calculateAdjustment(adjusted, stats)).toBeUndefined();
      expect(calculateAdjustment(before, calculateStats(before))).toBeUndefined();
    }),
  );
});

test('gallons follow the pounds unless both are set', () => {
  const stats = { amount: 2500, carbon: 20_000_000, gas: 0, grants: 0, awardees: 2 };
  expect(calculateStats(stats)).toEqual({ co2: 2000, gas: 102, funds: 25, grants: 2 });
  expect(calculateAdjustment(stats, { co2: 4000 })).toEqual({ amount: 0, carbon: 20_000_000, gas: 0, grants: 0 });
  expect(calculateAdjustment(stats, { co2: 4000, gas: 102 })).toMatchObject({ carbon: 20_000_000, gas: -1_020_000 });
  expect(calculateAdjustment(stats, { funds: 24.99, grants: 1 })).toEqual({
    amount: -1,
    carbon: 0,
    gas: 0,
    grants: -1,
  });
});
