import { Failure } from '#domain/failures.ts';
import { isUnreachable } from '#server/db/unavailable.ts';
import type { RecordDeps, RecordOptions } from '#server/features/payments/record-result.ts';
import type { ListedPayout } from '#server/gateways/payments/balance-facts.ts';
import { findPayouts, listPayoutsToReassign, listPayoutsToSplit } from './payouts.store.ts';
import { recordPayout } from './record-payout.ts';

/** @property reason Failure payment-unavailable, or an unexpected error */
type UnrecordedPayout = { readonly payoutId: string; readonly reason: Error };

/**
 * Records payout changes that weren't reported, and payouts whose money can now be assigned to an organization. An
 * unexpected error doesn't delay other payouts. Stops if the provider or the database is unavailable.
 * @returns the payouts that couldn't be recorded
 */
export async function recordMissedPayouts(
  deps: RecordDeps,
  listedPayouts: readonly ListedPayout[],
  options: RecordOptions = {},
): Promise<UnrecordedPayout[]> {
  const { kysely } = deps.db;
  const ids = listedPayouts.map(({ payoutId }) => payoutId);
  const storedPayouts = new Map((await findPayouts(kysely, ids)).map((payout) => [payout.id, payout]));
  const missedPayouts = listedPayouts.filter(({ payoutId, status, isComplete }) => {
    const payout = storedPayouts.get(payoutId);
    return !payout || payout.status !== status || (isComplete && !payout.has_all_movements);
  });
  const missedIds = [...missedPayouts.map(({ payoutId }) => payoutId), ...(await listPayoutsToSplit(kysely, ids))];
  const unrecordedPayouts = await recordPayouts(deps, missedIds, options);
  const attemptedIds = new Set<string>();
  while (!unrecordedPayouts.some(isOutage)) {
    const reassignableIds = (await listPayoutsToReassign(kysely)).filter((id) => !attemptedIds.has(id));
    if (reassignableIds.length === 0) break;
    unrecordedPayouts.push(...(await recordPayouts(deps, reassignableIds, options)));
    for (const id of reassignableIds) attemptedIds.add(id);
  }
  return unrecordedPayouts;
}

/** Records payouts one at a time. Stops if the provider or the database is unavailable. */
async function recordPayouts(
  deps: RecordDeps,
  ids: readonly string[],
  options: RecordOptions,
): Promise<UnrecordedPayout[]> {
  const unrecordedPayouts: UnrecordedPayout[] = [];
  for (const payoutId of new Set(ids)) {
    const reason = await recordPayout(deps, payoutId, options).catch((error: Error) => error);
    if (!(reason instanceof Error)) continue;
    unrecordedPayouts.push({ payoutId, reason });
    if (unrecordedPayouts.some(isOutage)) break;
  }
  return unrecordedPayouts;
}

function isOutage({ reason }: UnrecordedPayout): boolean {
  return reason instanceof Failure || isUnreachable(reason);
}
