import { setTimeout as pause } from 'node:timers/promises';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Log } from '#server/log.ts';
import { type Caches, createCaches } from './caches.ts';
import { openEmbeddedServer } from './embedded-server.ts';
import { GuardedPool } from './guarded-pool.ts';
import { createHosts, type Hosts } from './hosts.ts';
import { type DatabaseLimits, DEFAULT_LIMITS, POOL_SIZE } from './limits.ts';
import { type Notifications, openNotifications, type Reachability } from './notifications.ts';
import { createOrgChanges, type OrgChanges } from './org-changes.ts';
import { describeConnectionError } from './outages.ts';
import type { Tables } from './tables.ts';
import { typeParsers } from './type-parsers.ts';
import { StandbyError } from './unavailable.ts';

export type Database = {
  readonly kysely: Kysely<Tables>;
  readonly pool: pg.Pool;
  /** True if the program runs the server itself. */
  readonly isEmbedded: boolean;
  /** Listens for changes committed by any connection or process. */
  readonly listen: Notifications['listen'];
  readonly caches: Caches;
  /** Notifies of changes to public content. */
  readonly changes: OrgChanges;
  /** Reachability of the database, known once a listener exists. Until then, the database counts as reachable. */
  readonly availability: Reachability;
  /** Closes all connections after their running queries have finished. May be called more than once. */
  close(): Promise<void>;
};

export type DatabaseOptions = {
  /** If omitted, the embedded server is used. */
  readonly databaseUrl?: string | undefined;
  /**
   * The server's own address, if `databaseUrl` points to a pooler in transaction mode. Used for listening, and for work
   * with a long time limit.
   */
  readonly databaseListenUrl?: string | undefined;
  /** Name of the setting with the URL, for error messages. */
  readonly setting?: string;
  /** The program's data folder, which contains the embedded server's folder. */
  readonly dataDir: string;
  /** If false, a data folder without a database is an error. By default, a database is created. */
  readonly create?: boolean;
  /** True for the server process, which can't share its data folder with another server process. */
  readonly isServerProcess?: boolean;
  readonly log: Log;
  /** Maximum number of connections, in addition to the listening connection. */
  readonly poolSize?: number | undefined;
  readonly limits?: Partial<DatabaseLimits> | undefined;
};

/** Overrides server settings that affect days, the format of times, and timeouts. */
const SESSION_SETUP_SQL = `select pg_is_in_recovery() as "isStandby", set_config('timezone', 'UTC', false), set_config('datestyle', 'ISO, MDY', false),
  set_config('intervalstyle', 'postgres', false), set_config('statement_timeout', $1, false),
  set_config('lock_timeout', $2, false), set_config('idle_in_transaction_session_timeout', $3, false)`;

/** Behind a pooler in transaction mode, sessions are shared, so the settings must be stored in the role. */
const ROLE_CHECK_SQL = `select pg_is_in_recovery() as "isStandby", bool_and(case name
    when 'TimeZone' then setting = 'UTC'
    when 'DateStyle' then setting like 'ISO%'
    when 'IntervalStyle' then setting = 'postgres'
    else setting::int between 1 and ms
  end) as "isComplete"
  from pg_settings left join (values ('statement_timeout', $1::int), ('lock_timeout', $2::int),
    ('idle_in_transaction_session_timeout', $3::int)) limits (name, ms) using (name)
  where name in ('TimeZone', 'DateStyle', 'IntervalStyle') or ms is not null`;

/** Number of connections for a backup, nightly checks, and sweeps at the same time. */
const LONG_POOL_SIZE = 4;

/** Number of connections for the two cores of a small server. Each takes about 8 MB. */
const EMBEDDED_POOL_SIZE = 6;

