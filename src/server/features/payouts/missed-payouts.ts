import { Failure } from '#domain/failures.ts';
import type { RecordDeps, RecordOptions } from '#server/features/payments/record-result.ts';
import type { ListedPayout } from '#server/gateways/payments/balance-facts.ts';
import { findPayouts, listPayoutsToReassign, listPayoutsToSplit } from './payouts.store.ts';
import { recordPayout } from './record-payout.ts';

/**
 * Records payout changes that weren't reported, and payouts whose money can now be assigned to an organization. Stops at the
 * first failure.
 * @returns the payout that could not be recorded, with Failure payment-unavailable
 */
export async function recordMissedPayouts(
  deps: RecordDeps,
  listedPayouts: readonly ListedPayout[],
  options: RecordOptions = {},
): Promise<{ readonly payoutId: string; readonly failure: Failure } | undefined> {
  const { kysely } = deps.db;
  const ids = listedPayouts.map(({ payoutId }) => payoutId);
  const storedPayouts = new Map((await findPayouts(kysely, ids)).map((payout) => [payout.id, payout]));
  const missedPayouts = listedPayouts.filter(({ payoutId, status, isComplete }) => {
    const payout = storedPayouts.get(payoutId);
    return !payout || payout.status !== status || (isComplete && !payout.has_all_movements);
  });
  const missedIds = [...missedPayouts.map(({ payoutId }) => payoutId), ...(await listPayoutsToSplit(kysely, ids))];
  return (await recordEach(deps, missedIds, options)) ?? (await recordReassignablePayouts(deps, options));
}

async function recordReassignablePayouts(deps: RecordDeps, options: RecordOptions) {
  const reassignedIds = new Set<string>();
  for (;;) {
    const ids = (await listPayoutsToReassign(deps.db.kysely)).filter((id) => !reassignedIds.has(id));
    if (ids.length === 0) return undefined;
    const unrecordedPayout = await recordEach(deps, ids, options);
    if (unrecordedPayout) return unrecordedPayout;
    for (const id of ids) reassignedIds.add(id);
  }
}

async function recordEach(deps: RecordDeps, ids: readonly string[], options: RecordOptions) {
  for (const payoutId of new Set(ids)) {
    const failure = await recordPayout(deps, payoutId, options);
    if (failure instanceof Failure) return { payoutId, failure };
  }
  return undefined;
}
