import { UNBOOKED_MOVEMENT } from '#domain/attention.ts';
import { DAY_MS } from '#domain/days.ts';
import { Failure } from '#domain/failures.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { AppDeps } from '#server/deps.ts';
import { reportForAttention } from '#server/features/attention/attention.ts';
import {
  compareWithProvider,
  movementSubject,
  type ProviderDifference,
} from '#server/features/ledger/compare-with-provider.ts';
import { movementLabel } from '#server/features/ledger/other-movements.ts';
import { verifyLedger } from '#server/features/ledger/verify-ledger.ts';
import { defineRecurringJob } from '#server/jobs/define-job.ts';
import type { Log } from '#server/log.ts';
import { commandLine } from '#server/program/program-file.ts';
import { claimOperationEvent, readOperationEvents, recordOperationEvent } from './operation.store.ts';

/** UTC. It is night in all of the United States. */
const HOUR = 8;

/** The last scheduled time of the verification. */
export function lastNight(now: Date): Date {
  const today = new Date(now);
  today.setUTCHours(HOUR, 0, 0, 0);
  return today <= now ? today : new Date(today.getTime() - DAY_MS);
}

type VerifyDeps = Pick<AppDeps, 'db' | 'payments' | 'livemode'>;

/**
 * Verifies the books and compares them with the provider, unless a process has done so since last night. Call it at least
 * once an hour.
 */
export async function verifyBooksNightly(deps: VerifyDeps, now: Date, log: Log): Promise<void> {
  const { kysely } = deps.db;
  if (!(await claimOperationEvent(kysely, 'books-verification-started', now, lastNight(now)))) return;
  const differences = await verifyLedger(deps.db);
  await recordOperationEvent(kysely, 'books-verified', now, differences.length);
  if (differences.length > 0) {
    log.error(
      { differences: differences.length },
      `the books do not add up: run "${commandLine('verify-ledger')}" to see where, see docs/operations.md, The ledger`,
    );
  }
  await compareNightly(deps, now, log);
}

/** Reports of newer movements may still be pending. */
const REPORT_DELAY_MS = 2 * 3_600_000;

/** Compares the movements since both sides last agreed. */
async function compareNightly(deps: VerifyDeps, now: Date, log: Log): Promise<void> {
  const { kysely } = deps.db;
  const event = deps.livemode ? 'provider-agreed-live' : 'provider-agreed-test';
  const since = (await readOperationEvents(kysely)).get(event)?.at;
  const until = new Date(now.getTime() - REPORT_DELAY_MS);
  const comparison = await compareWithProvider({ ...deps, now: () => now }, { since, until });
  if (comparison instanceof Failure) {
    log.warn({ code: comparison.code }, 'the books could not be compared with the payment provider');
    return;
  }
  const { agreedUntil = until } = comparison;
  for (const difference of comparison.differences)
    if (difference.kind === 'others') await reportMovement(deps, difference);
  const { length: differences } = comparison.differences;
  await recordOperationEvent(kysely, 'provider-compared', now, differences);
  if (differences === 0) {
    if (since === undefined || agreedUntil > since) await recordOperationEvent(kysely, event, agreedUntil);
  } else
    log.error(
      { differences, since },
      `the books differ from the payment provider: run "${commandLine('verify-ledger')} --provider" to see where, see docs/operations.md, The ledger`,
    );
}

/** Lists an unknown movement under "Needs attention". After a person settles it, it no longer counts as a difference. */
async function reportMovement(
  { db, livemode }: VerifyDeps,
  { id, type = '', provider: amount = 0, currency, at: occurredAt }: ProviderDifference,
): Promise<void> {
  const reason = `${UNBOOKED_MOVEMENT}${movementLabel(type)}`;
  const item = {
    subject: movementSubject(id),
    reason,
    orgId: '',
    checkoutId: '',
    amount,
    currency,
    livemode,
    occurredAt,
  };
  await inTransaction(db, (tx) => reportForAttention(tx, item));
}

export const nightlyVerification = defineRecurringJob({
  name: 'verify-books',
  firstMs: 2 * 60_000,
  everyMs: 60 * 60_000,
  isExclusive: false,
  run: (deps: VerifyDeps & Pick<AppDeps, 'now'> & { readonly log: Log }) =>
    verifyBooksNightly(deps, deps.now(), deps.log),
});
