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
  return {
    soldPounds,
    backedPounds,
    shortfallPounds,
    unallocatedPounds: soldPounds - backedPounds - shortfallPounds,
    grantedPounds,
    surplusPounds: Math.floor(totals.surplusPounds),
    deliveredPounds,
    remainingPounds: grantedPounds - deliveredPounds - (unfinishedPounds ?? 0),
    unfinishedPounds,
  };
}
