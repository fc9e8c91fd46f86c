import { type Kysely, sql } from 'kysely';
import { ATTEMPTS_BEFORE_ATTENTION } from '#domain/health-checks.ts';
import type { Tables } from '#server/db/tables.ts';
import { isEmailJob } from '#server/jobs/define-job.ts';

export type JobFacts = {
  readonly oldestDueAt: Date | null;
  readonly emailsFailingSince: Date | null;
  readonly backupTriedAt: Date | null;
  readonly backupMadeAt: Date | null;
};

/** Facts before the program's first start. */
const NO_FACTS: JobFacts = { oldestDueAt: null, emailsFailingSince: null, backupTriedAt: null, backupMadeAt: null };

/** With the pauses between them, this many attempts take several minutes. */
const MIN_FAILED_ATTEMPTS = 5;

/**
 * Reads facts about jobs, emails, and backups.
 *
 * Emails count as failing only if no later email was sent. A single failing email is usually a problem with its address,
 * which the list of receipts shows.
 */
export async function readJobFacts(db: Kysely<Tables>): Promise<JobFacts> {
  const { rows: queues } = await sql`select where to_regclass('pgboss.job') is not null`.execute(db);
  if (queues.length === 0) return NO_FACTS;
  const { rows } = await sql<JobFacts>`
    with emails as (
      select * from pgboss.job where ${isEmailJob}),
    failing as (
      select created_on from emails failed where state = 'retry' and retry_count >= ${MIN_FAILED_ATTEMPTS} and not exists (
        select from emails sent where sent.state = 'completed' and sent.completed_on > failed.created_on
          and (sent.output is null or sent.output ->> 'error' is null)))
    select (select min(start_after) from pgboss.job where state = 'created' and start_after <= now()) as "oldestDueAt",
      (select min(created_on) from failing) as "emailsFailingSince",
      (select max(started_at) from backups where due_at is not null) as "backupTriedAt",
      (select max(finished_at) from backups where file is not null) as "backupMadeAt"`.execute(db);
  return rows[0] ?? NO_FACTS;
}

/** Counts pending events that have failed too many times. */
export async function countFailedEvents(db: Kysely<Tables>): Promise<number> {
  const { events } = await db
    .selectFrom('provider_events')
    .select(({ fn }) => fn.countAll<number>().as('events'))
    .where('outcome', '=', 'pending')
    .where('errors', '>=', ATTEMPTS_BEFORE_ATTENTION)
    .executeTakeFirstOrThrow();
  return events;
}
