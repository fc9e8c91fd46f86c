import fs from 'node:fs/promises';
import path from 'node:path';
import { backupName, type KeepRule, outdatedBackups } from '#domain/backups.ts';
import type { Database } from '#server/db/connection.ts';
import { newId } from '#server/db/new-id.ts';
import type { BackupPlace } from '#server/gateways/backup-places.ts';
import type { Log } from '#server/log.ts';
import { failureText } from '#server/program/failure-text.ts';
import { writeBackupFile } from './backup-file.ts';
import type { BackupRecord } from './backup-record.ts';
import { beginBackup, endBackup, stillMaking } from './backups.store.ts';
import { readDatabase } from './database-copy.store.ts';

export type BackupDeps = {
  readonly db: Database;
  readonly place: BackupPlace;
  readonly secret: string | undefined;
  readonly keep: KeepRule;
  /** Of the pictures; undefined where they are in a bucket, which keeps them by itself. */
  readonly pictures: string | undefined;
  readonly now: () => Date;
  readonly log: Log;
};

export type MadeBackup = { readonly file: string; readonly bytes: number; readonly removed: number };

/** Makes a backup now, while the program runs. @throws why it could not be made */
export async function makeBackup(deps: BackupDeps, signal?: AbortSignal): Promise<MadeBackup> {
  const id = newId();
  await beginBackup(deps.db.kysely, id, deps.now());
  return makeBegun(deps, id, signal);
}

const SEEN_EVERY_MS = 60_000;

/** The same for one that is begun, and records what becomes of it. */
export async function makeBegun(deps: BackupDeps, id: string, signal?: AbortSignal): Promise<MadeBackup> {
  const { db, now, log, secret } = deps;
  const seen = setInterval(() => void stillMaking(db.kysely, id, now()).catch(() => {}), SEEN_EVERY_MS).unref();
  try {
    const made = await keepAndClear(deps, signal);
    const { file, bytes } = made;
    await endBackup(db.kysely, id, now(), { file, bytes, encrypted: secret !== undefined });
    log.info({ file, bytes }, 'a backup was made');
    return made;
  } catch (err) {
    log.error({ err }, 'a backup could not be made');
    await endBackup(db.kysely, id, now(), { problem: problemOf(err) }).catch(() => {});
    throw err;
  } finally {
    clearInterval(seen);
  }
}

const LONGEST_PROBLEM = 300;

function problemOf(error: unknown): string {
  return failureText(error).slice(0, LONGEST_PROBLEM);
}

async function keepAndClear(deps: BackupDeps, signal: AbortSignal | undefined): Promise<MadeBackup> {
  const { place, secret, now } = deps;
  const name = backupName(now());
  const draft = await place.draftOf(name);
  try {
    const bytes = await writeBackupFile(draft, recordsOf(deps), { secret, signal });
    await place.keep(draft, name, signal);
    return { file: place.addressOf(name), bytes, removed: await removeOutdated(deps) };
  } catch (error) {
    await place.drop(draft);
    throw signal?.aborted ? signal.reason : error;
  }
}

/** Nothing of it that fails makes the backup fail: what is old stays a day longer. */
async function removeOutdated({ place, keep, now, log }: BackupDeps): Promise<number> {
  try {
    const outdated = outdatedBackups(await place.list(), keep, now());
    for (const name of outdated) await place.remove(name);
    return outdated.length;
  } catch (err) {
    log.warn({ err }, 'old backups could not be removed');
    return 0;
  }
}

/** Everything of the database and, where a folder has them, the pictures. */
export async function* recordsOf({
  db,
  pictures,
  now,
}: Pick<BackupDeps, 'db' | 'pictures' | 'now'>): AsyncGenerator<BackupRecord> {
  const sums = yield* readDatabase(db, now());
  const files = pictures === undefined ? { files: 0, fileBytes: 0 } : yield* picturesIn(pictures);
  yield { end: { ...sums, ...files } };
}

/** Share images are painted again when they are asked for, and the mark of the folder is its own. */
const NOT_COPIED = /^cards(?:\/|$)|^\.|\.part$/;

/** After the database, so that none is missing that it knows; one that was deleted meanwhile nobody misses. */
async function* picturesIn(folder: string): AsyncGenerator<BackupRecord, { files: number; fileBytes: number }> {
  const entries = await fs.readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  let [files, fileBytes] = [0, 0];
  for (const entry of entries.filter((each) => each.isFile())) {
    const file = path.relative(folder, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/');
    if (NOT_COPIED.test(file)) continue;
    const content = await fs.readFile(path.join(folder, file)).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw error;
    });
    if (!content) continue;
    files += 1;
    fileBytes += content.length;
    yield { file, content };
  }
  return { files, fileBytes };
}
