import { type Kysely, sql } from 'kysely';
import { ATTEMPTS_BEFORE_ATTENTION } from '#domain/health-checks.ts';
import type { OperationEvent } from '#server/db/column-types.ts';
import type { Tables } from '#server/db/tables.ts';
import { isEmailJob } from '#server/jobs/define-job.ts';

type Occurrence = { readonly at: Date; readonly count: number };
/** The last occurrence of each event. */
export type OperationEvents = ReadonlyMap<OperationEvent, Occurrence>;

/** Adds to the event's count. @param count number of occurrences since the last call */
export async function countOperationEvent(
  db: Kysely<Tables>,
  name: OperationEvent,
  at: Date,
  count: number,
): Promise<void> {
  await sql`
    insert into operation_events as e (name, at, count) values (${name}, ${at}, ${count})
    on conflict (name) do update set at = greatest(e.at, excluded.at), count = e.count + excluded.count`.execute(db);
}

/** Replaces the event's time and count. */
export async function recordOperationEvent(
  db: Kysely<Tables>,
  name: OperationEvent,
  at: Date,
  count = 0,
): Promise<void> {
  await db
    .insertInto('operation_events')
    .values({ name, at, count })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ at, count }))
    .execute();
}

/** Sets the event's time if it is older than `before`. @returns whether it was set; true for one process only */
export async function claimOperationEvent(
  db: Kysely<Tables>,
  name: OperationEvent,
  at: Date,
  before: Date,
): Promise<boolean> {
  const { rows } = await sql`
    insert into operation_events as e (name, at) values (${name}, ${at})
    on conflict (name) do update set at = excluded.at where e.at < ${before}
    returning name`.execute(db);
  return rows.length > 0;
}

/** Deletes an event with a time in the future, which was recorded while the clock was ahead. */
export async function deleteFutureOperationEvent(db: Kysely<Tables>, name: OperationEvent, now: Date): Promise<void> {
  await db.deleteFrom('operation_events').where('name', '=', name).where('at', '>', now).execute();
}

export async function readOperationEvents(db: Kysely<Tables>): Promise<OperationEvents> {
  const rows = await db.selectFrom('operation_events').selectAll().execute();
  return new Map(rows.map(({ name, at, count }) => [name, { at, count }]));
}

/** Returns the event for a comparison with the provider. The event's count is the number of differences. */
export function getComparisonEvent(livemode: boolean): OperationEvent {
  return livemode ? 'provider-compared-live' : 'provider-compared-test';
}

/** Returns whether payments move real money. The program stores this at its first start. */
export async function readLivemode(db: Kysely<Tables>): Promise<boolean> {
  const mode = await db.selectFrom('payment_mode').select('livemode').executeTakeFirst();
  return mode?.livemode ?? false;
}

export type JobFigures = {
  /** Jobs that are running, ready to start, or waiting for a retry. */
  readonly pendingCount: number;
  readonly oldestAt: Date | null;
  readonly oldestName: string | null;
  /** Emails from the last seven days that permanently failed or were rejected by a mail server. */
  readonly failedEmailCount: number;
  readonly lastEmailFailedAt: Date | null;
};

const NO_JOBS: JobFigures = {
  pendingCount: 0,
  oldestAt: null,
  oldestName: null,
  failedEmailCount: 0,
  lastEmailFailedAt: null,
};

/** Counts jobs, except those scheduled for later. The queue keeps finished jobs for seven days. */
export async function readJobFigures(db: Kysely<Tables>): Promise<JobFigures> {
  const { rows: queues } = await sql`select where to_regclass('pgboss.job') is not null`.execute(db);
  // The queue's tables don't exist before the program's first start.
  if (queues.length === 0) return NO_JOBS;
  const { rows } = await sql<JobFigures>`
    with waiting as (
      select name, created_on from pgboss.job
      where state in ('retry', 'active') or (state = 'created' and start_after <= now())),
    failed as (
      select completed_on from pgboss.job
      where ${isEmailJob}
        and (state = 'failed' or (state = 'completed' and output ->> 'error' = 'EmailRejectedError')))
    select (select count(*)::int from waiting) as "pendingCount",
      (select min(created_on) from waiting) as "oldestAt",
      (select name from waiting order by created_on limit 1) as "oldestName",
      (select count(*)::int from failed) as "failedEmailCount",
      (select max(completed_on) from failed) as "lastEmailFailedAt"`.execute(db);
  return rows[0] ?? NO_JOBS;
}

