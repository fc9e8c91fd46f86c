import { type Kysely, sql } from 'kysely';
import type { Tables } from '#server/db/tables.ts';

export type FinishedBackup = { readonly at: Date; readonly file: string; readonly bytes: number };
export type LastBackups = {
  /** The last one that is whole. */
  readonly made: FinishedBackup | undefined;
  /** Why the last try failed, if it did. */
  readonly problem: { readonly at: Date; readonly problem: string } | undefined;
};

export async function lastBackups(db: Kysely<Tables>): Promise<LastBackups> {
  const latest = db.selectFrom('backups').orderBy('finished_at', 'desc').limit(1);
  const made = await latest
    .select(['finished_at', 'file', 'bytes'])
    .where('file', 'is not', null)
    .where('finished_at', 'is not', null)
    .executeTakeFirst();
  const last = await latest.select(['finished_at', 'problem']).where('finished_at', 'is not', null).executeTakeFirst();
  return {
    made: made && { at: given(made.finished_at), file: given(made.file), bytes: given(made.bytes) },
    problem: last?.problem ? { at: given(last.finished_at), problem: last.problem } : undefined,
  };
}

function given<T>(value: T | null): T {
  if (value === null) throw new Error('A finished backup has all its columns.');
  return value;
}

/** A backup that somebody asked for. A database of an earlier version, which is backed up before its update, notes none. */
export async function beginBackup(db: Kysely<Tables>, id: string, now: Date): Promise<boolean> {
  const { rows } = await sql<{ exists: boolean }>`select to_regclass('public.backups') is not null as exists`.execute(
    db,
  );
  if (rows[0]?.exists !== true) return false;
  await db.insertInto('backups').values({ id, due_at: null, started_at: now, seen_at: now }).execute();
  return true;
}

const MOST_TRIES = 3;
/** After a failure, and after the process that made it was last seen. */
const AGAIN_AFTER_SECONDS = 600;

/**
 * Takes on the backup that was due then, for one process alone: a new one, or one whose last try failed or ended unseen.
 * @returns its id; undefined if nothing is to be done
 */
export async function takeDueBackup(db: Kysely<Tables>, id: string, due: Date, now: Date): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    insert into backups (id, due_at, started_at, seen_at) values (${id}, ${due}, ${now}, ${now})
    on conflict (due_at) do update set
      tries = backups.tries + 1, started_at = excluded.started_at, seen_at = excluded.seen_at,
      finished_at = null, problem = null
    where backups.file is null and backups.tries < ${MOST_TRIES}
      and coalesce(backups.finished_at, backups.seen_at) < ${now}::timestamptz - ${AGAIN_AFTER_SECONDS} * interval '1 second'
    returning id`.execute(db);
  return rows[0]?.id;
}

export async function stillMaking(db: Kysely<Tables>, id: string, now: Date): Promise<void> {
  await db.updateTable('backups').set({ seen_at: now }).where('id', '=', id).execute();
}

export async function endBackup(
  db: Kysely<Tables>,
  id: string,
  now: Date,
  outcome:
    | { readonly file: string; readonly bytes: number; readonly encrypted: boolean }
    | { readonly problem: string },
): Promise<void> {
  await db
    .updateTable('backups')
    .set({ finished_at: now, ...outcome })
    .where('id', '=', id)
    .execute();
}
