import { lastBackupDue } from '#domain/backups.ts';
import { newId } from '#server/db/new-id.ts';
import { defineRecurringJob } from '#server/jobs/define-job.ts';
import { claimDueBackup } from './backups.store.ts';
import { type BackupDeps, runBackup } from './make-backup.ts';

const CHECK_INTERVAL_MS = 60_000;

/**
 * Makes the latest nightly backup, unless it is complete or another process is making it. Retries a failed backup, and
 * catches up on a backup that was missed because the program wasn't running.
 */
export async function makeDueBackup(deps: BackupDeps, signal?: AbortSignal): Promise<void> {
  const now = deps.now();
  const id = await claimDueBackup(deps.db.kysely, newId(), lastBackupDue(now), now);
  if (id !== undefined) await runBackup(deps, id, signal);
}

export const makeDueBackupJob = defineRecurringJob({
  name: 'make-due-backup',
  initialDelayMs: CHECK_INTERVAL_MS,
  intervalMs: CHECK_INTERVAL_MS,
  isExclusive: false,
  async run({ backups }: { readonly backups: BackupDeps | undefined }, signal) {
    // runBackup has already logged the failure.
    if (backups) await makeDueBackup(backups, signal).catch(() => {});
  },
});
