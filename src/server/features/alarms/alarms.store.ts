import { type Kysely, sql, type Transaction } from 'kysely';
import { type AlarmState, NO_ALARM } from '#domain/alarms.ts';
import type { Tables } from '#server/db/tables.ts';
import { isEmailJob } from '#server/jobs/define-job.ts';

/** Locks an alarm until the transaction ends, so that concurrent processes send only one email. */
export async function lockAlarm(tx: Transaction<Tables>, name: string): Promise<AlarmState> {
  await tx
    .insertInto('alarms')
    .values({ name, is_on: false, doubtful_since: null, changed_at: null })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const row = await tx.selectFrom('alarms').selectAll().where('name', '=', name).forUpdate().executeTakeFirst();
  return row ? { isOn: row.is_on, doubtfulSince: row.doubtful_since, changedAt: row.changed_at } : NO_ALARM;
}

export async function saveAlarm(tx: Transaction<Tables>, name: string, state: AlarmState): Promise<void> {
  const { isOn, doubtfulSince, changedAt } = state;
  await tx
    .updateTable('alarms')
    .set({ is_on: isOn, doubtful_since: doubtfulSince, changed_at: changedAt })
    .where('name', '=', name)
    .execute();
}

export type JobFacts = {
  readonly oldestDueAt: Date | null;
  readonly mailsFailingSince: Date | null;
  readonly backupTriedAt: Date | null;
  readonly backupMadeAt: Date | null;
};

/** Enough tries to take several minutes. */
const TRIES = 5;

/**
 * Reads facts about jobs, emails, and backups.
 *
 * Emails count as failing only if no later email was sent: a single failing email is a problem of its recipient, and the
 * list of receipts shows it.
 */
export async function readJobFacts(db: Kysely<Tables>): Promise<JobFacts> {
  const { rows } = await sql<JobFacts>`
    with mails as (
      select * from pgboss.job where ${isEmailJob}),
    failing as (
      select created_on from mails failed where state = 'retry' and retry_count >= ${TRIES} and not exists (
        select from mails sent where sent.state = 'completed' and sent.completed_on > failed.created_on
          and (sent.output is null or sent.output ->> 'error' is null)))
    select (select min(start_after) from pgboss.job where state = 'created' and start_after <= now()) as "oldestDueAt",
      (select min(created_on) from failing) as "mailsFailingSince",
      (select max(started_at) from backups where due_at is not null) as "backupTriedAt",
      (select max(finished_at) from backups where file is not null) as "backupMadeAt"`.execute(db);
  return rows[0] ?? { oldestDueAt: null, mailsFailingSince: null, backupTriedAt: null, backupMadeAt: null };
}
