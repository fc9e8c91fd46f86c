import { lastDue } from '#domain/backups.ts';
import { newId } from '#server/db/new-id.ts';
import { defineRecurringJob } from '#server/jobs/define-job.ts';
import { claimDueBackup } from './backups.store.ts';
import { type BackupDeps, runBackup } from './make-backup.ts';

const CHECK_EVERY_MS = 60_000;

/**
 * Makes the latest scheduled backup, unless it is complete or another process is making it. Retries a failed backup, and
 * catches up on a backup that was missed because the program didn't run.
 * @param minute minute of the day, in UTC
 */
export async function makeDueBackup(deps: BackupDeps, minute: number, signal?: AbortSignal): Promise<void> {
  const now = deps.now();
  const id = await claimDueBackup(deps.db.kysely, newId(), lastDue(minute, now), now);
  if (id !== undefined) await runBackup(deps, id, signal);
}

/** `minute` of the day in UTC. If undefined, the program makes no backups. */
export type BackupSchedule = { readonly deps: BackupDeps; readonly minute: number | undefined };

export const scheduledBackups = defineRecurringJob({
  name: 'make-due-backup',
  firstMs: CHECK_EVERY_MS,
  everyMs: CHECK_EVERY_MS,
  isExclusive: false,
  async run({ backups }: { readonly backups: BackupSchedule | undefined }, signal) {
    // runBackup has already logged the failure.
    if (backups?.minute !== undefined) await makeDueBackup(backups.deps, backups.minute, signal).catch(() => {});
  },
});
