import { type Kysely, sql } from 'kysely';
import type { OperationMark } from '#server/db/column-types.ts';
import type { Tables } from '#server/db/tables.ts';
import { isEmailJob } from '#server/jobs/define-job.ts';

export type Mark = { readonly at: Date; readonly count: number };
export type Marks = ReadonlyMap<OperationMark, Mark>;

/** @param count how often it happened since it was last marked, which is added up */
export async function addToMark(db: Kysely<Tables>, name: OperationMark, at: Date, count: number): Promise<void> {
  await sql`
    insert into operation_marks as m (name, at, count) values (${name}, ${at}, ${count})
    on conflict (name) do update set at = greatest(m.at, excluded.at), count = m.count + excluded.count`.execute(db);
}

/** @param count the result, which replaces the one before */
export async function setMark(db: Kysely<Tables>, name: OperationMark, at: Date, count = 0): Promise<void> {
  await db
    .insertInto('operation_marks')
    .values({ name, at, count })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ at, count }))
    .execute();
}

/** Marks it unless that was done since `notSince`. @returns whether it was: true for one process only */
export async function claimMark(db: Kysely<Tables>, name: OperationMark, at: Date, notSince: Date): Promise<boolean> {
  const { rows } = await sql`
    insert into operation_marks as m (name, at) values (${name}, ${at})
    on conflict (name) do update set at = excluded.at where m.at < ${notSince}
    returning name`.execute(db);
  return rows.length > 0;
}

export async function readMarks(db: Kysely<Tables>): Promise<Marks> {
  const rows = await db.selectFrom('operation_marks').selectAll().execute();
  return new Map(rows.map(({ name, at, count }) => [name, { at, count }]));
}

export type JobFigures = {
  /** That may begin, or failed and are tried again. */
  readonly waiting: number;
  readonly oldestAt: Date | null;
  readonly oldestName: string | null;
  /** Mails of the last seven days that were given up, or refused by a mail server for good. */
  readonly mailsFailed: number;
  readonly mailFailedAt: Date | null;
};

const NO_JOBS: JobFigures = { waiting: 0, oldestAt: null, oldestName: null, mailsFailed: 0, mailFailedAt: null };

/** Jobs that were asked for a later time do not wait yet. Those that ended are kept for seven days. */
export async function jobFigures(db: Kysely<Tables>): Promise<JobFigures> {
  const { rows: queues } = await sql`select where to_regclass('pgboss.job') is not null`.execute(db);
  // The program has never started.
  if (queues.length === 0) return NO_JOBS;
  const { rows } = await sql<JobFigures>`
    with waiting as (
      select name, created_on from pgboss.job
      where state in ('retry', 'active') or (state = 'created' and start_after <= now())),
    failed as (
      select completed_on from pgboss.job
      where ${isEmailJob}
        and (state = 'failed' or (state = 'completed' and output ->> 'error' = 'MailRefused')))
    select (select count(*)::int from waiting) as waiting,
      (select min(created_on) from waiting) as "oldestAt",
      (select name from waiting order by created_on limit 1) as "oldestName",
      (select count(*)::int from failed) as "mailsFailed",
      (select max(completed_on) from failed) as "mailFailedAt"`.execute(db);
  return rows[0] ?? NO_JOBS;
}

export type PaymentFigures = {
  /** Checkouts whose payment page was opened and whose payment is neither made nor over. */
  readonly unsettled: number;
  /** Of these, those that the provider should have settled by now. */
  readonly overdue: number;
  readonly oldestOverdueAt: Date | null;
  /** Reports of the provider that are stored and not applied. */
  readonly reports: number;
  readonly oldestReportAt: Date | null;
  /** Payments that wait for a person. */
  readonly attention: number;
};

/** @param unpaidSince unpaid checkouts opened earlier are overdue; @param processingSince those in progress likewise */
export async function paymentFigures(
  db: Kysely<Tables>,
  { unpaidSince, processingSince }: { readonly unpaidSince: Date; readonly processingSince: Date },
): Promise<PaymentFigures> {
  const { rows } = await sql<PaymentFigures>`
    with open as (
      select created_at, created_at < case payment_status when 'unpaid' then ${unpaidSince}::timestamptz
        else ${processingSince}::timestamptz end as overdue
      from checkouts where payment_status in ('unpaid', 'processing') and provider_session_id is not null)
    select (select count(*)::int from open) as unsettled,
      (select count(*)::int from open where overdue) as overdue,
      (select min(created_at) from open where overdue) as "oldestOverdueAt",
      (select count(*)::int from provider_events where outcome = 'pending') as reports,
      (select min(created_at) from provider_events where outcome = 'pending') as "oldestReportAt",
      (select count(*)::int from attention_items where settled_at is null) as attention`.execute(db);
  return rows[0] ?? { unsettled: 0, overdue: 0, oldestOverdueAt: null, reports: 0, oldestReportAt: null, attention: 0 };
}

export type DrillFigures = {
  /** When a backup was last restored without a difference, when that backup was begun, and how long it took. */
  readonly provenAt: Date | null;
  readonly backupAt: Date | null;
  readonly seconds: number | null;
  /** When a later one failed, and why. */
  readonly failedAt: Date | null;
  readonly problem: string | null;
};

export async function drillFigures(db: Kysely<Tables>): Promise<DrillFigures> {
  const drills = db.selectFrom('drills').selectAll().orderBy('ended_at', 'desc');
  const proven = await drills.where('problem', 'is', null).executeTakeFirst();
  const last = await drills.executeTakeFirst();
  return {
    provenAt: proven?.ended_at ?? null,
    backupAt: proven?.backup_at ?? null,
    seconds: proven?.seconds ?? null,
    failedAt: last?.problem == null ? null : last.ended_at,
    problem: last?.problem ?? null,
  };
}

export type BackupFigures = {
  /** When the last whole one was made. */
  readonly madeAt: Date | null;
  /** When one failed since. */
  readonly failedAt: Date | null;
};

export async function backupFigures(db: Kysely<Tables>): Promise<BackupFigures> {
  const { rows } = await sql<BackupFigures>`
    with made as (select max(finished_at) as at from backups where file is not null)
    select made.at as "madeAt", (select max(finished_at) from backups
      where problem is not null and finished_at > coalesce(made.at, '-infinity')) as "failedAt"
    from made`.execute(db);
  return rows[0] ?? { madeAt: null, failedAt: null };
}
