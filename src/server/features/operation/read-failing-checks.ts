import { COMPARISON_MS, failingChecks } from '#domain/health-checks.ts';
import type { Database } from '#server/db/connection.ts';
import { schemaState } from '#server/db/migrate.ts';
import { type Check, failing, ok, warning } from '#server/gateways/check.ts';
import { commandLine } from '#server/process/app-path.ts';
import { databaseRecoveredAt, missedEventAt } from './alarm-events.ts';
import { countFailedEvents, readJobFacts } from './job-facts.store.ts';
import { hasLivePaymentBefore } from './operation.store.ts';
import { type Figures, readFigures } from './read-figures.ts';

/** @returns the failing health checks */
export async function readFailingChecks(
  db: Database,
  now: Date,
  { webhooks, books }: Figures,
): Promise<ReturnType<typeof failingChecks>> {
  const [jobFacts, lastFoundEvent, lastOutageEnd, failedEvents, hasPaymentsToCompare] = await Promise.all([
    readJobFacts(db.kysely),
    missedEventAt(db),
    databaseRecoveredAt(db),
    countFailedEvents(db.kysely),
    hasLivePaymentBefore(db.kysely, new Date(now.getTime() - COMPARISON_MS)),
  ]);
  return failingChecks({
    ...jobFacts,
    now,
    uptimeMs: process.uptime() * 1000,
    webhookVerifiedAt: webhooks.verifiedAt,
    webhookRejectedAt: webhooks.rejectedAt,
    unreportedEventAt: lastFoundEvent,
    databaseRecoveredAt: lastOutageEnd,
    booksVerifiedAt: books.verifiedAt,
    booksDifferences: books.differences,
    providerDifferences: books.providerDifferences,
    providerComparedAt: books.providerComparedAt,
    hasPaymentsToCompare,
    failedEvents,
  });
}

const SUBJECT = 'Operation';

/** Runs the health checks for doctor and the admins' page. */
export async function checkHealth(db: Database, now: Date): Promise<readonly Check[]> {
  // Another check reports pending migrations.
  if ((await schemaState(db)).pending.length > 0) return [ok(SUBJECT, 'can be checked after the migrations.')];
  const failingChecks = await readFailingChecks(db, now, await readFigures(db, now));
  if (failingChecks.length === 0) return [ok(SUBJECT, 'no alarm.')];
  return failingChecks.map(({ title, severity, explain }) => {
    const createCheck = severity === 'error' ? failing : warning;
    return createCheck(SUBJECT, `${title}. ${explain(commandLine)}`);
  });
}
