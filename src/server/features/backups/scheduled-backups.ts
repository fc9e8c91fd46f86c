import { lastDue } from '#domain/backups.ts';
import { newId } from '#server/db/new-id.ts';
import { defineRecurringJob } from '#server/jobs/define-job.ts';
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

/** `minute` of the day in UTC. If undefined, the program makes no backups. */
export type BackupSchedule = { readonly deps: BackupDeps; readonly minute: number | undefined };

export const scheduledBackups = defineRecurringJob({
  name: 'make-due-backup',
  firstMs: LOOK_EVERY_MS,
  everyMs: LOOK_EVERY_MS,
  isExclusive: false,
  async run({ backups }: { readonly backups: BackupSchedule | undefined }, signal) {
    // A failure is logged where it happens.
    if (backups?.minute !== undefined) await makeDueBackup(backups.deps, backups.minute, signal).catch(() => {});
  },
});
