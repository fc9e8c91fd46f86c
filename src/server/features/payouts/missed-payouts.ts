import { Failure } from '#domain/failures.ts';
import type { RecordDeps } from '#server/features/payments/record-result.ts';
import type { ListedPayout } from '#server/gateways/payments/balance-facts.ts';
import { payoutsById, payoutsToShareOut, payoutsToSplit } from './payouts.store.ts';
import { recordPayout } from './record-payout.ts';

/**
 * Records the listed payouts that were not reported, and those whose money turned out to belong to an organization.
 * @returns the payout that could not be recorded; Failure payment-unavailable
 */
export async function recordMissedPayouts(
  deps: RecordDeps,
  listed: readonly ListedPayout[],
): Promise<{ readonly payoutId: string; readonly failure: Failure } | undefined> {
  const { kysely } = deps.db;
  const ids = listed.map(({ payoutId }) => payoutId);
  const known = new Map((await payoutsById(kysely, ids)).map((payout) => [payout.id, payout]));
  const missed = listed.filter(({ payoutId, status, complete }) => {
    const payout = known.get(payoutId);
    return !payout || payout.status !== status || (complete && !payout.complete);
  });
  const first = [...missed.map(({ payoutId }) => payoutId), ...(await payoutsToSplit(kysely, ids))];
  return (await recordEach(deps, first)) ?? (await recordEach(deps, await payoutsToShareOut(kysely)));
}

async function recordEach(deps: RecordDeps, ids: readonly string[]) {
  for (const payoutId of new Set(ids)) {
    const failure = await recordPayout(deps, payoutId);
    if (failure instanceof Failure) return { payoutId, failure };
  }
  return undefined;
}
