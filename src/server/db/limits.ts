import { AsyncLocalStorage } from 'node:async_hooks';

/** Time limits for a PostgreSQL server, in milliseconds. */
export type DatabaseLimits = {
  /** Limit for a query. */
  readonly queryMs: number;
  /** Limit for a query that reads or changes a lot of data; see `withLongTimeout`. */
  readonly longQueryMs: number;
  /** Maximum wait for a lock. */
  readonly lockMs: number;
  /** Limit for an idle transaction. */
  readonly idleInTransactionMs: number;
  /** Maximum wait for a connection. */
  readonly connectMs: number;
  /** Maximum wait for the response to a reachability check. */
  readonly responseMs: number;
  /** Interval between reachability checks. */
  readonly checkEveryMs: number;
  /** Interval between reconnection attempts. */
  readonly retryEveryMs: number;
  /** How long pending queries wait once the database is unreachable. */
  readonly giveUpMs: number;
};

export const DEFAULT_LIMITS: DatabaseLimits = {
  queryMs: 30_000,
  longQueryMs: 30 * 60_000,
  lockMs: 15_000,
  idleInTransactionMs: 60_000,
  connectMs: 5000,
  responseMs: 1500,
  checkEveryMs: 2000,
  retryEveryMs: 250,
  giveUpMs: 1000,
};

/** Default number of connections. */
export const POOL_SIZE = 10;

/** Extra time for the server to cancel a slow query. After that, the connection is dropped. */
export const UNRESPONSIVE_MS = 5000;

const longTimeout = new AsyncLocalStorage<true>();

/** Runs work whose queries may take minutes: ledger checks, sweeps, and changes of all totals. */
export function withLongTimeout<T>(work: () => Promise<T>): Promise<T> {
  return longTimeout.run(true, work);
}

/** Returns the limit for a query in the current async context. */
export function getQueryLimit({ queryMs, longQueryMs }: DatabaseLimits): number {
  return longTimeout.getStore() ? longQueryMs : queryMs;
}
