import { setTimeout as pause } from 'node:timers/promises';
import { callbackify } from 'node:util';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { openEmbedded, refuseMissing, startUpkeep } from './embedded.ts';
import type { EmbeddedSessions } from './embedded-sessions.ts';
import { type DatabaseLimits, LIMITS, SILENT_MS, statementLimit } from './limits.ts';
import {
  embeddedNotifications,
  type Notifications,
  type Reach,
  reasonOf,
  serverNotifications,
} from './notifications.ts';
import { ORG_CHANGED, type OrgChanges, orgChanges } from './org-changes.ts';
import type { Tables } from './tables.ts';
import { errorInsideTransaction } from './transaction.ts';
import { OutOfReachError } from './unavailable.ts';

/** Either engine, both through node-postgres so that values and errors are the same. */
export type Database = {
  readonly kysely: Kysely<Tables>;
  readonly pool: pg.Pool;
  readonly engine: 'embedded' | 'postgres';
  /** Listens to changes committed by any connection or process. */
  readonly listen: Notifications['listen'];
  /** What organizations show has changed. */
  readonly changes: OrgChanges;
  /** Known once something listens; a database that nothing listens to counts as there. */
  readonly reach: Reach;
  /** Waits for running queries. May be called more than once. */
  close(): Promise<void>;
};

export type DatabaseOptions = {
  /** A PostgreSQL server. Without it, the embedded database is used. */
  readonly databaseUrl?: string | undefined;
  /** The setting that the server is from, for messages. */
  readonly setting?: string;
  /** Folder of the embedded database. */
  readonly dataDir: string;
  /** False: a folder without a database is refused. By default it is created. */
  readonly create?: boolean;
  readonly log: Log;
  /** The most connections to a server; one more listens. */
  readonly poolSize?: number | undefined;
  readonly limits?: Partial<DatabaseLimits> | undefined;
};

/** A server may be configured differently, which would change days and the text of times. */
const SESSION = `select set_config('timezone', 'UTC', false), set_config('datestyle', 'ISO, MDY', false),
  set_config('intervalstyle', 'postgres', false), set_config('statement_timeout', $1, false),
  set_config('lock_timeout', $2, false), set_config('idle_in_transaction_session_timeout', $3, false)`;

/** The embedded database has one connection, for which work waits that takes long. */
const EMBEDDED_CONNECT_MS = 30_000;
const POOL_SIZE = 10;

/**
 * Opens the database without migrating it.
 * @throws Error with a message for the operator when the server is unreachable, or the folder is in use or of another
 * version
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { databaseUrl, dataDir, create = true, log } = options;
  if (databaseUrl === undefined && !create) await refuseMissing(dataDir);
  return databaseUrl === undefined ? openOnEmbedded(dataDir, log) : openOnServer(databaseUrl, options);
}

async function openOnEmbedded(dataDir: string, log: Log): Promise<Database> {
  const embedded = await openEmbedded(dataDir, log);
  // One connection, never closed when idle.
  const config: GuardedPoolConfig = {
    Client: clientOf(embedded),
    max: 1,
    idleTimeoutMillis: 0,
    connectionTimeoutMillis: EMBEDDED_CONNECT_MS,
    types: rowValues,
    prepare: (client) => notifications.resume(client),
  };
  const pool = new GuardedPool(config);
  const notifications = embeddedNotifications(pool);
  const upkeep = startUpkeep(pool, log);
  const reach: Reach = {
    isOut: () => false,
    look: async () => Boolean(await pool.query('select 1')),
    follow: () => {},
  };
  return database('embedded', pool, log, { ...notifications, reach }, async () => {
    await upkeep.stop();
    await endPool(pool);
    await embedded.close();
  });
}

/** The driver accepts a connection instead of a socket, but its types do not say so. */
function clientOf({ connect }: EmbeddedSessions): new (options?: pg.ClientConfig) => pg.Client {
  return class extends pg.Client {
    constructor(options: pg.ClientConfig = {}) {
      const connected = { ...options, connection: connect() };
      super(connected);
    }
  };
}

