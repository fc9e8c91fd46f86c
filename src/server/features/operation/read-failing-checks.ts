import { findFailingChecks, MAX_COMPARISON_AGE_MS } from '#domain/health-checks.ts';
import type { Database } from '#server/db/connection.ts';
import { readSchemaState } from '#server/db/migrate.ts';
import { failing, ok, type SettingCheck, warning } from '#server/gateways/check.ts';
import { formatCommandLine } from '#server/process/app-path.ts';
import { countFailedEvents, readJobFacts } from './job-facts.store.ts';
import { hasLivePaymentBefore, readOperationEvents } from './operation.store.ts';
import { type Figures, readFigures } from './read-figures.ts';

/** Reads the state of the program, and returns its failing health checks. */
export async function readFailingChecks(
  db: Database,
  now: Date,
  { payments, webhooks, books }: Figures,
): Promise<ReturnType<typeof findFailingChecks>> {
  const [jobFacts, events, failedEvents, hasPaymentsToCompare] = await Promise.all([
    readJobFacts(db.kysely),
    readOperationEvents(db.kysely),
    countFailedEvents(db.kysely),
    hasLivePaymentBefore(db.kysely, new Date(now.getTime() - MAX_COMPARISON_AGE_MS)),
  ]);
  return findFailingChecks({
    ...jobFacts,
    now,
    uptimeMs: process.uptime() * 1000,
    webhookVerifiedAt: webhooks.verifiedAt,
    webhookRejectedAt: webhooks.rejectedAt,
    unreportedEventAt: events.get('missed-event-found')?.at ?? null,
    databaseRecoveredAt: events.get('database-recovered')?.at ?? null,
    recurringJobFailingAt: events.get('recurring-job-failing')?.at ?? null,
    booksVerifiedAt: books.verifiedAt,
    booksDifferences: books.differences,
    providerDifferences: books.providerDifferences,
    providerComparedAt: books.providerComparedAt,
    hasPaymentsToCompare,
    failedEvents,
    oldestReportAt: payments.oldestReportAt,
  });
}

const SUBJECT = 'Operation';

/** Runs the health checks for doctor and the admins' page. */
export async function checkHealth(db: Database, now: Date): Promise<readonly SettingCheck[]> {
  // Another check reports pending migrations.
  if ((await readSchemaState(db)).pending.length > 0) return [ok(SUBJECT, 'can be checked once migrations have run.')];
  const failingChecks = await readFailingChecks(db, now, await readFigures(db, now));
  if (failingChecks.length === 0) return [ok(SUBJECT, 'no alarms.')];
  return failingChecks.map(({ title, severity, explain }) => {
    const createCheck = severity === 'error' ? failing : warning;
    return createCheck(SUBJECT, `${title}. ${explain(formatCommandLine)}`);
  });
}
