import type { Stats } from 'node:fs';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { parseBackupTime } from '#domain/backups.ts';
import type { Config } from '#server/config.ts';
import { getCurrentUserName } from '#server/features/operation/check-machine.ts';
import { openBackupStorage } from '#server/gateways/backup-storage.ts';
import { errorLabel } from '#server/gateways/check.ts';

/** Runs `work` on a backup. @param backupName a file, the name or URL of a backup in BACKUP_TO, or `latest` */
export async function withBackup<T>(
  backupName: string,
  { backup }: Config,
  work: (file: string, address: string) => Promise<T>,
): Promise<T> {
  const stats = await findFile(backupName);
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

/**
 * @returns undefined if there is no such file
 * @throws Error with a message for the operator if the file can't be read
 */
async function findFile(name: string): Promise<Stats | undefined> {
  try {
    const stats = await fs.stat(name);
    await fs.access(name, fs.constants.R_OK);
    return stats;
  } catch (error) {
    const code = errorLabel(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new Error(
      `${getCurrentUserName()} can’t read ${path.resolve(name)} (${code}). Copy the file to ${process.cwd()}, and change the copy’s owner with chown.`,
    );
  }
}