async function openOnServer(
  databaseUrl: string,
  { setting = 'DATABASE_URL', log, poolSize = POOL_SIZE, limits: chosen = {} }: DatabaseOptions,
): Promise<Database> {
  const limits = { ...LIMITS, ...chosen };
  const pool = new GuardedPool({
    connectionString: databaseUrl,
    max: poolSize,
    keepAlive: true,
    connectionTimeoutMillis: limits.connectMs,
    types: rowValues,
    limits,
    isOut: () => notifications.reach.isOut(),
    prepare: (client) =>
      client.query(SESSION, [limits.statementMs, limits.lockMs, limits.idleInTransactionMs].map(String)),
  });
  const notifications = serverNotifications(databaseUrl, limits, log, (since) => pool.drop(since));
  const opened = database('postgres', pool, log, notifications, () => endPool(pool));
  try {
    await pool.query('select 1');
  } catch (error) {
    await opened.close();
    throw new Error(`The PostgreSQL server that ${setting} names cannot be used: ${reasonOf(error)}.`);
  }
  return opened;
}

/** Ends a pool once all waiting requests have had a connection; pool.end() alone would leave them waiting forever. */
async function endPool(pool: pg.Pool): Promise<void> {
  while (pool.waitingCount > 0) await pause(10);
  await pool.end();
}

function database(
  engine: Database['engine'],
  pool: pg.Pool,
  log: Log,
  notifications: Notifications & { readonly reach: Reach },
  end: () => Promise<void>,
): Database {
  // Without listeners, losing a connection, idle or in use, would end the process.
  pool.on('error', (err) => log.warn({ err }, 'a connection to the database was lost'));
  pool.on('connect', (client) => client.on('error', () => {}));
  const changes = orgChanges(pool, notifications, log);
  let ending: Promise<void> | undefined;
  return {
    kysely: new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) }),
    pool,
    engine,
    listen: async (channel, onNotification) => {
      if (channel === ORG_CHANGED) await changes.follow();
      return notifications.listen(channel, onNotification);
    },
    changes,
    reach: notifications.reach,
    close: () => (ending ??= Promise.all([notifications.close(), changes.close()]).then(end)),
  };
}

type ConnectCallback = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  done: (release?: unknown) => void,
) => void;

export type GuardedPoolConfig = Omit<pg.PoolConfig, 'onConnect' | 'verify'> & {
  /** Prepares each new connection, before it is used. */
  readonly prepare: (client: pg.ClientBase) => Promise<unknown>;
  /** Of its statements; without them they may take as long as they do. */
  readonly limits?: DatabaseLimits;
  /** Whether the database is known to be out of reach, so that waiting for a connection is useless. */
  readonly isOut?: () => boolean;
};

/** A pool that refuses, on either engine, what would hang forever on the engine with one connection. */
export class GuardedPool extends pg.Pool {
  readonly #limits: DatabaseLimits | undefined;
  readonly #isOut: () => boolean;
  readonly #watched = new Map<pg.ClientBase, WatchedClient>();
  /** Refuses who waits for a connection, new or free. */
  readonly #waiting = new Set<(reason: Error) => void>();

