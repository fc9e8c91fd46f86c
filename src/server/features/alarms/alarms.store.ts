import { type Kysely, sql, type Transaction } from 'kysely';
import { type AlarmState, NO_ALARM } from '#domain/alarms.ts';
import type { Tables } from '#server/db/tables.ts';
import { isEmailJob } from '#server/jobs/define-job.ts';

/** Locks the alarm until the transaction ends, so that processes that look at the same time mail it once. */
export async function lockedAlarm(tx: Transaction<Tables>, name: string): Promise<AlarmState> {
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

export async function alarmsThatAreOn(db: Kysely<Tables>): Promise<string[]> {
  const rows = await db.selectFrom('alarms').select('name').where('is_on', '=', true).orderBy('name').execute();
  return rows.map(({ name }) => name);
}

export type WorkFacts = {
  readonly oldestDueAt: Date | null;
  readonly mailsFailingSince: Date | null;
  readonly backupTriedAt: Date | null;
  readonly backupMadeAt: Date | null;
};

/** A mail that was tried so often waited for minutes. */
const TRIES = 5;

/** A mail that fails while others are sent is its recipient's trouble, and listed with the receipts. */
export async function workFacts(db: Kysely<Tables>): Promise<WorkFacts> {
  const { rows } = await sql<WorkFacts>`
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
