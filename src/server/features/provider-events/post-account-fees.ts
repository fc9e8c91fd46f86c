import { DAY_MS } from '#domain/days.ts';
import { Failure } from '#domain/failures.ts';
import type { AppDeps } from '#server/deps.ts';
import { readAccountFees } from '#server/features/payouts/record-account-fees.ts';
import { defineRecurringJob } from '#server/jobs/define-job.ts';
import type { Log } from '#server/log.ts';
import { readCursor, saveCursor } from './provider-events.store.ts';

const CURSOR = 'account-fees';
/** A balance transaction can appear in the list well after its timestamp. */
const OVERLAP_MS = DAY_MS;

/**
 * Posts account fees, which no event reports. The first run reads all fees; later runs resume from the last complete run.
 */
export async function postAccountFees(
  deps: Pick<AppDeps, 'db' | 'payments' | 'livemode' | 'now'>,
  log: Log,
): Promise<void> {
  const { db, now } = deps;
  const startedAt = now();
  const cursor = await readCursor(db.kysely, CURSOR);
  const result = await readAccountFees(deps, cursor && new Date(cursor.readUntil.getTime() - OVERLAP_MS));
  if (result instanceof Failure) {
    log.warn({ code: result.code, ...result.details }, 'could not list the provider’s balance transactions');
    return;
  }
  await saveCursor(db.kysely, CURSOR, startedAt);
}

export const postAccountFeesJob = defineRecurringJob({
  name: 'post-account-fees',
  initialDelayMs: 1000,
  intervalMs: 60 * 60_000,
  isExclusive: true,
  run: (deps: Parameters<typeof postAccountFees>[0] & { readonly log: Log }) => postAccountFees(deps, deps.log),
});
