import path from 'node:path';
import type { Config } from '#server/config.ts';
import type { Database } from '#server/db/connection.ts';
import { openBackupStorage } from '#server/gateways/backup-storage.ts';
import type { Log } from '#server/log.ts';
import type { BackupDeps } from './make-backup.ts';

type Settings = Pick<Config, 'backup' | 's3' | 'dataDir'>;

/** @returns the dependencies of a backup; undefined if backups aren't set up */
export function createBackupDeps(
  { backup, s3, dataDir }: Settings,
  db: Database,
  now: () => Date,
  log: Log,
): BackupDeps | undefined {
  if (!backup) return undefined;
  const pictures = s3 ? undefined : path.join(dataDir, 'pictures');
  return { db, storage: openBackupStorage(backup.to), secret: backup.secret, pictures, now, log };
}
