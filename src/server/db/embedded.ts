import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import type { Log } from './connection.ts';
import type { EmbeddedSessions } from './embedded-sessions.ts';
import { lockFolder } from './folder-lock.ts';
import { syncFolder } from './sync-folder.ts';

/**
 * Opens the in-process database. Locks its folder; commits are on the disk before they are acknowledged.
 * @throws Error with a message for the operator
 */
export async function openEmbedded(dataDir: string, log: Log): Promise<EmbeddedSessions> {
  await fs.mkdir(dataDir, { recursive: true, mode: 0o700 });
  const lock = await lockFolder(dataDir);
  try {
    await refuseMoved(dataDir);
    const sessions = await openSessions(await prepareDatabaseFolder(dataDir, log), log);
    const close = async () => {
      await sessions.close();
      await lock.release();
    };
    return { connect: sessions.connect, close };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/**
 * Creates nothing.
 * @throws Error with a message for the operator when the folder has no database
 */
export async function refuseMissing(dataDir: string): Promise<void> {
  if ((await versionOf(path.join(dataDir, 'database'))) !== undefined) return;
  throw new Error(
    `There is no database in ${dataDir}. Check DATA_DIR, or set DATABASE_URL; for a new fund, start the program first, ` +
      'which creates it.',
  );
}

/** Says that the folder's database lives elsewhere now: it is not opened any more. @param to for people to read */
export async function markMoved(dataDir: string, to: string, at: Date): Promise<void> {
  const text = `On ${at.toISOString()} to ${to}.\n`;
  await fs.writeFile(path.join(dataDir, MOVED), text, { flush: true });
}

const MOVED = 'moved.txt';

async function refuseMoved(dataDir: string): Promise<void> {
  const moved = await fs.readFile(path.join(dataDir, MOVED), 'utf8').catch(() => undefined);
  if (moved === undefined) return;
  throw new Error(
    `The database in ${dataDir} was moved. ${moved.trim()} Set DATABASE_URL to it. To use the old one all the same, delete ` +
      `${path.join(dataDir, MOVED)}.`,
  );
}

/** @throws FolderInUseError when a process has the database open; the folder need not be there */
export async function refuseInUse(dataDir: string): Promise<void> {
  const isThere = await fs.access(dataDir).then(
    () => true,
    () => false,
  );
  if (isThere) await (await lockFolder(dataDir)).release();
}

async function openSessions(folder: string, log: Log): Promise<EmbeddedSessions> {
  // Not loaded where the database is a server: it is a whole PostgreSQL.
  const { embeddedSessions } = await import('./embedded-sessions.ts');
  try {
    // Removed by the next start, like other unfinished files.
    return await embeddedSessions(folder, path.join(path.dirname(folder), `${UNFINISHED}room`), log);
  } catch (error) {
    throw new Error(
      `The database in ${folder} could not be opened. Is the disk full? If this happens again, restore it from a backup.`,
      { cause: error },
    );
  }
}

/** PGlite's version of PostgreSQL. Folders of other versions cannot be opened. */
export const FOLDER_VERSION = '18';

const UNFINISHED = 'database.new-';

/**
 * The folder of the embedded database inside the data folder, created on the first start. Creation is atomic: an
 * interrupted start leaves no half of a database. Call it with the lock held.
 */
export async function prepareDatabaseFolder(dataDir: string, log: Log): Promise<string> {
  const folder = path.join(dataDir, 'database');
  await removeUnfinished(dataDir);
  const version = await versionOf(folder);
  if (version === undefined) {
    log.info({ folder }, 'creating the database: this takes a few seconds, once');
    await createFolder(dataDir, folder);
  } else if (version !== FOLDER_VERSION) {
    throw new Error(
      `The folder ${folder} contains a database of PostgreSQL ${version}, but this version of the program uses ` +
        `PostgreSQL ${FOLDER_VERSION}. Open it with the version of the program that created it and make a backup ` +
        'there, or move the folder away to start with an empty database.',
    );
  }
  return folder;
}

/** The database's major version; undefined if the folder is missing or empty. */
async function versionOf(folder: string): Promise<string | undefined> {
  try {
    return (await fs.readFile(path.join(folder, 'PG_VERSION'), 'utf8')).trim();
  } catch {
    const names = await fs.readdir(folder).catch(() => []);
    if (names.length === 0) return undefined;
    throw new Error(
      `The folder ${folder} is not a database: its file PG_VERSION cannot be read. Restore the folder, or move it ` +
        'away to start with an empty database.',
    );
  }
}

/** Left over from an interrupted first start, whose child process may still be writing: hence the retries. */
async function removeUnfinished(dataDir: string): Promise<void> {
  const names = await fs.readdir(dataDir);
  for (const name of names.filter((each) => each.startsWith(UNFINISHED))) {
    await fs.rm(path.join(dataDir, name), { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}

async function createFolder(dataDir: string, folder: string): Promise<void> {
  const unfinished = await fs.mkdtemp(path.join(dataDir, UNFINISHED));
  // The database makes the inner folder. A child that outlives its parent can't bring the outer one back.
  const inner = path.join(unfinished, 'database');
  await runPreparation(inner);
  // For its owner only, as what mkdtemp makes.
  await fs.chmod(inner, 0o700);
  await syncFolder(inner);
  // An empty folder is in the way; a folder with content was refused above.
  await fs.rmdir(folder).catch(() => {});
  await fs.rename(inner, folder);
  await fs.rmdir(unfinished);
  await syncFolder(dataDir, { deep: false });
}

/**
 * Creating a database takes 500 MB, which this process would never release, and twice that with the optimizing
 * compiler. So a child process does it.
 */
async function runPreparation(folder: string): Promise<void> {
  const program = fileURLToPath(new URL('./prepare-folder.ts', import.meta.url));
  // The channel lets the child notice when this process is gone.
  const child = spawn(process.execPath, ['--liftoff-only', program, folder], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  const errorOutput = child.stderr === null ? '' : text(child.stderr);
  const [code, signal] = await once(child, 'close');
  if (code === 0) return;
  throw new Error(`The database could not be created in ${folder} (${signal ?? `exit ${code}`}): ${await errorOutput}`);
}

export type Upkeep = { stop(): Promise<void> };

const EVERY_MS = 60_000;
const CHECKPOINT_AFTER_BYTES = 8 * 1024 * 1024;

/**
 * Does what a server's background processes do: without it the write-ahead log would grow forever, recovery would take
 * ever longer, and the planner would have no statistics.
 */
export function startUpkeep(pool: pg.Pool, log: Log): Upkeep {
  let running: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    running = running
      .then(() => runUpkeep(pool))
      .catch((err) => log.warn({ err }, 'the upkeep of the embedded database failed'));
  }, EVERY_MS);
  timer.unref();
  return {
    stop: async () => {
      clearInterval(timer);
      await running;
    },
  };
}

/** Vacuums the tables that changed much, and makes a checkpoint if enough was written. */
export async function runUpkeep(pool: pg.Pool): Promise<void> {
  const changed = await pool.query<{ name: string }>(TABLES_TO_VACUUM);
  for (const { name } of changed.rows) await pool.query(`vacuum (analyze) ${name}`);
  // Last, because a vacuum writes too.
  const { rows } = await pool.query<{ behind: number }>(WRITTEN_SINCE_CHECKPOINT);
  if ((rows[0]?.behind ?? 0) > CHECKPOINT_AFTER_BYTES) await pool.query('checkpoint');
}

const WRITTEN_SINCE_CHECKPOINT = `
  select pg_wal_lsn_diff(pg_current_wal_lsn(), redo_lsn)::int8 as behind from pg_control_checkpoint()`;

// The thresholds are those of PostgreSQL's own autovacuum.
const TABLES_TO_VACUUM = `
  select format('%I.%I', s.schemaname, s.relname) as name
  from pg_stat_user_tables s join pg_class c on c.oid = s.relid
  where s.n_dead_tup > 50 + 0.2 * s.n_live_tup
     or s.n_ins_since_vacuum > 1000 + 0.2 * s.n_live_tup
     or s.n_mod_since_analyze > 50 + 0.1 * s.n_live_tup
     or age(c.relfrozenxid) > 200000000`;
