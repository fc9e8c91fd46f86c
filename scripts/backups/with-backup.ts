import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { parseBackupTime } from '#domain/backups.ts';
import type { Config } from '#server/config.ts';
import { openBackupStorage } from '#server/gateways/backup-storage.ts';

/** Runs `work` on a backup. @param backupName a file, the name or URL of a backup in BACKUP_TO, or `latest` */
export async function withBackup<T>(
  backupName: string,
  { backup }: Config,
  work: (file: string, address: string) => Promise<T>,
): Promise<T> {
  const stats = await fs.stat(backupName).catch(() => undefined);
  if (stats?.isDirectory()) throw new Error(`${backupName} is a folder. Specify a backup in that folder.`);
  if (stats) return work(backupName, path.resolve(backupName));
  if (!backup) throw new Error(`There is no file ${backupName}, and BACKUP_TO is not set.`);
  const storage = openBackupStorage(backup.to);
  const isAddress = backupName.startsWith('s3://');
  const names = (await storage.list()).filter((name) => parseBackupTime(name)).toSorted();
  const name =
    backupName === 'latest'
      ? names.at(-1)
      : names.find((candidate) => candidate === backupName || storage.getAddress(candidate) === backupName);
  if (name === undefined)
    throw new Error(
      `There is no backup ${isAddress ? backupName : storage.getAddress(backupName === 'latest' ? '' : backupName)}.`,
    );
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'fund-restore-'));
  try {
    await storage.copyTo(name, path.join(folder, name));
    return await work(path.join(folder, name), storage.getAddress(name));
  } finally {
    await fs.rm(folder, { recursive: true, force: true });
  }
}
