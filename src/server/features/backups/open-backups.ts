import path from 'node:path';
import type { Config } from '#server/config.ts';
import type { Database, Log } from '#server/db/connection.ts';
import { openBackupPlace } from '#server/gateways/backup-places.ts';
import type { Repeated } from '#server/jobs/repeat.ts';
import type { BackupDeps } from './make-backup.ts';
import { answerBackupRequests, answerDrillReports, startBackups } from './scheduled-backups.ts';

type Settings = Pick<Config, 'backup' | 's3' | 'dataDir'>;

/** The socket by which the program on the embedded database is asked for a backup. */
export function backupSocket(dataDir: string): string {
  return path.join(dataDir, 'backup.sock');
}

/** The one by which it is told of a drill. */
export function drillSocket(dataDir: string): string {
  return path.join(dataDir, 'drill.sock');
}

/** What a backup needs; undefined where the settings say nothing of backups. */
export function backupDeps(
  { backup, s3, dataDir }: Settings,
  db: Database,
  now: () => Date,
  log: Log,
): BackupDeps | undefined {
  if (!backup) return undefined;
  const pictures = s3 ? undefined : path.join(dataDir, 'pictures');
  return { db, place: openBackupPlace(backup.to), secret: backup.secret, keep: backup.keep, pictures, now, log };
}

/** Makes backups at their time, and when `npm run backup` asks for one. */
export async function openBackups(settings: Settings, db: Database, now: () => Date, log: Log): Promise<Repeated> {
  const deps = backupDeps(settings, db, now, log);
  if (!deps) return { stop: async () => {} };
  const { dataDir } = settings;
  const answering =
    db.engine === 'embedded'
      ? [await answerBackupRequests(deps, backupSocket(dataDir)), await answerDrillReports(deps, drillSocket(dataDir))]
      : [];
  const repeated = startBackups(deps, settings.backup?.at);
  return { stop: async () => void (await Promise.all([repeated.stop(), ...answering.map((each) => each?.stop())])) };
}
