import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { type Database, openDatabase } from '#server/db/connection.ts';
import { getEmbeddedFolder } from '#server/db/data-folder.ts';
import type { RunAs } from '#server/db/postgres-binaries.ts';
import { startPostgresServer } from '../postgres/start-postgres.ts';
import { mountSmallDisk, type SmallDisk } from './small-disk.ts';

export const ENGINES = ['embedded', 'postgres'] as const;
export type Engine = (typeof ENGINES)[number];
/**
 * `connection` terminates one connection. `backend` kills one backend process (`kill -9`), which makes PostgreSQL
 * restart all of them.
 */
export const DATABASE_KILLS = ['connection', 'backend', 'postgres'] as const;
export type DatabaseKill = (typeof DATABASE_KILLS)[number];
/** outage: PostgreSQL is down for a while. freeze: all its processes are paused for a while. */
export const DATABASE_HALTS = ['outage', 'freeze'] as const;
export type DatabaseHalt = (typeof DATABASE_HALTS)[number];

export type ScratchDatabase = {
  /** Environment variables for the server. */
  readonly settings: Readonly<Record<string, string>>;
  withDatabase<T>(work: (db: Database) => Promise<T>): Promise<T>;
  kill(target: DatabaseKill): Promise<void>;
  /** Takes the database down. @returns a function that brings it back and resolves once it responds */
  halt(halt: DatabaseHalt): Promise<() => Promise<void>>;
  /** The data disk, if the test can fill it up. */
  readonly disk: SmallDisk | undefined;
  close(): Promise<void>;
};

const RESTART_TIMEOUT_MS = 60_000;

/**
 * @param dataDir the server's data folder, for the embedded engine
 * @param hasSmallDisk whether the disk can be filled up
 */
export async function openScratchDatabase(
  engine: Engine,
  dataDir: string,
  hasSmallDisk: boolean,
): Promise<ScratchDatabase> {
  let disk: SmallDisk | undefined;
  if (engine === 'embedded') {
    if (hasSmallDisk) disk = await mountSmallDisk(dataDir);
    return {
      settings: {},
      withDatabase: (work) => withDatabase({ dataDir }, work),
      kill: () => killEmbedded(dataDir),
      halt: () => Promise.reject(new Error('The server restarts the embedded database immediately.')),
      disk,
      close: async () => disk?.unmount(),
    };
  }
  const prepare = async (folder: string, user: RunAs) => {
    if (hasSmallDisk) disk = await mountSmallDisk(folder, user);
  };
  const server = await startPostgresServer({ isDurable: true, prepare });
  return {
    settings: { DATABASE_URL: server.url },
    withDatabase: async (work) => {
      await waitUntilResponding(server.url);
      return withDatabase({ databaseUrl: server.url, dataDir: '' }, work);
    },
    kill: (target) => (target === 'postgres' ? server.kill() : killBackend(server.url, target)),
    halt: async (halt) => {
      const resume = await (halt === 'outage' ? server.halt() : server.freeze());
      return () => {
        resume();
        return waitUntilResponding(server.url);
      };
    },
    disk,
    close: async () => {
      await disk?.unmount();
      await server.stop();
    },
  };
}

async function withDatabase<T>(
  location: { readonly databaseUrl?: string; readonly dataDir: string },
  work: (db: Database) => Promise<T>,
): Promise<T> {
  const printLog = (details: object, message: string) => console.error(message, details);
  const db = await openDatabase({ ...location, log: { info: () => {}, warn: printLog, error: printLog } });
  try {
    return await work(db);
  } finally {
    await db.close();
  }
}

/** `kill -9` of the embedded database's main process, which the server restarts. */
async function killEmbedded(dataDir: string): Promise<void> {
  const file = path.join(getEmbeddedFolder(dataDir), 'data', 'postmaster.pid');
  process.kill(Number.parseInt(await readFile(file, 'utf8'), 10), 'SIGKILL');
}

/** Prefers a connection with an open transaction. */
async function killBackend(url: string, target: 'connection' | 'backend'): Promise<void> {
  await withClient(url, async (client) => {
    const { rows } = await client.query<{ pid: number }>(
      `select pid from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()
       order by xact_start is not null desc, random() limit 1`,
    );
    const pid = rows[0]?.pid;
    if (pid === undefined) throw new Error('There is no connection to kill.');
    if (target === 'connection') await client.query('select pg_terminate_backend($1)', [pid]);
    else process.kill(pid, 'SIGKILL');
  });
}

async function waitUntilResponding(url: string): Promise<void> {
  const deadline = Date.now() + RESTART_TIMEOUT_MS;
  const isResponding = () =>
    withClient(url, (client) => client.query('select 1')).then(
      () => true,
      () => false,
    );
  while (!(await isResponding())) {
    if (Date.now() > deadline) throw new Error('PostgreSQL did not respond in time.');
    await pause(50);
  }
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(url);
  // This connection may be lost as well.
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}