/**
 * Opens the database without migrating it.
 * @throws Error with a message for the operator if the server is unreachable, the folder is in use, or another version
 * created it
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { databaseUrl, setting = 'DATABASE_URL', dataDir, create = true, isServerProcess = false, log } = options;
  if (databaseUrl !== undefined) return connect(databaseUrl, `that ${setting} names`, options);
  const server = await openEmbeddedServer(dataDir, { create, isServerProcess, log });
  return connect(server.url, `in ${dataDir}`, { ...options, poolSize: EMBEDDED_POOL_SIZE }, () => server.stop());
}

/** @param stop stops the embedded server */
async function connect(
  url: string,
  name: string,
  { log, databaseListenUrl, poolSize = POOL_SIZE, limits: overrides = {} }: DatabaseOptions,
  stop?: () => Promise<void>,
): Promise<Database> {
  const limits = { ...DEFAULT_LIMITS, ...overrides };
  const hosts = createHosts(url);
  const directHosts = databaseListenUrl === undefined ? undefined : createHosts(databaseListenUrl);
  const settings = {
    keepAlive: true,
    connectionTimeoutMillis: limits.connectMs,
    types: typeParsers,
    limits,
    isDown: () => notifications.availability.isDown(),
  };
  const setSession = (client: pg.ClientBase) => prepareSession(client, SESSION_SETUP_SQL, limits);
  const checkSession = (client: pg.ClientBase) => prepareSession(client, ROLE_CHECK_SQL, limits);
  const longPool =
    directHosts &&
    new GuardedPool({ ...settings, Client: createClientClass(directHosts), max: LONG_POOL_SIZE, prepare: setSession });
  const pool = new GuardedPool({
    ...settings,
    Client: createClientClass(hosts),
    max: poolSize,
    prepare: directHosts ? checkSession : setSession,
    longPool,
  });
  const notifications = openNotifications(directHosts ?? hosts, limits, log, (since) => {
    pool.drop(since);
    longPool?.drop(since);
  });
  const db = createDatabase({ pool, longPool }, log, notifications, stop);
  try {
    await hosts.tryEach(() => pool.query('select 1'));
  } catch (error) {
    await db.close();
    throw new Error(`The PostgreSQL server ${name} cannot be used: ${describeConnectionError(error)}.`);
  }
  return db;
}

async function prepareSession(client: pg.ClientBase, sql: string, limits: DatabaseLimits): Promise<void> {
  const { queryMs, lockMs, idleInTransactionMs } = limits;
  const { rows } = await client.query<{ isStandby: boolean; isComplete?: boolean }>(
    sql,
    [queryMs, lockMs, idleInTransactionMs].map(String),
  );
  if (rows[0]?.isStandby) throw new StandbyError();
  if (rows[0]?.isComplete === false)
    throw new Error('its role lacks the settings that a pooler requires (docs/two-machines.md, Poolers)');
}

/** Creates a client class that connects to the current host. */
function createClientClass(hosts: Hosts): new () => pg.Client {
  return class extends pg.Client {
    constructor(config?: pg.ClientConfig) {
      super({ ...config, connectionString: hosts.current() });
    }
  };
}

/** Ends a pool once all waiting requests have a connection; pool.end() alone would leave them waiting forever. */
async function endPool(pool: pg.Pool): Promise<void> {
  while (pool.waitingCount > 0) await pause(10);
  await pool.end();
}

type Pools = { readonly pool: GuardedPool; readonly longPool: GuardedPool | undefined };

function createDatabase(
  { pool, longPool }: Pools,
  log: Log,
  notifications: Notifications,
  stop: (() => Promise<void>) | undefined,
): Database {
  // A lost connection, idle or in use, would end the process if its pool had no error listeners.
  for (const openPool of longPool ? [pool, longPool] : [pool]) {
    openPool.on('error', (err) => {
      // pool.end() doesn't wait for its connections to close, so the server may end them first.
      if (!openPool.ending) log.warn({ err }, 'a connection to the database was lost');
    });
    openPool.on('connect', (client) => client.on('error', () => {}));
  }
  const changes = createOrgChanges(pool, notifications, log);
  const close = async () => {
    await Promise.all([notifications.close(), changes.close()]);
    await endPool(pool);
    if (longPool) await endPool(longPool);
    await stop?.();
  };
  let closePromise: Promise<void> | undefined;
  return {
    kysely: new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) }),
    pool,
    isEmbedded: stop !== undefined,
    listen: (channel, onNotification) => notifications.listen(channel, onNotification),
    caches: createCaches(),
    changes,
    availability: longPool ? withPoolerCheck(pool, notifications.availability) : notifications.availability,
    close: () => (closePromise ??= close()),
  };
}

/** Adds a check of the pooler, which can be down while the server itself responds. */
function withPoolerCheck(pool: pg.Pool, availability: Reachability): Reachability {
  const responds = () =>
    pool.query('select 1').then(
      () => true,
      () => false,
    );
  return { ...availability, check: async () => (await availability.check()) && (await responds()) };
}
