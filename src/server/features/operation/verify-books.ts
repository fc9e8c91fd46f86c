import { type AttentionReason, UNBOOKED_MOVEMENT_PREFIX } from '#domain/attention.ts';
import { attentionSubject } from '#domain/attention-subjects.ts';
import { DAY_MS } from '#domain/days.ts';
import { Failure } from '#domain/failures.ts';
import type { OperationEvent } from '#server/db/column-types.ts';
import type { Database } from '#server/db/connection.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { AppDeps } from '#server/deps.ts';
import { reportForAttention } from '#server/features/attention/attention.ts';
import {
  compareWithProvider,
  type ProviderComparison,
  type ProviderDifference,
  REPORT_DELAY_MS,
} from '#server/features/ledger/compare-with-provider.ts';
import { movementLabel } from '#server/features/ledger/other-movements.ts';
import { verifyLedger } from '#server/features/ledger/verify-ledger.ts';
import { defineRecurringJob } from '#server/jobs/define-job.ts';
import type { Log } from '#server/log.ts';
import { formatCommandLine } from '#server/process/app-path.ts';
import {
  deleteFutureOperationEvent,
  getComparisonEvent,
  readOperationEvents,
  recordOperationEvent,
} from './operation.store.ts';

/** Hour in UTC when it is night in all of the United States. */
const NIGHTLY_HOUR_UTC = 8;

/** Returns the last scheduled time of the verification and the comparison. */
export function getLastScheduledTime(now: Date): Date {
  const today = new Date(now);
  today.setUTCHours(NIGHTLY_HOUR_UTC, 0, 0, 0);
  return today <= now ? today : new Date(today.getTime() - DAY_MS);
}

type VerifyDeps = Pick<AppDeps, 'db' | 'payments' | 'livemode'>;

/** Verifies the books, unless they were verified since last night. Call it at least once an hour. */
export async function verifyBooksNightly({ db }: Pick<VerifyDeps, 'db'>, now: Date, log: Log): Promise<void> {
  if (await hasHappenedSinceLastNight(db, 'books-verified', now)) return;
  const { length: differences } = await verifyLedger(db);
  await recordOperationEvent(db.kysely, 'books-verified', now, differences);
  if (differences > 0)
    log.error(
      { differences },
      `the books do not add up: run "${formatCommandLine('verify-ledger')}" to see where (docs/money.md, The ledger)`,
    );
}

async function hasHappenedSinceLastNight({ kysely }: Database, event: OperationEvent, now: Date): Promise<boolean> {
  const eventTime = (await readOperationEvents(kysely)).get(event)?.at;
  return eventTime !== undefined && eventTime >= getLastScheduledTime(now) && eventTime <= now;
}

/**
 * Compares the movements since both sides last agreed, and what has settled since then, unless they were compared since
 * last night. Call it at least once an hour, so that a failed comparison is retried.
 */
export async function runNightlyComparison(deps: VerifyDeps, now: Date, log: Log): Promise<void> {
  const { db, livemode } = deps;
  if (await hasHappenedSinceLastNight(db, getComparisonEvent(livemode), now)) return;
  const since = await readAgreementTime(deps, now);
  const reportDeadline = new Date(now.getTime() - REPORT_DELAY_MS);
  const comparison = await compareWithProvider({ ...deps, now: () => now }, { since, until: reportDeadline });
  if (comparison instanceof Failure) {
    log.warn({ code: comparison.code }, 'the books could not be compared with the payment provider');
    return;
  }
  if (hasUnreportedSettlement(comparison, since, now)) return;
  for (const difference of comparison.differences)
    if (difference.kind === 'others') await reportMovement(deps, difference);
  await recordComparison(deps, comparison, now);
  const { length: differences } = comparison.differences;
  if (differences > 0)
    log.error(
      { differences, since },
      `the books differ from the payment provider's records: run "${formatCommandLine('verify-ledger')} --provider" to see where (docs/money.md, The ledger)`,
    );
}

/**
 * Returns whether to compare again at the next run, because a bank debit or a payout from before both sides agreed may have
 * settled just now. Its report may be pending.
 */
function hasUnreportedSettlement({ differences }: ProviderComparison, since: Date | undefined, now: Date): boolean {
  const reportDeadline = getLastScheduledTime(now).getTime() + REPORT_DELAY_MS;
  const isEarly = since !== undefined && now.getTime() < reportDeadline;
  return isEarly && differences.some(({ lastMovedAt }) => lastMovedAt < since);
}

/**
 * Records a comparison's number of differences, which triggers the alarm, and the time up to which both sides agree. A
 * difference that is too new to have been reported isn't counted, but keeps the time from being updated.
 */
export async function recordComparison(
  deps: Pick<VerifyDeps, 'db' | 'livemode'>,
  { differences, agreedUntil }: ProviderComparison,
  now: Date,
): Promise<void> {
  const { db, livemode } = deps;
  const { kysely } = db;
  const agreedAt = await readAgreementTime(deps, now);
  const reportedUntil = new Date(now.getTime() - REPORT_DELAY_MS);
  const { length: count } = differences.filter(({ lastMovedAt }) => lastMovedAt <= reportedUntil);
  await recordOperationEvent(kysely, getComparisonEvent(livemode), now, count);
  if (differences.length > 0) return;
  if (agreedAt === undefined || agreedUntil > agreedAt)
    await recordOperationEvent(kysely, getAgreementEvent(livemode), agreedUntil);
}

/**
 * Reads the time up to which both sides agree. A time in the future is deleted, because the database would close months
 * until then (`books_closed_until`).
 */
async function readAgreementTime(
  { db, livemode }: Pick<VerifyDeps, 'db' | 'livemode'>,
  now: Date,
): Promise<Date | undefined> {
  const event = getAgreementEvent(livemode);
  await deleteFutureOperationEvent(db.kysely, event, now);
  return (await readOperationEvents(db.kysely)).get(event)?.at;
}

function getAgreementEvent(livemode: boolean): OperationEvent {
  return livemode ? 'provider-agreed-live' : 'provider-agreed-test';
}

/** Lists an unknown movement under "Needs attention". A resolved movement no longer counts as a difference. */
async function reportMovement(
  { db, livemode }: VerifyDeps,
  { id, type = '', providerCents: amount = 0, currency, lastMovedAt: occurredAt }: ProviderDifference,
): Promise<void> {
  const reason: AttentionReason = `${UNBOOKED_MOVEMENT_PREFIX}${movementLabel(type)}`;
  const item = {
    subject: attentionSubject('movement', id),
    reason,
    amount,
    currency,
    livemode,
    occurredAt,
  };
  await inTransaction(db, (tx) => reportForAttention(tx, item));
}

type JobDeps = VerifyDeps & Pick<AppDeps, 'now'> & { readonly log: Log };

export const verifyBooksJob = defineRecurringJob({
  name: 'verify-books',
  initialDelayMs: 2 * 60_000,
  intervalMs: 60 * 60_000,
  isExclusive: true,
  run: (deps: JobDeps) => verifyBooksNightly(deps, deps.now(), deps.log),
});

export const compareBooksJob = defineRecurringJob({
  name: 'compare-books',
  initialDelayMs: 2 * 60_000,
  intervalMs: 60 * 60_000,
  isExclusive: true,
  run: (deps: JobDeps) => runNightlyComparison(deps, deps.now(), deps.log),
});
