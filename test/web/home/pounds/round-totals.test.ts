import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { PublicPounds } from '#contract/schemas/grants.ts';
import { roundTotals, roundYears } from '#web/routes/home/pounds/round-totals.ts';

const pounds = fc.integer({ min: 0, max: 10_000_000 }).map((tenThousandths) => tenThousandths / 10_000);

test('the displayed whole pounds add up, and each is within two pounds of the exact value', () => {
  const parts = fc.tuple(pounds, pounds, pounds, pounds, pounds, pounds);
  const property = fc.property(parts, ([backed, shortfall, unallocated, delivered, remaining, unfinished]) => {
    const granted = delivered + remaining + unfinished;
    const exact = {
      soldPounds: backed + shortfall + unallocated,
      backedPounds: backed,
      shortfallPounds: shortfall,
      unallocatedPounds: unallocated,
      grantedPounds: granted,
      surplusPounds: 0,
      deliveredPounds: delivered,
      remainingPounds: remaining,
      unfinishedPounds: unfinished,
    };
    const whole = roundTotals(exact);
    expect(whole.backedPounds + whole.shortfallPounds + whole.unallocatedPounds).toBe(whole.soldPounds);
    expect(whole.deliveredPounds + whole.remainingPounds + (whole.unfinishedPounds ?? 0)).toBe(whole.grantedPounds);
    for (const [name, exactValue] of Object.entries(exact)) {
      const value = whole[name as keyof typeof exact] ?? Number.NaN;
      expect(Number.isInteger(value) && value >= 0).toBe(true);
      expect(Math.abs(value - exactValue)).toBeLessThanOrEqual(2);
    }
    const hidden = roundTotals({ ...exact, remainingPounds: remaining + unfinished, unfinishedPounds: null });
    expect(hidden.unfinishedPounds).toBeNull();
    expect(hidden.deliveredPounds + hidden.remainingPounds).toBe(hidden.grantedPounds);
  });
  fc.assert(property);
});

const EXACT_TOTALS = {
  soldPounds: 748_161.3,
  backedPounds: 535_877.1,
  shortfallPounds: 0,
  unallocatedPounds: 212_284.2,
  grantedPounds: 1_101_742.7,
  surplusPounds: 565_865.6,
  deliveredPounds: 42_298.4,
  remainingPounds: 1_059_444.3,
  unfinishedPounds: 0,
};

test('the surplus is the difference of the displayed pounds, without pounds that no gift paid for', () => {
  expect(roundTotals(EXACT_TOTALS)).toMatchObject({
    grantedPounds: 1_101_743,
    backedPounds: 535_877,
    surplusPounds: 565_866,
  });
  expect(roundTotals({ ...EXACT_TOTALS, surplusPounds: 500_000.4 }).surplusPounds).toBe(500_001);
});

test('the displayed years add up to the displayed totals, and so do the parts of each year', () => {
  const yearPounds = fc.record({ backedPounds: pounds, shortfallPounds: pounds, unallocatedPounds: pounds });
  const savings = fc.record({ grantedPounds: pounds, deliveredPounds: pounds, remainingPounds: pounds });
  const property = fc.property(fc.array(fc.tuple(yearPounds, savings), { minLength: 1, maxLength: 12 }), (rows) => {
    const years = rows.map(([parts, saved], index) => ({
      year: 2020 + index,
      soldPounds: parts.backedPounds + parts.shortfallPounds + parts.unallocatedPounds,
      ...parts,
      ...saved,
    }));
    const sum = (list: PublicPounds['years'], field: Exclude<keyof PublicPounds['years'][number], 'year'>) =>
      list.reduce((total, year) => total + (year[field] ?? 0), 0);
    const wholeTotals = roundTotals({
      soldPounds: sum(years, 'soldPounds'),
      backedPounds: sum(years, 'backedPounds'),
      shortfallPounds: sum(years, 'shortfallPounds'),
      unallocatedPounds: sum(years, 'unallocatedPounds'),
      grantedPounds: sum(years, 'deliveredPounds') + sum(years, 'remainingPounds'),
      surplusPounds: 0,
      deliveredPounds: sum(years, 'deliveredPounds'),
      remainingPounds: sum(years, 'remainingPounds'),
      unfinishedPounds: 0,
    });
    const wholeYears = roundYears(years, wholeTotals);
    for (const field of [
      'soldPounds',
      'backedPounds',
      'unallocatedPounds',
      'deliveredPounds',
      'remainingPounds',
    ] as const)
      expect(sum(wholeYears, field), field).toBe(wholeTotals[field]);
    for (const { soldPounds, backedPounds, shortfallPounds, unallocatedPounds } of wholeYears)
      expect(backedPounds + shortfallPounds + unallocatedPounds).toBe(soldPounds);
  });
  fc.assert(property);
});
