import { callbackify } from 'node:util';
import pg from 'pg';
import { type DatabaseLimits, getQueryLimit, UNRESPONSIVE_MS } from './limits.ts';
import { findTransactionMisuse } from './transaction-guard.ts';
import { UnreachableError } from './unavailable.ts';

type ConnectCallback = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  done: (release?: unknown) => void,
) => void;

type GuardedPoolConfig = Omit<pg.PoolConfig, 'onConnect' | 'verify'> & {
  /** Prepares each new connection before its first use. */
  readonly prepare: (client: pg.ClientBase) => Promise<unknown>;
  readonly limits: DatabaseLimits;
  /** True while the database is known to be unreachable, so waiting for a connection is pointless. */
  readonly isDown: () => boolean;
  /** Pool for work with a long time limit; set if this pool's connections can't change their limit. */
  readonly longPool?: GuardedPool | undefined;
};

/**
 * A connection pool that rejects queries outside an open transaction of the same async context, drops connections that
 * don't respond, and rejects waiting callers when the database is unreachable.
 */
export class GuardedPool extends pg.Pool {
  readonly #limits: DatabaseLimits;
  readonly #isDown: () => boolean;
  readonly #longPool: GuardedPool | undefined;
  readonly #watchdogs = new Map<pg.ClientBase, ClientWatchdog>();
  /** Callbacks that reject the callers waiting for a connection. */
  readonly #rejectWaiting = new Set<(reason: Error) => void>();

  constructor({ prepare, limits, isDown, longPool, ...config }: GuardedPoolConfig) {
    // With `verify`, the pool would lose a connection whose request times out during preparation, and would never end.
    // The pool awaits this promise, although its types don't say so.
    const onConnect: (client: pg.ClientBase) => unknown = (client) => this.#prepare(client, prepare);
    super({ ...config, onConnect });
    this.#limits = limits;
    this.#isDown = isDown;
    this.#longPool = longPool;
  }

  /** Watches a connection from the start, because the pool has no time limit for an established connection. */
  async #prepare(client: pg.ClientBase, prepare: GuardedPoolConfig['prepare']): Promise<void> {
    if (!isClient(client)) throw new TypeError('A client of the pool has no connection.');
    const watchdog = createWatchdog(client, this.#limits.queryMs);
    this.#watchdogs.set(client, watchdog);
    client.once('end', () => this.#watchdogs.delete(client));
    const timer = setTimeout(() => watchdog.drop(), this.#limits.connectMs).unref();
    try {
      await prepare(client);
    } finally {
      clearTimeout(timer);
    }
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: ConnectCallback): void;
  override connect(callback?: ConnectCallback): Promise<pg.PoolClient> | undefined {
    const failure = findTransactionMisuse(this) ?? (this.#isDown() ? new UnreachableError() : undefined);
    const connection = failure === undefined ? this.#acquire() : Promise.reject(failure);
    if (callback === undefined) return connection;
    callbackify(() => connection)((error: Error | null, client?: pg.PoolClient) => {
      callback(error ?? undefined, client, (release) => client?.release(release instanceof Error || release === true));
    });
    return undefined;
  }

  async #acquire(): Promise<pg.PoolClient> {
    const limit = getQueryLimit(this.#limits);
    if (this.#longPool && limit > this.#limits.queryMs) return this.#longPool.connect();
    const client = await this.#waitForConnection(super.connect());
    try {
      await this.#watchdogs.get(client)?.setLimit(limit);
      return client;
    } catch (error) {
      client.release(true);
      throw error;
    }
  }

  /** Waits for a connection until `drop` rejects the caller. A connection acquired later is released. */
  async #waitForConnection(connection: Promise<pg.PoolClient>): Promise<pg.PoolClient> {
    const { promise: rejection, reject } = Promise.withResolvers<never>();
    this.#rejectWaiting.add(reject);
    try {
      return await Promise.race([connection, rejection]);
    } catch (error) {
      if (error instanceof UnreachableError) {
        connection.then(
          (client) => client.release(),
          () => {},
        );
      }
      throw error;
    } finally {
      this.#rejectWaiting.delete(reject);
    }
  }

  /**
   * Drops connections with their pending queries.
   * @param since only drops connections with a query pending since before this time (performance.now()). If omitted, drops
   * all connections and rejects waiting callers.
   */
  drop(since?: number): void {
    if (since === undefined) for (const reject of this.#rejectWaiting) reject(new UnreachableError());
    for (const client of this.#watchdogs.values()) {
      if (since === undefined || client.pendingSince() < since) client.drop();
    }
  }
}

/** Narrows the type: the pool passes complete clients, although its types don't say so. */
function isClient(client: pg.ClientBase): client is pg.Client {
  return 'connection' in client;
}

type ClientWatchdog = {
  /** Start time of the last query while it is pending, by performance.now(); Infinity if no query is pending. */
  pendingSince(): number;
  /** Sets the limit for later statements. */
  setLimit(queryMs: number): Promise<void>;
  drop(): void;
};

/** Drops a connection that doesn't respond for longer than the server's statement limit, because it is frozen or gone. */
function createWatchdog(client: pg.Client, initialLimit: number): ClientWatchdog {
  const query: (...args: unknown[]) => unknown = client.query.bind(client);
  const drop = () => client.connection.stream.destroy();
  let queryMs = initialLimit;
  let timer: NodeJS.Timeout | undefined;
  let pendingSince = Number.POSITIVE_INFINITY;
  const stop = () => {
    clearTimeout(timer);
    pendingSince = Number.POSITIVE_INFINITY;
  };
  client.on('drain', stop);
  client.on('end', stop);
  const timedQuery = (...args: unknown[]): unknown => {
    clearTimeout(timer);
    timer = setTimeout(drop, queryMs + UNRESPONSIVE_MS).unref();
    pendingSince = performance.now();
    return query(...args);
  };
  // Forwards all arguments unchanged.
  client.query = timedQuery as typeof client.query;
  return {
    pendingSince: () => pendingSince,
    setLimit: async (newLimit) => {
      if (newLimit === queryMs) return;
      queryMs = newLimit;
      await client.query(`select set_config('statement_timeout', $1, false)`, [String(newLimit)]);
    },
    drop,
  };
}
