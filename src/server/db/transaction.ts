import { setTimeout as pause } from 'node:timers/promises';
import type { IsolationLevel, Transaction } from 'kysely';
import type { Database } from './connection.ts';
import type { Tables } from './tables.ts';
import { guardTransaction } from './transaction-guard.ts';
import { isPassingConflict } from './violations.ts';

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
      if (attempt === ATTEMPTS || !isPassingConflict(error)) throw error;
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
