import fs from 'node:fs/promises';
import path from 'node:path';
import { backupName, outdatedBackups } from '#domain/backups.ts';
import type { Database } from '#server/db/connection.ts';
import { newId } from '#server/db/new-id.ts';
import type { BackupStorage } from '#server/gateways/backup-storage.ts';
import type { Log } from '#server/log.ts';
import { formatFailure } from '#server/process/failure-text.ts';
import { writeBackupFile } from './backup-file.ts';
import type { BackupRecord } from './backup-record.ts';
import { insertBackup, recordBackupOutcome, recordHeartbeat } from './backups.store.ts';
import { readDatabase } from './database-copy.store.ts';

export type BackupDeps = {
  readonly db: Database;
  readonly storage: BackupStorage;
  readonly secret: string | undefined;
  /** Picture folder; undefined if pictures are in a bucket, which isn't backed up. */
  readonly pictures: string | undefined;
  readonly now: () => Date;
  readonly log: Log;
};

export type BackupResult = { readonly file: string; readonly bytes: number; readonly removedCount: number };

/** Makes a backup while the program runs. @throws if the backup fails */
export async function makeBackup(deps: BackupDeps, signal?: AbortSignal): Promise<BackupResult> {
  const id = newId();
  await insertBackup(deps.db.kysely, id, deps.now());
  return runBackup(deps, id, signal);
}

const HEARTBEAT_INTERVAL_MS = 60_000;

/** Makes a backup that already has a row, and records its result there. @throws if the backup fails */
export async function runBackup(deps: BackupDeps, id: string, signal?: AbortSignal): Promise<BackupResult> {
  const { db, now, log, secret } = deps;
  const timer = setInterval(
    () => void recordHeartbeat(db.kysely, id, now()).catch(() => {}),
    HEARTBEAT_INTERVAL_MS,
  ).unref();
  try {
    const backup = await storeBackup(deps, signal);
    const { file, bytes } = backup;
    await recordBackupOutcome(db.kysely, id, now(), { file, bytes, encrypted: secret !== undefined });
    log.info({ file, bytes }, 'a backup was made');
    return backup;
  } catch (err) {
    log.error({ err }, 'a backup failed');
    await recordBackupOutcome(db.kysely, id, now(), { problem: describeProblem(err) }).catch(() => {});
    throw err;
  } finally {
    clearInterval(timer);
  }
}

const MAX_PROBLEM_LENGTH = 300;

function describeProblem(error: unknown): string {
  return formatFailure(error).slice(0, MAX_PROBLEM_LENGTH);
}

async function storeBackup(deps: BackupDeps, signal: AbortSignal | undefined): Promise<BackupResult> {
  const { storage, secret, now } = deps;
  const name = backupName(now());
  const draft = await storage.createDraftPath(name);
  try {
    const bytes = await writeBackupFile(draft, readBackupRecords(deps), { secret, signal });
    await storage.storeDraft(draft, name, signal);
    return { file: storage.getAddress(name), bytes, removedCount: await removeOutdated(deps) };
  } catch (error) {
    await storage.discardDraft(draft);
    throw signal?.aborted ? signal.reason : error;
  }
}

/** Removes outdated backups. A failure here doesn't fail the new backup; the next one tries again. */
async function removeOutdated({ storage, now, log }: BackupDeps): Promise<number> {
  try {
    const outdatedNames = outdatedBackups(await storage.list(), now());
    for (const name of outdatedNames) await storage.remove(name);
    return outdatedNames.length;
  } catch (err) {
    log.warn({ err }, 'old backups could not be removed');
    return 0;
  }
}

/** Reads the records of a new backup: the database and, if they are in a folder, the pictures. */
export async function* readBackupRecords({
  db,
  pictures,
  now,
}: Pick<BackupDeps, 'db' | 'pictures' | 'now'>): AsyncGenerator<BackupRecord> {
  const sums = yield* readDatabase(db, now());
  const files = pictures === undefined ? { files: 0, fileBytes: 0 } : yield* readPictures(pictures);
  yield { end: { ...sums, ...files } };
}

/** The folder's marker file and partial files. */
const EXCLUDED_FILES = /^\.|\.part$/;

/** Reads the pictures after the database, so that the backup has every picture in the database, except deleted ones. */
async function* readPictures(folder: string): AsyncGenerator<BackupRecord, { files: number; fileBytes: number }> {
  let [files, fileBytes] = [0, 0];
  for await (const file of listPictureFiles(folder)) {
    const content = await fs.readFile(path.join(folder, file)).catch(undefinedIfMissing);
    if (!content) continue;
    files += 1;
    fileBytes += content.length;
    yield { file, content };
  }
  return { files, fileBytes };
}

/**
 * Lists the files in a folder and its subfolders, relative to the folder. A folder may be missing if there are no pictures
 * yet or a picture was just deleted. Any other error is thrown, because pictures would be missing from the backup.
 */
async function* listPictureFiles(folder: string, subfolder = ''): AsyncGenerator<string> {
  const entries = await fs.readdir(path.join(folder, subfolder), { withFileTypes: true }).catch(undefinedIfMissing);
  for (const entry of entries ?? []) {
    const file = path.posix.join(subfolder, entry.name);
    if (EXCLUDED_FILES.test(file)) continue;
    if (entry.isDirectory()) yield* listPictureFiles(folder, file);
    else if (entry.isFile()) yield file;
  }
}

function undefinedIfMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
