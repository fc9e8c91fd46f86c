import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { Log } from './log.ts';
import { syncFolder } from './sync-folder.ts';

/** The version of PostgreSQL that PGlite is: a folder of another one cannot be opened. */
export const FOLDER_VERSION = '18';

const UNFINISHED = 'database.new-';

/**
 * The folder of the embedded database inside the data folder, made at the first start. It comes into being whole: a
 * start that is interrupted leaves nothing that a later one would take for a database. Call it with the lock held.
 */
export async function readyFolder(dataDir: string, log: Log): Promise<string> {
  const folder = path.join(dataDir, 'database');
  await removeUnfinished(dataDir);
  const version = await versionOf(folder);
  if (version === undefined) {
    log.info({ folder }, 'making the database: this takes a few seconds, once');
    await makeFolder(dataDir, folder);
  } else if (version !== FOLDER_VERSION) {
    throw new Error(
      `The folder ${folder} holds a database of PostgreSQL ${version}, and this program brings PostgreSQL ` +
        `${FOLDER_VERSION}. Open it with the version of this program that made it and take a backup there, or move ` +
        'the folder away to begin with an empty database.',
    );
  }
  return folder;
}

/** The major version of the database in the folder; undefined when there is none, nor anything else. */
async function versionOf(folder: string): Promise<string | undefined> {
  try {
    return (await fs.readFile(path.join(folder, 'PG_VERSION'), 'utf8')).trim();
  } catch {
    const names = await fs.readdir(folder).catch(() => []);
    if (names.length === 0) return undefined;
    throw new Error(
      `The folder ${folder} is not a database: its file PG_VERSION cannot be read. Put the folder back as it was, or ` +
        'move it away to begin with an empty database.',
    );
  }
}

/** What an interrupted first start left. Its helper may be writing still, so that one more try may be needed. */
async function removeUnfinished(dataDir: string): Promise<void> {
  const names = await fs.readdir(dataDir);
  for (const name of names.filter((each) => each.startsWith(UNFINISHED))) {
    await fs.rm(path.join(dataDir, name), { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}

async function makeFolder(dataDir: string, folder: string): Promise<void> {
  // Only its owner may enter it, whatever the modes of the files that PGlite writes.
  const beside = await fs.mkdtemp(path.join(dataDir, UNFINISHED));
  await runPreparation(beside);
  await syncFolder(beside);
  // An empty folder may stand there; one with anything in it was refused above.
  await fs.rmdir(folder).catch(() => {});
  await fs.rename(beside, folder);
  await syncFolder(dataDir, { deep: false });
}

/**
 * Making a database takes half a gigabyte for a moment, which this process would keep; and twice that with the
 * optimizing compiler, from which a work of three seconds gains nothing. So it is done by a process of its own.
 */
async function runPreparation(folder: string): Promise<void> {
  const program = fileURLToPath(new URL('./prepare-folder.ts', import.meta.url));
  // Over the channel it notices when this process is gone.
  const child = spawn(process.execPath, ['--liftoff-only', program, folder], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  const complaint = child.stderr === null ? '' : text(child.stderr);
  const [code, signal] = await once(child, 'close');
  if (code === 0) return;
  throw new Error(`The database could not be made in ${folder} (${signal ?? `exit ${code}`}): ${await complaint}`);
}
