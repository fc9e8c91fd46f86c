import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { backupTime } from '#domain/backups.ts';
import type { Config } from '#server/config.ts';
import { openBackupPlace } from '#server/gateways/backup-places.ts';

/** Runs `work` on a backup. @param named a file, the name of a backup in BACKUP_TO, or `latest` */
export async function withBackup<T>(
  named: string,
  { backup }: Config,
  work: (file: string, address: string) => Promise<T>,
): Promise<T> {
  const stats = await fs.stat(named).catch(() => undefined);
  if (stats?.isDirectory()) throw new Error(`${named} is a folder. Name a backup in it.`);
  if (stats) return work(named, path.resolve(named));
  if (!backup) throw new Error(`There is no file ${named}, and BACKUP_TO does not say where else backups are.`);
  const place = openBackupPlace(backup.to);
  const names = (await place.list()).filter((name) => backupTime(name)).toSorted();
  const name = named === 'latest' ? names.at(-1) : names.find((each) => each === named);
  if (name === undefined) throw new Error(`There is no backup ${place.addressOf(named === 'latest' ? '' : named)}.`);
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'fund-restore-'));
  try {
    await place.copyTo(name, path.join(folder, name));
    return await work(path.join(folder, name), place.addressOf(name));
  } finally {
    await fs.rm(folder, { recursive: true, force: true });
  }
}
