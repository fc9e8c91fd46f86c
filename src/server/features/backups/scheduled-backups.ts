import { lastDue } from '#domain/backups.ts';
import { newId } from '#server/ids.ts';
import { type Repeated, repeat } from '#server/jobs/repeat.ts';
import { takeDueBackup } from './backups.store.ts';
import { type BackupDeps, makeBegun } from './make-backup.ts';

const LOOK_EVERY_MS = 60_000;

/**
 * Makes the backup that is due, unless another process has taken it or it is made. One that was missed while the program did
 * not run is made at its next start; one that failed is tried again.
 * @param minute of the day, in UTC
 */
export async function makeDueBackup(deps: BackupDeps, minute: number, signal?: AbortSignal): Promise<void> {
  const now = deps.now();
  const id = await takeDueBackup(deps.db.kysely, newId(), lastDue(minute, now), now);
  if (id !== undefined) await makeBegun(deps, id, signal);
}

/** @param minute of the day, in UTC; undefined: none is made by itself */
export function startBackups(deps: BackupDeps, minute: number | undefined): Repeated {
  const stopping = new AbortController();
  const make = async () => {
    // Logged where it failed.
    if (minute !== undefined) await makeDueBackup(deps, minute, stopping.signal).catch(() => {});
  };
  const repeated = repeat(make, { firstMs: LOOK_EVERY_MS, everyMs: LOOK_EVERY_MS });
  return {
    stop: () => {
      stopping.abort(new Error('The program was stopped.'));
      return repeated.stop();
    },
  };
}
