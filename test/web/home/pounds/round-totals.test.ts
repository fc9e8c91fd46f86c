import fc from 'fast-check';
import { expect, test } from 'vitest';
import { roundTotals } from '#web/routes/home/pounds/round-totals.ts';

const pounds = fc.integer({ min: 0, max: 10_000_000 }).map((tenThousandths) => tenThousandths / 10_000);

test('the displayed whole pounds add up, and each is within two pounds of the exact value', () => {
  const parts = fc.tuple(pounds, pounds, pounds, pounds, pounds, pounds, pounds);
  const property = fc.property(parts, ([backed, shortfall, unallocated, delivered, remaining, unfinished, surplus]) => {
    const exact = {
      soldPounds: backed + shortfall + unallocated,
      backedPounds: backed,
      shortfallPounds: shortfall,
      unallocatedPounds: unallocated,
      grantedPounds: delivered + remaining + unfinished,
      surplusPounds: surplus,
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
