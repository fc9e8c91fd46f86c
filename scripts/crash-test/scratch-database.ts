import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { type Database, openDatabase } from '#server/db/connection.ts';
import { embeddedFolder } from '#server/db/data-folder.ts';
import type { RunAs } from '#server/db/postgres-binaries.ts';
import { startPostgresServer } from '../postgres/start-postgres.ts';
import { mountSmallDisk, type SmallDisk } from './small-disk.ts';

export const ENGINES = ['embedded', 'postgres'] as const;
export type Engine = (typeof ENGINES)[number];
/** connection: one, by pg_terminate_backend. backend: `kill -9` of one, at which all are restarted. */
export const DATABASE_KILLS = ['connection', 'backend', 'postgres'] as const;
export type DatabaseKill = (typeof DATABASE_KILLS)[number];
/** outage: PostgreSQL is down for a while. freeze: all its processes stand still for a while. */
export const DATABASE_HALTS = ['outage', 'freeze'] as const;
export type DatabaseHalt = (typeof DATABASE_HALTS)[number];

export type ScratchDatabase = {
  /** For the program's environment. */
  readonly settings: Readonly<Record<string, string>>;
  use<T>(work: (db: Database) => Promise<T>): Promise<T>;
  kill(what: DatabaseKill): Promise<void>;
  /** @returns ends it, and resolves once the database itself answers */
  halt(what: DatabaseHalt): Promise<() => Promise<void>>;
  /** What its data is on, if it can be filled up. */
  readonly disk: SmallDisk | undefined;
  close(): Promise<void>;
};

const RESTART_TIMEOUT_MS = 60_000;

/**
 * @param dataDir of the program on the embedded engine
 * @param isSmall its disk can be filled up
 */
export async function openScratchDatabase(engine: Engine, dataDir: string, isSmall: boolean): Promise<ScratchDatabase> {
  let disk: SmallDisk | undefined;
  if (engine === 'embedded') {
    if (isSmall) disk = await mountSmallDisk(dataDir);
    return {
      settings: {},
      use: (work) => withDatabase({ dataDir }, work),
      kill: () => killEmbedded(dataDir),
      halt: () => Promise.reject(new Error('The program starts the embedded server again at once.')),
      disk,
      close: async () => disk?.unmount(),
    };
  }
  const prepare = async (folder: string, user: RunAs) => {
    if (isSmall) disk = await mountSmallDisk(folder, user);
  };
  const server = await startPostgresServer({ durable: true, prepare });
  return {
    settings: { DATABASE_URL: server.url },
    use: async (work) => {
      await untilAnswering(server.url);
      return withDatabase({ databaseUrl: server.url, dataDir: '' }, work);
    },
    kill: (what) => (what === 'postgres' ? server.kill() : killBackend(server.url, what)),
    halt: async (what) => {
      const resume = await (what === 'outage' ? server.halt() : server.freeze());
      return () => {
        resume();
        return untilAnswering(server.url);
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
  place: { readonly databaseUrl?: string; readonly dataDir: string },
  work: (db: Database) => Promise<T>,
): Promise<T> {
  const complain = (details: object, message: string) => console.error(message, details);
  const db = await openDatabase({ ...place, log: { info: () => {}, warn: complain, error: complain } });
  try {
    return await work(db);
  } finally {
    await db.close();
  }
}

/** `kill -9` of the embedded server's main process, which the program starts again. */
async function killEmbedded(dataDir: string): Promise<void> {
  const file = path.join(embeddedFolder(dataDir), 'data', 'postmaster.pid');
  process.kill(Number.parseInt(await readFile(file, 'utf8'), 10), 'SIGKILL');
}

/** Of a connection that is in a transaction, if there is one. */
async function killBackend(url: string, what: 'connection' | 'backend'): Promise<void> {
  await asClient(url, async (client) => {
    const { rows } = await client.query<{ pid: number }>(
      `select pid from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()
       order by xact_start is not null desc, random() limit 1`,
    );
    const pid = rows[0]?.pid;
    if (pid === undefined) throw new Error('No connection is there to be killed.');
    if (what === 'connection') await client.query('select pg_terminate_backend($1)', [pid]);
    else process.kill(pid, 'SIGKILL');
  });
}

async function untilAnswering(url: string): Promise<void> {
  const deadline = Date.now() + RESTART_TIMEOUT_MS;
  const answers = () =>
    asClient(url, (client) => client.query('select 1')).then(
      () => true,
      () => false,
    );
  while (!(await answers())) {
    if (Date.now() > deadline) throw new Error('PostgreSQL did not come back.');
    await pause(50);
  }
}

async function asClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(url);
  // It may be lost like all others.
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}
