import { AsyncLocalStorage } from 'node:async_hooks';

/** How long a PostgreSQL server may take, in milliseconds. */
export type DatabaseLimits = {
  /** A statement. */
  readonly statementMs: number;
  /** A statement of work that reads or changes much, see `takingLong`. */
  readonly longStatementMs: number;
  /** A wait for a lock. */
  readonly lockMs: number;
  /** A transaction that asks for nothing. */
  readonly idleInTransactionMs: number;
  /** A wait for a connection, new or free. */
  readonly connectMs: number;
  /** An answer to whether it is there at all. */
  readonly answerMs: number;
  /** From one such question to the next. */
  readonly askEveryMs: number;
  /** From one attempt to reach it again to the next. */
  readonly retryEveryMs: number;
  /** Once it is out of reach, for what it was asked before. */
  readonly giveUpMs: number;
};

export const LIMITS: DatabaseLimits = {
  statementMs: 30_000,
  longStatementMs: 30 * 60_000,
  lockMs: 15_000,
  idleInTransactionMs: 60_000,
  connectMs: 5000,
  answerMs: 1500,
  askEveryMs: 2000,
  retryEveryMs: 250,
  giveUpMs: 1000,
};

/** The server ends a statement that takes too long. One that does not answer at all is left by this much later. */
export const SILENT_MS = 5000;

const long = new AsyncLocalStorage<true>();

/** Runs work whose statements may take minutes: checks of the books, sweeps, changes of all totals. */
export function takingLong<T>(work: () => Promise<T>): Promise<T> {
  return long.run(true, work);
}

/** How long a statement that begins now may take. */
export function statementLimit({ statementMs, longStatementMs }: DatabaseLimits): number {
  return long.getStore() ? longStatementMs : statementMs;
}
