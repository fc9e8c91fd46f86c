import { Failure } from '#domain/failures.ts';
import { PAYOUT_FAILURE_WINDOW_MS } from '#domain/payout.ts';
import type { RecordDeps } from '#server/features/payments/record-result.ts';
import { recordMissedPayouts } from '#server/features/payouts/missed-payouts.ts';
import { defineRecurringJob } from '#server/jobs/define-job.ts';
import type { Log } from '#server/log.ts';
import { readCursor, saveCursor } from './provider-events.store.ts';

const CURSOR = 'payouts';

/**
 * Records unreported payouts, oldest first. The first call reads all payouts; later calls read those that may have changed
 * since the last complete reading. After a failure, the next call reads the same payouts again.
 */
export async function readPayoutList(deps: RecordDeps, log: Log): Promise<void> {
  const { db, payments, now } = deps;
  const startedAt = now();
  const cursor = await readCursor(db.kysely, CURSOR);
  const payouts = await payments.listPayouts(cursor && new Date(cursor.readUntil.getTime() - PAYOUT_FAILURE_WINDOW_MS));
  if (payouts instanceof Failure) {
    log.warn({ code: payouts.code, ...payouts.details }, 'could not list the provider’s payouts');
    return;
  }
  const unrecordedPayouts = await recordMissedPayouts(deps, payouts);
  for (const { payoutId, reason } of unrecordedPayouts) {
    if (reason instanceof Failure)
      log.warn({ payoutId, code: reason.code, ...reason.details }, 'a payout could not be recorded yet');
    else log.error({ payoutId, err: reason }, 'a payout could not be recorded');
  }
  if (unrecordedPayouts.length === 0) await saveCursor(db.kysely, CURSOR, startedAt);
}

/** Payouts change once a day, and their events report each change. */
export const readPayoutListJob = defineRecurringJob({
  name: 'read-payout-list',
  initialDelayMs: 1000,
  intervalMs: 10 * 60_000,
  isExclusive: true,
  run: (deps: RecordDeps & { readonly log: Log }) => readPayoutList(deps, deps.log),
});
