import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { type IsolationLevel, sql, type Transaction } from 'kysely';
import type { Database } from './connection.ts';
import type { Tables } from './tables.ts';

const ATTEMPTS = 5;
const FIRST_PAUSE_MS = 5;

/**
 * Runs `work` in one transaction, up to five times if it conflicts with another one, so `work` must not have other side
 * effects. It may only use `tx`: using `db` inside throws an OutsideTransactionError.
 */
export async function inTransaction<T>(
  db: Database,
  work: (tx: Transaction<Tables>) => Promise<T>,
  isolation: IsolationLevel = 'read committed',
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const { result, changedOrgs } = await runOnce(db, work, isolation);
      if (changedOrgs.size > 0) await db.changes.announce([...changedOrgs]);
      return result;
    } catch (error) {
      if (attempt === ATTEMPTS || !isRetryableConflict(error)) throw error;
    }
    // Random, so that two conflicting transactions do not retry in step.
    await pause(Math.random() * FIRST_PAUSE_MS * 2 ** attempt);
  }
}

/** Author of changes, for the activity record. */
export type Acting = {
  /** Undefined for a visitor. */
  readonly userId: string | undefined;
  /** IP address. */
  readonly client: string;
};

const actingUser = new AsyncLocalStorage<Acting>();

/** Attributes every transaction of `work` to this author. */
export function actAs<T>(author: Acting, work: () => Promise<T>): Promise<T> {
  return actingUser.run(author, work);
}

async function runOnce<T>(
  db: Database,
  work: (tx: Transaction<Tables>) => Promise<T>,
  isolation: IsolationLevel,
): Promise<{ readonly result: T; readonly changedOrgs: ReadonlySet<string> }> {
  const changedOrgs = new Set<string>();
  const result = await db.kysely
    .transaction()
    .setIsolationLevel(isolation)
    .execute(async (tx) => {
      const author = actingUser.getStore();
      if (author) await sql`select set_config('fund.acting', ${JSON.stringify(author)}, true)`.execute(tx);
      return guardTransaction(db.pool, () => work(tx), changedOrgs);
    });
  return { result, changedOrgs };
}

/**
 * Statement that suppresses a transaction's notification at the commit, where it would make all such transactions wait for
 * each other. Call `announceAfterCommit` as well.
 */
export const announceLater = sql<string>`set_config('fund.announce', 'later', true)`;

/** Notifies every server of an organization's change once the transaction has committed. */
export function announceAfterCommit(orgId: string): void {
  current.getStore()?.changedOrgs.add(orgId);
}

/**
 * Locks an email address until the transaction ends, so that an invitation and the verification of its address can't
 * miss each other.
 * @param address in lower case
 */
export async function lockAddress(tx: Transaction<Tables>, address: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`address:${address}`}, 0))`.execute(tx);
}

type OpenTransaction = { readonly pool: object; readonly changedOrgs: Set<string>; open: boolean };

const current = new AsyncLocalStorage<OpenTransaction>();

/** The database was used inside a transaction but not through it, which is a bug. */
export class OutsideTransactionError extends Error {
  override readonly name = 'OutsideTransactionError';
  constructor() {
    super(
      'The database was used inside a transaction but not through it. Pass the transaction on: otherwise the query is not ' +
        'part of it, and waits for a second connection, which deadlocks when all connections do the same.',
    );
  }
}

/** Runs `work`, and rejects any other use of the pool from the same async context. */
export async function guardTransaction<T>(
  pool: object,
  work: () => Promise<T>,
  changedOrgs = new Set<string>(),
): Promise<T> {
  const transaction: OpenTransaction = { pool, changedOrgs, open: true };
  try {
    return await current.run(transaction, work);
  } finally {
    // Timers started inside keep this context and may use the pool from now on.
    transaction.open = false;
  }
}

export function errorInsideTransaction(pool: object): OutsideTransactionError | undefined {
  const transaction = current.getStore();
  return transaction?.open === true && transaction.pool === pool ? new OutsideTransactionError() : undefined;
}

// PostgreSQL's appendix A.
const UNIQUE_VIOLATION = '23505';
const FOREIGN_KEY_VIOLATION = '23503';
const SERIALIZATION_FAILURE = '40001';
const DEADLOCK_DETECTED = '40P01';

export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  return isViolation(error, UNIQUE_VIOLATION, constraint);
}

export function isForeignKeyViolation(error: unknown, constraint?: string): boolean {
  return isViolation(error, FOREIGN_KEY_VIOLATION, constraint);
}

/** A serialization failure or deadlock. */
export function isRetryableConflict(error: unknown): boolean {
  return hasCode(error, SERIALIZATION_FAILURE) || hasCode(error, DEADLOCK_DETECTED);
}

export function hasCode(error: unknown, code: string): boolean {
  return textOf(error, 'code') === code;
}

function isViolation(error: unknown, code: string, constraint: string | undefined): boolean {
  return hasCode(error, code) && (constraint === undefined || textOf(error, 'constraint') === constraint);
}

function textOf(error: unknown, field: 'code' | 'constraint'): unknown {
  return error instanceof Error && field in error ? Reflect.get(error, field) : undefined;
}
