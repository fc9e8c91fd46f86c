import { DAY_MS } from '#domain/days.ts';
import { Failure } from '#domain/failures.ts';
import type { RecordDeps } from '#server/features/payments/record-result.ts';
import { recordMissedPayouts } from '#server/features/payouts/missed-payouts.ts';
import { defineRecurringJob } from '#server/jobs/define-job.ts';
import type { Log } from '#server/log.ts';
import { readCursor, saveCursor } from './provider-events.store.ts';

const CURSOR = 'payouts';
/** How long after it was made a payout can still fail. */
const OVERLAP_MS = 30 * DAY_MS;

/**
 * Records the payouts that were not reported, the oldest first: at first all there ever were, then those that can have
 * changed since. An incomplete reading is repeated.
 */
export async function readPayoutList(deps: RecordDeps, log: Log): Promise<void> {
  const { db, payments, now } = deps;
  const startedAt = now();
  const cursor = await readCursor(db.kysely, CURSOR);
  const listed = await payments.listPayouts(cursor && new Date(cursor.readUntil.getTime() - OVERLAP_MS));
  if (listed instanceof Failure) {
    log.warn({ code: listed.code, ...listed.details }, 'the provider could not list its payouts');
    return;
  }
  const failed = await recordMissedPayouts(deps, listed);
  if (failed) {
    const { payoutId, failure } = failed;
    log.warn({ payoutId, code: failure.code, ...failure.details }, 'a payout could not be recorded yet');
    return;
  }
  await saveCursor(db.kysely, CURSOR, { readUntil: startedAt, types: '' });
}

/** Payouts change once a day, and their events report each change. */
export const payoutListReading = defineRecurringJob({
  name: 'read-payout-list',
  firstMs: 1000,
  everyMs: 10 * 60_000,
  isExclusive: true,
  run: (deps: RecordDeps & { readonly log: Log }) => readPayoutList(deps, deps.log),
});
