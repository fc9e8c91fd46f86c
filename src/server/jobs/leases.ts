import { sql } from 'kysely';
import type { Database } from '#server/db/connection.ts';
import { newId } from '#server/db/new-id.ts';
import { type RepeatedTask, repeat } from './repeat.ts';

/** Time after which the leases of a crashed process expire. */
const LEASE_MS = 15_000;
const RENEWAL_INTERVAL_MS = 5000;
/** Interval at which each process checks whether work is due. */
const CHECK_INTERVAL_MS = 5000;

type Schedule = { readonly initialDelayMs: number; readonly intervalMs: number };

/**
 * Repeats work in only one of the processes that share the database at a time. The schedule is stored in the database.
 * A newly started process runs the work once, as soon as no other process is running it. The work must not throw.
 */
export function repeatExclusively(
  db: Database,
  name: string,
  work: () => Promise<void>,
  schedule: Schedule,
): RepeatedTask {
  const holder = newId();
  let isFirst = true;
  const runIfDue = async () => {
    const hasLease = await takeLease(db, { name, holder, ignoresSchedule: isFirst }).catch(() => false);
    if (!hasLease) return;
    isFirst = false;
    const renewal = setInterval(() => void renewLease(db, name, holder).catch(() => {}), RENEWAL_INTERVAL_MS).unref();
    await work().finally(() => clearInterval(renewal));
    // If this fails, the lease expires.
    await endLease(db, { name, holder, dueInMs: schedule.intervalMs - CHECK_INTERVAL_MS }).catch(() => {});
  };
  return repeat(runIfDue, {
    initialDelayMs: schedule.initialDelayMs,
    intervalMs: Math.min(schedule.intervalMs, CHECK_INTERVAL_MS),
  });
}

const buildTimeAfter = (milliseconds: number) => sql`now() + ${milliseconds} * interval '1 millisecond'`;

type LeaseRequest = { readonly name: string; readonly holder: string; readonly ignoresSchedule?: boolean };

/** @returns whether the holder got the lease */
export async function takeLease(
  { kysely }: Pick<Database, 'kysely'>,
  { name, holder, ignoresSchedule = false }: LeaseRequest,
): Promise<boolean> {
  const isFree = sql`leases.held_until <= now() and (${ignoresSchedule}::boolean or leases.due_at <= now())`;
  // Reads first because, on conflict, PostgreSQL writes a row version even if nothing changes.
  const { rows } = await sql`
    insert into leases (name, holder, held_until, due_at)
    select ${name}, ${holder}, ${buildTimeAfter(LEASE_MS)}, now()
    where not exists (select from leases where name = ${name} and not (${isFree}))
    on conflict (name) do update set holder = excluded.holder, held_until = excluded.held_until where ${isFree}
    returning name`.execute(kysely);
  return rows.length > 0;
}

/** Does nothing if another process has taken over the lease. */
async function renewLease({ kysely }: Pick<Database, 'kysely'>, name: string, holder: string): Promise<void> {
  await sql`update leases set held_until = ${buildTimeAfter(LEASE_MS)} where name = ${name} and holder = ${holder}`.execute(
    kysely,
  );
}

/** @param dueInMs time until the work is due again */
export async function endLease(
  { kysely }: Pick<Database, 'kysely'>,
  { name, holder, dueInMs }: { readonly name: string; readonly holder: string; readonly dueInMs: number },
): Promise<void> {
  await sql`
    update leases set held_until = now(), due_at = ${buildTimeAfter(dueInMs)}
    where name = ${name} and holder = ${holder}`.execute(kysely);
}
