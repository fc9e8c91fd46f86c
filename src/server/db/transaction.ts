import { setTimeout as pause } from 'node:timers/promises';
import { type IsolationLevel, sql, type Transaction } from 'kysely';
import { getCurrentAuthor } from './author.ts';
import type { Database } from './connection.ts';
import { isRetryableConflict } from './error-codes.ts';
import { deferNotifications, listUnnotifiedOrgIds } from './org-changes.ts';
import type { Tables } from './tables.ts';
import { guardTransaction } from './transaction-guard.ts';
import { isUnreachable, retryUntilAvailable, UnreachableError } from './unavailable.ts';

const MAX_ATTEMPTS = 5;
const BASE_DELAY_MS = 5;

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
      return await runOnce(db, work, isolation);
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !isRetryableConflict(error)) throw error;
    }
    // The pause is random so that two conflicting transactions don't retry at the same time.
    await pause(Math.random() * BASE_DELAY_MS * 2 ** attempt);
  }
}

/**
 * Runs a transaction that posts gifts, many of which can arrive at the same time. Servers are notified of the changed
 * organizations after the commit, because PostgreSQL serializes commits of transactions that use NOTIFY. Rarer ledger
 * entries, such as payouts and checks, are posted with `inTransaction`.
 */
export async function inLedgerTransaction<T>(db: Database, work: (tx: Transaction<Tables>) => Promise<T>): Promise<T> {
  const { result, changedOrgIds } = await inTransaction(db, async (tx) => {
    await deferNotifications(tx);
    return { result: await work(tx), changedOrgIds: await listUnnotifiedOrgIds(tx) };
  });
  if (changedOrgIds.length > 0) await db.changes.announce(changedOrgIds);
  return result;
}

/**
 * Runs a transaction that creates something. If the response to its commit is lost, waits up to 20 seconds for the database,
 * and runs it again unless it was committed.
 * @param isCommitted checks whether the new record exists
 */
export async function createInTransaction(
  db: Database,
  work: (tx: Transaction<Tables>) => Promise<void>,
  isCommitted: () => Promise<boolean>,
): Promise<void> {
  try {
    await inTransaction(db, work);
  } catch (error) {
    // No query was sent to a database that is known to be unreachable.
    if (!isUnreachable(error) || error instanceof UnreachableError) throw error;
    await retryUntilAvailable(async () => {
      if (!(await isCommitted())) await inTransaction(db, work);
    });
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
    .execute(async (tx) => {
      const author = getCurrentAuthor();
      if (author) await sql`select set_config('fund.actor', ${JSON.stringify(author)}, true)`.execute(tx);
      return guardTransaction(db.pool, () => work(tx));
    });
}