export type PaymentFigures = {
  /** Checkouts with an open payment page or a pending payment. */
  readonly unsettledCheckouts: number;
  /** Unsettled checkouts that the provider should have settled by now. */
  readonly overdueCheckouts: number;
  /** Stored events of the provider that aren't applied yet. */
  readonly pendingEvents: number;
  /** When the oldest pending event arrived, except events that need attention. */
  readonly oldestReportAt: Date | null;
  /** Payments that need attention. */
  readonly openAttentionCount: number;
};

/** Reads payment figures. Unpaid and processing checkouts created before the given times are overdue. */
export async function readPaymentFigures(
  db: Kysely<Tables>,
  { unpaidSince, processingSince }: { readonly unpaidSince: Date; readonly processingSince: Date },
): Promise<PaymentFigures> {
  const { rows } = await sql<PaymentFigures>`
    with open as (
      select created_at < case payment_status when 'unpaid' then ${unpaidSince}::timestamptz
        else ${processingSince}::timestamptz end as overdue
      from checkouts where payment_status in ('unpaid', 'processing') and provider_session_id is not null)
    select (select count(*)::int from open) as "unsettledCheckouts",
      (select count(*)::int from open where overdue) as "overdueCheckouts",
      (select count(*)::int from provider_events where outcome = 'pending') as "pendingEvents",
      (select min(created_at) from provider_events
        where outcome = 'pending' and errors < ${ATTEMPTS_BEFORE_ATTENTION}) as "oldestReportAt",
      (select count(*)::int from attention_items where resolved_at is null) as "openAttentionCount"`.execute(db);
  return (
    rows[0] ?? {
      unsettledCheckouts: 0,
      overdueCheckouts: 0,
      pendingEvents: 0,
      oldestReportAt: null,
      openAttentionCount: 0,
    }
  );
}

/** @returns whether the program takes live payments and one was made before this time */
export async function hasLivePaymentBefore(db: Kysely<Tables>, time: Date): Promise<boolean> {
  const { rows } = await sql`
    select from payments where livemode and charged_at < ${time} and (select livemode from payment_mode) limit 1`.execute(
    db,
  );
  return rows.length > 0;
}

export type DrillFigures = {
  /** When the last successful drill ended. */
  readonly succeededAt: Date | null;
  /** When the backup of that drill was started. */
  readonly backupAt: Date | null;
  /** Duration of that drill. */
  readonly seconds: number | null;
  /** When a later drill failed, and why. */
  readonly failedAt: Date | null;
  readonly problem: string | null;
};

export async function readDrillFigures(db: Kysely<Tables>): Promise<DrillFigures> {
  const drills = db.selectFrom('restore_drills').selectAll().orderBy('ended_at', 'desc');
  const lastSuccess = await drills.where('problem', 'is', null).executeTakeFirst();
  const lastDrill = await drills.executeTakeFirst();
  return {
    succeededAt: lastSuccess?.ended_at ?? null,
    backupAt: lastSuccess?.backup_at ?? null,
    seconds: lastSuccess?.seconds ?? null,
    failedAt: lastDrill?.problem == null ? null : lastDrill.ended_at,
    problem: lastDrill?.problem ?? null,
  };
}

export type BackupFigures = {
  /** When the last complete backup was made. */
  readonly madeAt: Date | null;
  /** When a later backup failed. */
  readonly failedAt: Date | null;
};

export async function readBackupFigures(db: Kysely<Tables>): Promise<BackupFigures> {
  const { rows } = await sql<BackupFigures>`
    with last_success as (select max(finished_at) as at from backups where file is not null)
    select last_success.at as "madeAt", (select max(finished_at) from backups
      where problem is not null and finished_at > coalesce(last_success.at, '-infinity')) as "failedAt"
    from last_success`.execute(db);
  return rows[0] ?? { madeAt: null, failedAt: null };
}
