import { sql, type Transaction } from 'kysely';
import type { Database } from '#server/db/connection.ts';
import type { Tables } from '#server/db/tables.ts';
import { inTransaction } from '#server/db/transaction.ts';

/** Runs work with the ledger's triggers disabled, which only the database's owner may do. */
export function runWithTriggersDisabled(
  db: Database,
  work: (tx: Transaction<Tables>) => Promise<unknown>,
): Promise<unknown> {
  return inTransaction(db, async (tx) => {
    await sql`set local session_replication_role = 'replica'`.execute(tx);
    return work(tx);
  });
}
