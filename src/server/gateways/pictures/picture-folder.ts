import fs from 'node:fs/promises';
import path from 'node:path';
import type { Database } from '#server/db/connection.ts';
import { newId } from '#server/db/new-id.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { failing, ok, type SettingCheck } from '#server/gateways/check.ts';
import { findSecret, getOrCreateSecret } from '#server/gateways/identity/identity.store.ts';
import type { Log } from '#server/log.ts';
import { formatCommandLine } from '#server/process/app-path.ts';

/** Picture names begin with a letter, a digit, `_`, or `-`, so this name can't conflict with one. */
const MARK_FILE = '.folder';
/** Name under which the database stores the mark of its picture folder. */
const MARK_NAME = 'picture-folder';

/** Returns the picture folder to use if no bucket is configured. @param dataDir DATA_DIR */
export function getPictureFolder(dataDir: string): string {
  return path.join(dataDir, 'pictures');
}

const ADVICE =
  'Processes on several machines need a bucket (PICTURES_TO) or one shared folder. If this folder was moved or restored, run ' +
  `“${formatCommandLine('admin adopt-pictures')}”.`;

/**
 * Warns if this process uses a different picture folder than the other processes of its database. The first process marks
 * its folder. Skipped for the embedded database, which has one process.
 */
export async function recordPictureFolder(db: Database, folder: string, log: Log): Promise<void> {
  if (db.isEmbedded) return;
  try {
    if (await hasDatabaseMark(db, folder)) return;
    log.warn({ folder }, `this is not the folder that contains this database’s pictures. ${ADVICE}`);
  } catch (err) {
    log.warn({ err, folder }, 'the picture folder could not be marked');
  }
}

function hasDatabaseMark(db: Database, folder: string): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const newMark = newId();
    // Processes that start concurrently serialize here and read the first one’s mark.
    const storedMark = await getOrCreateSecret(tx, MARK_NAME, (await readMark(folder)) ?? newMark);
    if (storedMark === newMark) await writeMark(folder, newMark);
    return (await readMark(folder)) === storedMark;
  });
}

/** Marks a folder as the picture folder of the database. */
export async function adoptPictureFolder(db: Database, folder: string): Promise<void> {
  const mark = (await readMark(folder)) ?? newId();
  await writeMark(folder, await getOrCreateSecret(db.kysely, MARK_NAME, mark));
}

/** Checks that the folder has the database's mark. Changes nothing. */
export async function checkPictureFolder(db: Database, folder: string): Promise<SettingCheck> {
  const subject = 'Pictures';
  const storedMark = await findSecret(db.kysely, MARK_NAME);
  if (db.isEmbedded || storedMark === undefined) return ok(subject, `stored in ${folder}.`);
  if ((await readMark(folder)) === storedMark)
    return ok(subject, `${folder} is the folder of this database’s pictures.`);
  return failing(subject, `${folder} is not the folder that contains this database’s pictures. ${ADVICE}`);
}

async function readMark(folder: string): Promise<string | undefined> {
  const text = await fs.readFile(path.join(folder, MARK_FILE), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  return text.trim() || undefined;
}

async function writeMark(folder: string, mark: string): Promise<void> {
  await fs.mkdir(folder, { recursive: true });
  await fs.writeFile(path.join(folder, MARK_FILE), `${mark}\n`, { flush: true });
}
