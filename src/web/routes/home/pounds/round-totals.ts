import type { PublicPounds } from '#contract/schemas/grants.ts';

/** Rounds the totals to whole pounds so that the displayed parts add up to the displayed sums. Rounds a shortfall up. */
export function roundTotals(totals: PublicPounds['totals']): PublicPounds['totals'] {
  const soldPounds = Math.round(totals.soldPounds);
  const shortfallPounds = Math.min(Math.ceil(totals.shortfallPounds), soldPounds);
  const backedPounds = Math.min(Math.round(totals.backedPounds), soldPounds - shortfallPounds);
  const grantedPounds = Math.round(totals.grantedPounds);
  const deliveredPounds = Math.min(Math.round(totals.deliveredPounds), grantedPounds);
  const unfinishedPounds =
    totals.unfinishedPounds === null
      ? null
      : Math.min(Math.round(totals.unfinishedPounds), grantedPounds - deliveredPounds);
  const unfundedPounds = Math.round(totals.grantedPounds - totals.backedPounds - totals.surplusPounds);
  return {
    soldPounds,
    backedPounds,
    shortfallPounds,
    unallocatedPounds: soldPounds - backedPounds - shortfallPounds,
    grantedPounds,
    surplusPounds: Math.max(0, grantedPounds - backedPounds - unfundedPounds),
    deliveredPounds,
    remainingPounds: grantedPounds - deliveredPounds - (unfinishedPounds ?? 0),
    unfinishedPounds,
  };
}

type Year = PublicPounds['years'][number];

/** Rounds the years to whole pounds so that the displayed rows add up, and their sums are the displayed totals. */
export function roundYears(years: readonly Year[], wholeTotals: PublicPounds['totals']): Year[] {
  const split = (field: Exclude<keyof Year, 'year'>): number[] =>
    roundToSum(
      years.map((year) => year[field] ?? 0),
      // Hidden years have no sum.
      years.some((year) => year[field] === null) ? 0 : wholeTotals[field],
    );
  const [backed, shortfall, unallocated] = [
    split('backedPounds'),
    split('shortfallPounds'),
    split('unallocatedPounds'),
  ];
  const [granted, delivered, remaining] = [split('grantedPounds'), split('deliveredPounds'), split('remainingPounds')];
  return years.map(({ year, remainingPounds }, index) => {
    const [backedPounds, shortfallPounds] = [backed[index] ?? 0, shortfall[index] ?? 0];
    const unallocatedPounds = unallocated[index] ?? 0;
    return {
      year,
      soldPounds: backedPounds + shortfallPounds + unallocatedPounds,
      backedPounds,
      shortfallPounds,
      unallocatedPounds,
      grantedPounds: granted[index] ?? 0,
      deliveredPounds: delivered[index] ?? 0,
      remainingPounds: remainingPounds === null ? null : (remaining[index] ?? 0),
    };
  });
}

/** Rounds amounts to whole numbers with this sum; the largest remainders are rounded up. */
function roundToSum(amounts: readonly number[], sum: number): number[] {
  const wholeAmounts = amounts.map((amount) => Math.floor(amount));
  for (let rest = sum - sumOf(wholeAmounts); rest !== 0; rest -= Math.sign(rest)) {
    const step = Math.sign(rest);
    const remainders = amounts.map((amount, index) => {
      const whole = wholeAmounts[index] ?? 0;
      return amount === 0 || whole + step < 0 ? Number.NEGATIVE_INFINITY : step * (amount - whole);
    });
    const index = remainders.indexOf(Math.max(...remainders));
    wholeAmounts[index] = (wholeAmounts[index] ?? 0) + step;
  }
  return wholeAmounts;
}

function sumOf(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}
