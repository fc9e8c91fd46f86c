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
import { wordsOfMovement } from '#server/features/ledger/other-movements.ts';
import { verifyLedger } from '#server/features/ledger/verify-ledger.ts';
import { defineRecurringJob } from '#server/jobs/define-job.ts';
import type { Log } from '#server/log.ts';
import { commandLine } from '#server/program/program-file.ts';
import { claimMark, readMarks, setMark } from './operation.store.ts';

/** UTC: the small hours from New York to Los Angeles. */
const AT_HOUR = 8;

/** When the books should last have been verified. */
export function lastNight(now: Date): Date {
  const today = new Date(now);
  today.setUTCHours(AT_HOUR, 0, 0, 0);
  return today <= now ? today : new Date(today.getTime() - DAY_MS);
}

type VerifyDeps = Pick<AppDeps, 'db' | 'payments' | 'livemode'>;

/**
 * Verifies the books, and compares them with the provider, if no process has done so since the last night. Call it once an
 * hour or more often.
 */
export async function verifyBooksNightly(deps: VerifyDeps, now: Date, log: Log): Promise<void> {
  const { kysely } = deps.db;
  if (!(await claimMark(kysely, 'books-begun', now, lastNight(now)))) return;
  const differences = await verifyLedger(deps.db);
  await setMark(kysely, 'books-verified', now, differences.length);
  if (differences.length > 0) {
    log.error(
      { differences: differences.length },
      `the books do not add up: run "${commandLine('verify-ledger')}" to see where, see docs/operations.md, The ledger`,
    );
  }
  await compareNightly(deps, now, log);
}

/** Of what is younger, the report may be on its way. */
const REPORTED_WITHIN_MS = 2 * 3_600_000;

/** Compares what moved since both sides last agreed. */
async function compareNightly(deps: VerifyDeps, now: Date, log: Log): Promise<void> {
  const { kysely } = deps.db;
  const agreed = deps.livemode ? 'provider-agreed-live' : 'provider-agreed-test';
  const since = (await readMarks(kysely)).get(agreed)?.at;
  const until = new Date(now.getTime() - REPORTED_WITHIN_MS);
  const compared = await compareWithProvider({ ...deps, now: () => now }, { since, until });
  if (compared instanceof Failure) {
    log.warn({ code: compared.code }, 'the books could not be compared with the payment provider');
    return;
  }
  const { agreedUntil = until } = compared;
  for (const difference of compared.differences)
    if (difference.kind === 'others') await reportMovement(deps, difference);
  const { length: differences } = compared.differences;
  await setMark(kysely, 'provider-compared', now, differences);
  if (differences === 0) {
    if (since === undefined || agreedUntil > since) await setMark(kysely, agreed, agreedUntil);
  } else
    log.error(
      { differences, since },
      `the books differ from the payment provider: run "${commandLine('verify-ledger')} --provider" to see where, see docs/operations.md, The ledger`,
    );
}

/** A person must find out what the movement was. Once it's settled, it is no difference. */
async function reportMovement(
  { db, livemode }: VerifyDeps,
  { id, type = '', provider: amount = 0, currency, at: occurredAt }: ProviderDifference,
): Promise<void> {
  const reason = `${UNBOOKED_MOVEMENT}${wordsOfMovement(type)}`;
  const about = { subject: movementSubject(id), reason, orgId: '', checkoutId: '' };
  await inTransaction(db, (tx) => reportForAttention(tx, { ...about, amount, currency, livemode, occurredAt }));
}

export const nightlyVerification = defineRecurringJob({
  name: 'verify-books',
  firstMs: 2 * 60_000,
  everyMs: 60 * 60_000,
  isExclusive: false,
  run: (deps: VerifyDeps & Pick<AppDeps, 'now'> & { readonly log: Log }) =>
    verifyBooksNightly(deps, deps.now(), deps.log),
});
