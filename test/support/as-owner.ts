import { sql, type Transaction } from 'kysely';
import type { Database } from '#server/db/connection.ts';
import type { Tables } from '#server/db/tables.ts';
import { inTransaction } from '#server/db/transaction.ts';

/** Runs as the owner, who may disable the triggers that protect the books. */
export function runAsOwner(db: Database, work: (tx: Transaction<Tables>) => Promise<unknown>): Promise<unknown> {
  return inTransaction(db, async (tx) => {
    await sql`set local session_replication_role = 'replica'`.execute(tx);
    return work(tx);
  });
}
