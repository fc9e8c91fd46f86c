import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fstatSync, fsyncSync } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { PGlite } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';
import type pg from 'pg';
import type { Log } from './connection.ts';
import { lockFolder } from './folder-lock.ts';
import { syncFolder } from './sync-folder.ts';

export type Embedded = {
  readonly pglite: PGlite;
  close(): Promise<void>;
};

/**
 * Opens the database inside the process, in a folder that no other process may use meanwhile, and where a commit is
 * on the disk before it is acknowledged. Fails with a sentence for the operator.
 */
export async function openEmbedded(dataDir: string, log: Log): Promise<Embedded> {
  await fs.mkdir(dataDir, { recursive: true, mode: 0o700 });
  const lock = await lockFolder(dataDir);
  try {
    const pglite = await start(await prepareDatabaseFolder(dataDir, log));
    const close = async () => {
      await pglite.close();
      await lock.release();
    };
    return { pglite, close };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

async function start(folder: string): Promise<PGlite> {
  // The default of 128 MB would be taken from the process for good; the system caches the files as well.
  const startParams = [...durableStartParams(PGlite.defaultStartParams), '-c', 'shared_buffers=32MB'];
  try {
    return await PGlite.create({ fs: new DurableFilesystem(folder), startParams });
  } catch (error) {
    throw new Error(`The database in ${folder} could not be opened. Restore it from a backup if this stays so.`, {
      cause: error,
    });
  }
}

/** The version of PostgreSQL that PGlite is: a folder of another one cannot be opened. */
export const FOLDER_VERSION = '18';

const UNFINISHED = 'database.new-';

/**
 * The folder of the embedded database inside the data folder, made at the first start. It comes into being whole: a
 * start that is interrupted leaves nothing that a later one would take for a database. Call it with the lock held.
 */
export async function prepareDatabaseFolder(dataDir: string, log: Log): Promise<string> {
  const folder = path.join(dataDir, 'database');
  await removeUnfinished(dataDir);
  const version = await versionOf(folder);
  if (version === undefined) {
    log.info({ folder }, 'making the database: this takes a few seconds, once');
    await createFolder(dataDir, folder);
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

async function createFolder(dataDir: string, folder: string): Promise<void> {
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

type Init = NodeFS['init'];
type Stream = { readonly nfd?: number };
type NodeFsModule = {
  readonly NODEFS: {
    stream_ops: { fsync?: (stream: Stream) => number };
    /** Turns what Node throws into the error that the compiled PostgreSQL understands. */
    tryFSOperation<T>(operation: () => T): T;
  };
};

/**
 * Start parameters under which a commit waits until it is on the disk. PGlite turns fsync off (-F), and PostgreSQL's
 * usual fdatasync does nothing there, while fsync reaches the file system below.
 */
export function durableStartParams(startParams: readonly string[]): string[] {
  return [...startParams.filter((parameter) => parameter !== '-F'), '-c', 'wal_sync_method=fsync'];
}

/** PGlite's folder on the disk, with an fsync that is one: the file system it brings has none. */
export class DurableFilesystem extends NodeFS {
  override async init(...args: Parameters<Init>): ReturnType<Init> {
    const { emscriptenOpts } = await super.init(...args);
    const preRun = [...(emscriptenOpts.preRun ?? []), (module: unknown) => addFsync(module as NodeFsModule)];
    return { emscriptenOpts: { ...emscriptenOpts, preRun } };
  }
}

function addFsync({ NODEFS }: NodeFsModule): void {
  NODEFS.stream_ops.fsync = ({ nfd }) => {
    if (nfd !== undefined) NODEFS.tryFSOperation(() => sync(nfd));
    return 0;
  };
}

function sync(descriptor: number): void {
  // Windows has no such thing for a folder, and needs none.
  if (process.platform === 'win32' && fstatSync(descriptor).isDirectory()) return;
  fsyncSync(descriptor);
}

export type Upkeep = { stop(): Promise<void> };

const EVERY_MS = 60_000;
const CHECKPOINT_AFTER_BYTES = 8 * 1024 * 1024;

/**
 * What a PostgreSQL server has processes of its own for, and the embedded one has not: without it the write-ahead log
 * would grow for ever, a start after a crash would take longer and longer, and the planner would know no numbers.
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

/** One round: a vacuum of each table that changed much, and a checkpoint when enough was written. */
export async function runUpkeep(pool: pg.Pool): Promise<void> {
  const changed = await pool.query<{ name: string }>(TABLES_TO_VACUUM);
  for (const { name } of changed.rows) await pool.query(`vacuum (analyze) ${name}`);
  // The last, since clearing up writes as well.
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
