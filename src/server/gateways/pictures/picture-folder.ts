import fs from 'node:fs/promises';
import path from 'node:path';
import type { Database, Log } from '#server/db/connection.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { type Check, ok, wrong } from '#server/gateways/check.ts';
import { programSecret, storedSecret } from '#server/gateways/identity/identity.store.ts';
import { newId } from '#server/ids.ts';
import { commandLine } from '#server/program-file.ts';

/** Pictures’ own names begin with a letter, a digit, `_` or `-`. */
const MARK_FILE = '.folder';
/** Where the database keeps the mark of the folder in which its pictures are. */
const MARK_NAME = 'picture-folder';

/** Where pictures are without a bucket. @param dataDir DATA_DIR */
export function picturesIn(dataDir: string): string {
  return path.join(dataDir, 'pictures');
}

const ADVICE =
  'Processes on several machines need a bucket (S3_…) or one shared folder; a folder that was moved or restored becomes ' +
  `theirs by “${commandLine('admin adopt-pictures')}”.`;

/**
 * Notices a process that keeps its pictures elsewhere than the others of its database: the first one marks its folder. The
 * embedded database has one process.
 */
export async function notePictureFolder(db: Database, folder: string, log: Log): Promise<void> {
  if (db.isEmbedded) return;
  try {
    if (await isTheFolder(db, folder)) return;
    log.warn({ folder }, `pictures are kept in another folder than those of this database so far. ${ADVICE}`);
  } catch (err) {
    log.warn({ err, folder }, 'the folder of the pictures could not be marked');
  }
}

function isTheFolder(db: Database, folder: string): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const fresh = newId();
    // Others that start now wait here for the first one, and then find its mark.
    const known = await programSecret(tx, MARK_NAME, (await markIn(folder)) ?? fresh);
    if (known === fresh) await writeMark(folder, fresh);
    return (await markIn(folder)) === known;
  });
}

/** Makes a folder the one in which the pictures of the database are. */
export async function adoptPictureFolder(db: Database, folder: string): Promise<void> {
  const mark = (await markIn(folder)) ?? newId();
  await writeMark(folder, await programSecret(db.kysely, MARK_NAME, mark));
}

/** Changes nothing. */
export async function checkPictureFolder(db: Database, folder: string): Promise<Check> {
  const subject = 'Pictures';
  const known = await storedSecret(db.kysely, MARK_NAME);
  if (db.isEmbedded || known === undefined) return ok(subject, `they are kept in ${folder}.`);
  if ((await markIn(folder)) === known) return ok(subject, `${folder} is the folder of this database’s pictures.`);
  return wrong(subject, `${folder} is not the folder in which this database’s pictures were so far. ${ADVICE}`);
}

async function markIn(folder: string): Promise<string | undefined> {
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
