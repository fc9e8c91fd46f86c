import { DAY_MS } from '#domain/days.ts';
import { Failure } from '#domain/failures.ts';
import type { AppDeps } from '#server/deps.ts';
import { readAccountFees } from '#server/features/payouts/record-account-fees.ts';
import { defineRecurringJob } from '#server/jobs/define-job.ts';
import type { Log } from '#server/log.ts';
import { readCursor, saveCursor } from './provider-events.store.ts';

const CURSOR = 'account-fees';
/** A movement can appear in the list some time after its own timestamp. */
const OVERLAP_MS = DAY_MS;

/**
 * Posts account fees, which no event reports. The first call reads all fees, later calls read from the last complete
 * reading.
 */
export async function readFeeList(
  deps: Pick<AppDeps, 'db' | 'payments' | 'livemode' | 'now'>,
  log: Log,
): Promise<void> {
  const { db, now } = deps;
  const startedAt = now();
  const cursor = await readCursor(db.kysely, CURSOR);
  const result = await readAccountFees(deps, cursor && new Date(cursor.readUntil.getTime() - OVERLAP_MS));
  if (result instanceof Failure) {
    log.warn({ code: result.code, ...result.details }, 'the provider could not list the movements on its balance');
    return;
  }
  await saveCursor(db.kysely, CURSOR, startedAt);
}

export const readFeeListJob = defineRecurringJob({
  name: 'read-fee-list',
  firstMs: 1000,
  everyMs: 60 * 60_000,
  isExclusive: true,
  run: (deps: Parameters<typeof readFeeList>[0] & { readonly log: Log }) => readFeeList(deps, deps.log),
});
