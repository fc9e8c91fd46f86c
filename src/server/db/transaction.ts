import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { type IsolationLevel, sql, type Transaction } from 'kysely';
import type { Database } from './connection.ts';
import type { Tables } from './tables.ts';

const ATTEMPTS = 5;
const FIRST_PAUSE_MS = 5;

/**
 * Runs `work` in one transaction, and again (at most five times in all) when PostgreSQL gave it up for a conflict with
 * another one; so `work` may change nothing but the database. Inside, only `tx` may be used: a call that uses the
 * database itself is refused with an OutsideTransactionError.
 */
export async function inTransaction<T>(
  db: Database,
  work: (tx: Transaction<Tables>) => Promise<T>,
  isolation: IsolationLevel = 'read committed',
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await runOnce(db, work, isolation);
    } catch (error) {
      if (attempt === ATTEMPTS || !isRetryableConflict(error)) throw error;
    }
    // Unequal pauses, or two that met would meet again.
    await pause(Math.random() * FIRST_PAUSE_MS * 2 ** attempt);
  }
}

function runOnce<T>(
  db: Database,
  work: (tx: Transaction<Tables>) => Promise<T>,
  isolation: IsolationLevel,
): Promise<T> {
  return db.kysely
    .transaction()
    .setIsolationLevel(isolation)
    .execute((tx) => guardTransaction(db.pool, () => work(tx)));
}

/**
 * Until the transaction ends, nobody else does anything about this address that asks for it too. So what is left for
 * an address just while it is being proven is either found by the proof, or finds the proof.
 * @param address in small letters
 */
export async function lockAddress(tx: Transaction<Tables>, address: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`address:${address}`}, 0))`.execute(tx);
}

type OpenTransaction = { readonly pool: object; open: boolean };

const current = new AsyncLocalStorage<OpenTransaction>();

/** Somebody used the database beside the transaction they are in. A mistake in the program, never a visitor's. */
export class OutsideTransactionError extends Error {
  override readonly name = 'OutsideTransactionError';
  constructor() {
    super(
      'The database was used inside a transaction but not through it. Hand the transaction on: on the embedded ' +
        'database, which has one connection, this would wait for itself for ever.',
    );
  }
}

/** Runs `work`, during which every other use of the pool from the same flow of calls is refused. */
export async function guardTransaction<T>(pool: object, work: () => Promise<T>): Promise<T> {
  const transaction: OpenTransaction = { pool, open: true };
  try {
    return await current.run(transaction, work);
  } finally {
    // Timers and the like that were started inside live on with this context, and are free from here.
    transaction.open = false;
  }
}

/** The error to give to whoever asks this pool for a connection from inside a transaction, if they are inside one. */
export function errorInsideTransaction(pool: object): OutsideTransactionError | undefined {
  const transaction = current.getStore();
  return transaction?.open === true && transaction.pool === pool ? new OutsideTransactionError() : undefined;
}

// Codes of PostgreSQL's appendix A. The two engines have error classes of their own, and the codes in common.
const UNIQUE_VIOLATION = '23505';
const FOREIGN_KEY_VIOLATION = '23503';
const SERIALIZATION_FAILURE = '40001';
const DEADLOCK_DETECTED = '40P01';

/** Whether a row was refused because one like it exists; of this constraint only, when one is named. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  return isViolation(error, UNIQUE_VIOLATION, constraint);
}

/** Whether a row was refused because what it refers to does not exist, or is still referred to. */
export function isForeignKeyViolation(error: unknown, constraint?: string): boolean {
  return isViolation(error, FOREIGN_KEY_VIOLATION, constraint);
}

/** Whether a transaction was given up for another one, and would pass if run again. */
export function isRetryableConflict(error: unknown): boolean {
  const code = textOf(error, 'code');
  return code === SERIALIZATION_FAILURE || code === DEADLOCK_DETECTED;
}

function isViolation(error: unknown, code: string, constraint: string | undefined): boolean {
  return textOf(error, 'code') === code && (constraint === undefined || textOf(error, 'constraint') === constraint);
}

function textOf(error: unknown, field: 'code' | 'constraint'): unknown {
  return error instanceof Error && field in error ? Reflect.get(error, field) : undefined;
}