  constructor({ prepare, limits, isOut = () => false, ...config }: GuardedPoolConfig) {
    // With `verify` instead, the pool loses the connection if the request for it times out meanwhile: it is never used
    // again, and the pool never ends. This promise is awaited, though the types don't say so.
    const onConnect: (client: pg.ClientBase) => unknown = prepare;
    super({ ...config, onConnect });
    this.#limits = limits;
    this.#isOut = isOut;
    if (limits) {
      this.on('connect', (client) => this.#watched.set(client, watchClient(client, limits.statementMs)));
      this.on('remove', (client) => this.#watched.delete(client));
    }
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: ConnectCallback): void;
  override connect(callback?: ConnectCallback): Promise<pg.PoolClient> | undefined {
    const refusal = errorInsideTransaction(this) ?? (this.#isOut() ? new OutOfReachError() : undefined);
    const acquiring = refusal === undefined ? this.#acquire() : Promise.reject(refusal);
    if (callback === undefined) return acquiring;
    callbackify(() => acquiring)((error: Error | null, client?: pg.PoolClient) => {
      callback(error ?? undefined, client, (lost) => client?.release(lost instanceof Error || lost === true));
    });
    return undefined;
  }

  async #acquire(): Promise<pg.PoolClient> {
    const client = await this.#unlessGivenUp(super.connect());
    const watched = this.#limits && this.#watched.get(client);
    if (watched && this.#limits) {
      await watched.limit(statementLimit(this.#limits)).catch((error: unknown) => {
        client.release(true);
        throw error;
      });
    }
    return client;
  }

  /** The pool itself goes on waiting, and gets back a connection that comes too late. */
  async #unlessGivenUp(connecting: Promise<pg.PoolClient>): Promise<pg.PoolClient> {
    const { promise: givenUp, reject } = Promise.withResolvers<never>();
    this.#waiting.add(reject);
    try {
      return await Promise.race([connecting, givenUp]);
    } catch (error) {
      if (error instanceof OutOfReachError) {
        connecting.then(
          (client) => client.release(),
          () => {},
        );
      }
      throw error;
    } finally {
      this.#waiting.delete(reject);
    }
  }

  /**
   * Gives up connections, and with them what they are asked.
   * @param since only those that have not answered a question of before this moment, by performance.now(); without it, also
   * who waits for a connection
   */
  drop(since?: number): void {
    if (since === undefined) for (const refuse of this.#waiting) refuse(new OutOfReachError());
    for (const watched of this.#watched.values()) {
      if (since === undefined || watched.askedAt() < since) watched.drop();
    }
  }
}

type WatchedClient = {
  /** By performance.now(), what is not answered yet; if there is nothing, Infinity. */
  askedAt(): number;
  /** Sets how long a statement may take from now on. */
  limit(statementMs: number): Promise<void>;
  drop(): void;
};

/** Gives up a connection on which no answer came for longer than the server lets a statement take: it is frozen, or gone. */
function watchClient(client: pg.PoolClient, firstLimit: number): WatchedClient {
  const ask: (...sent: unknown[]) => unknown = client.query.bind(client);
  const drop = () => client.connection.stream.destroy();
  let statementMs = firstLimit;
  let timer: NodeJS.Timeout | undefined;
  let askedAt = Number.POSITIVE_INFINITY;
  const stop = () => {
    clearTimeout(timer);
    askedAt = Number.POSITIVE_INFINITY;
  };
  client.on('drain', stop);
  client.on('end', stop);
  const asked = (...sent: unknown[]): unknown => {
    clearTimeout(timer);
    timer = setTimeout(drop, statementMs + SILENT_MS).unref();
    askedAt = performance.now();
    return ask(...sent);
  };
  // It passes on whatever it is given.
  client.query = asked as typeof client.query;
  return {
    askedAt: () => askedAt,
    limit: async (wanted) => {
      if (wanted === statementMs) return;
      statementMs = wanted;
      await client.query(`select set_config('statement_timeout', $1, false)`, [String(wanted)]);
    },
    drop,
  };
}

type Parse = (text: string) => unknown;

/**
 * How columns become JavaScript values, the same on both engines: int8 a number (an inexact one is refused), numeric
 * and date a string, timestamptz and timestamp a Date (a timestamp without a zone is UTC). Note that `sum()` of int8
 * is numeric in PostgreSQL: cast it to int8 where a number is wanted.
 */
export const rowValues: pg.CustomTypesConfig = {
  getTypeParser: (type, format) =>
    format === 'binary' ? pg.types.getTypeParser(type, format) : (parsers.get(type) ?? pg.types.getTypeParser(type)),
};

const { builtins } = pg.types;
// The array types are not among the driver's names: these are their numbers in PostgreSQL's pg_type.
const arrays = { int8: 1016, numeric: 1231, date: 1182, timestamp: 1115, timestamptz: 1185, text: 1009 };

const parseTextArray: (text: string) => unknown[] = pg.types.getTypeParser(arrays.text);
const parseZonedTime: Parse = pg.types.getTypeParser(builtins.TIMESTAMPTZ);

const parsers = new Map<number, Parse>([
  [builtins.INT8, exactInteger],
  [builtins.NUMERIC, asWritten],
  [builtins.DATE, asWritten],
  [builtins.TIMESTAMPTZ, zonedTime],
  [builtins.TIMESTAMP, utcTime],
  [arrays.int8, arrayOf(exactInteger)],
  [arrays.numeric, arrayOf(asWritten)],
  [arrays.date, arrayOf(asWritten)],
  [arrays.timestamptz, arrayOf(zonedTime)],
  [arrays.timestamp, arrayOf(utcTime)],
]);

function exactInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`the database holds ${text}, too large for an exact number`);
  return value;
}

function asWritten(text: string): string {
  return text;
}

function zonedTime(text: string): Date {
  const time = parseZonedTime(text);
  if (!(time instanceof Date)) throw new RangeError(`the database holds the time ${text}, which is no moment`);
  return time;
}

function utcTime(text: string): Date {
  return zonedTime(text.replace(/(?: BC)?$/, '+00$&'));
}

function arrayOf(parse: Parse): Parse {
  const each = (element: unknown): unknown => {
    if (Array.isArray(element)) return element.map(each);
    return typeof element === 'string' ? parse(element) : element;
  };
  return (text) => parseTextArray(text).map(each);
}

/** The part of the program's log that the store writes to; Fastify's own logger is one. */
export type Log = {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
};
