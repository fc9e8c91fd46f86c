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
const FOLDER_ID_FILE = '.folder';
/** Database key for the id written to the picture folder. */
const FOLDER_ID_KEY = 'picture-folder';

/** Returns the picture folder to use if no bucket is configured. @param dataDir DATA_DIR */
export function getPictureFolder(dataDir: string): string {
  return path.join(dataDir, 'pictures');
}

const ADVICE =
  'Processes on several machines need a bucket (PICTURES_TO) or one shared folder. If this folder was moved or restored, run ' +
  `“${formatCommandLine('admin adopt-pictures')}”.`;

/**
 * Warns if this process uses a different picture folder than the other processes of its database. The first process writes
 * an id to its folder. Skipped for the embedded database, which has one process.
 */
export async function recordPictureFolder(db: Database, folder: string, log: Log): Promise<void> {
  if (db.isEmbedded) return;
  try {
    if (await hasDatabaseId(db, folder)) return;
    log.warn({ folder }, `this is not the folder that contains this database’s pictures. ${ADVICE}`);
  } catch (err) {
    log.warn({ err, folder }, 'the picture folder’s id could not be checked');
  }
}

function hasDatabaseId(db: Database, folder: string): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const candidateId = newId();
    // Processes that start concurrently serialize here and read the first one’s id.
    const storedId = await getOrCreateSecret(tx, FOLDER_ID_KEY, (await readFolderId(folder)) ?? candidateId);
    if (storedId === candidateId) await writeFolderId(folder, candidateId);
    return (await readFolderId(folder)) === storedId;
  });
}

/** Makes this folder the database's picture folder. */
export async function adoptPictureFolder(db: Database, folder: string): Promise<void> {
  const id = (await readFolderId(folder)) ?? newId();
  await writeFolderId(folder, await getOrCreateSecret(db.kysely, FOLDER_ID_KEY, id));
}

/** Checks that the folder has the database's id. Changes nothing. */
export async function checkPictureFolder(db: Database, folder: string): Promise<SettingCheck> {
  const subject = 'Pictures';
  const storedId = await findSecret(db.kysely, FOLDER_ID_KEY);
  if (db.isEmbedded || storedId === undefined) return ok(subject, `stored in ${folder}.`);
  if ((await readFolderId(folder)) === storedId)
    return ok(subject, `${folder} is the folder of this database’s pictures.`);
  return failing(subject, `${folder} is not the folder that contains this database’s pictures. ${ADVICE}`);
}

async function readFolderId(folder: string): Promise<string | undefined> {
  const text = await fs.readFile(path.join(folder, FOLDER_ID_FILE), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  return text.trim() || undefined;
}

async function writeFolderId(folder: string, id: string): Promise<void> {
  await fs.mkdir(folder, { recursive: true });
  await fs.writeFile(path.join(folder, FOLDER_ID_FILE), `${id}\n`, { flush: true });
}
