import { type Insertable, type Kysely, sql } from 'kysely';
import type { Tables } from '#server/db/tables.ts';

/** Records the start of a backup that the operator requested. */
export async function insertBackup(db: Kysely<Tables>, id: string, now: Date): Promise<void> {
  await db.insertInto('backups').values({ id, due_at: null, started_at: now, heartbeat_at: now }).execute();
}

export async function insertDrill(db: Kysely<Tables>, drill: Insertable<Tables['restore_drills']>): Promise<void> {
  await db.insertInto('restore_drills').values(drill).execute();
}

const MAX_ATTEMPTS = 3;
/** Time between a failed attempt, or the last heartbeat of the backup's process, and the next attempt. */
const RETRY_AFTER_SECONDS = 600;

/**
 * Claims the backup that is scheduled for a time, unless it is complete or another process is making it.
 * @returns the backup's id; undefined if there is nothing to do
 */
export async function claimDueBackup(
  db: Kysely<Tables>,
  newId: string,
  dueAt: Date,
  now: Date,
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    insert into backups (id, due_at, started_at, heartbeat_at) values (${newId}, ${dueAt}, ${now}, ${now})
    on conflict (due_at) do update set
      attempts = backups.attempts + 1, started_at = excluded.started_at, heartbeat_at = excluded.heartbeat_at,
      finished_at = null, problem = null
    where backups.file is null and backups.attempts < ${MAX_ATTEMPTS}
      and coalesce(backups.finished_at, backups.heartbeat_at) < ${now}::timestamptz - ${RETRY_AFTER_SECONDS} * interval '1 second'
    returning id`.execute(db);
  return rows[0]?.id;
}

/** Records that the backup's process is still alive. */
export async function recordHeartbeat(db: Kysely<Tables>, id: string, now: Date): Promise<void> {
  await db.updateTable('backups').set({ heartbeat_at: now }).where('id', '=', id).execute();
}

export async function recordBackupOutcome(
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
