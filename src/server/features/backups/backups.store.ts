import { type Insertable, type Kysely, sql } from 'kysely';
import type { Tables } from '#server/db/tables.ts';

/** Records a backup that somebody asked for. */
export async function beginBackup(db: Kysely<Tables>, id: string, now: Date): Promise<void> {
  await db.insertInto('backups').values({ id, due_at: null, started_at: now, seen_at: now }).execute();
}

export async function addDrill(db: Kysely<Tables>, drill: Insertable<Tables['drills']>): Promise<void> {
  await db.insertInto('drills').values(drill).execute();
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
