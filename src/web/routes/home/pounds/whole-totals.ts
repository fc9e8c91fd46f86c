import type { PublicPounds } from '#contract/schemas/grants.ts';

/** The totals in whole pounds, such that the parts shown add up to the sums shown. A shortfall isn't rounded down. */
export function wholeTotals(totals: PublicPounds['totals']): PublicPounds['totals'] {
  const soldPounds = Math.round(totals.soldPounds);
  const shortfallPounds = Math.min(Math.ceil(totals.shortfallPounds), soldPounds);
  const backedPounds = Math.min(Math.round(totals.backedPounds), soldPounds - shortfallPounds);
  const grantedPounds = Math.round(totals.grantedPounds);
  const deliveredPounds = Math.min(Math.round(totals.deliveredPounds), grantedPounds);
  const unfinishedPounds = Math.min(Math.round(totals.unfinishedPounds), grantedPounds - deliveredPounds);
  return {
    soldPounds,
    backedPounds,
    shortfallPounds,
    unallocatedPounds: soldPounds - backedPounds - shortfallPounds,
    grantedPounds,
    surplusPounds: Math.floor(totals.surplusPounds),
    deliveredPounds,
    remainingPounds: grantedPounds - deliveredPounds - unfinishedPounds,
    unfinishedPounds,
  };
}
