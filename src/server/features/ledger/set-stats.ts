import type { Transaction } from 'kysely';
import { adjustmentTo, statsOf } from '#domain/adjustment.ts';
import { Failure } from '#domain/failures.ts';
import { type SomeStats, STAT_NAMES } from '#domain/org.ts';
import type { Tables } from '#server/db/tables.ts';
import { newId } from '#server/ids.ts';
import { orgStanding } from './org-stats.ts';
import { postEntry } from './post-entry.ts';

export type StatsToSet = {
  readonly orgId: string;
  readonly stats: SomeStats;
  /** The stats as whoever sets them saw them: where they are others by now, nothing is set. */
  readonly seen?: SomeStats | undefined;
  readonly reason: string;
  readonly actorId: string;
  readonly at: Date;
};

/**
 * Makes an organisation's stats what is wanted, by an adjustment of the difference (decisions §3). The transaction must
 * hold the organisation's row: two who set the same would otherwise both add the difference. A gift that comes
 * meanwhile adds to what was set.
 * @returns Failure stats-moved; nothing where all is well, also where there was no difference
 */
export async function setStats(tx: Transaction<Tables>, wanted: StatsToSet): Promise<Failure | undefined> {
  const { orgId, stats, seen = {}, reason, actorId, at } = wanted;
  const standing = await orgStanding(tx, orgId);
  const now = statsOf(standing);
  if (STAT_NAMES.some((name) => seen[name] !== undefined && seen[name] !== now[name])) {
    return new Failure('stats-moved', { field: 'stats' });
  }
  const adjustment = adjustmentTo(standing, stats);
  if (!adjustment) return undefined;
  const fact = `adjustment:${newId()}`;
  await postEntry(tx, {
    ...adjustment,
    orgId,
    kind: 'adjustment',
    fact,
    currency: 'usd',
    reason,
    actorId,
    occurredAt: at,
  });
  return undefined;
}
