import type { Transaction } from 'kysely';
import type { Database } from '#server/db/connection.ts';
import { withLongTimeout } from '#server/db/limits.ts';
import type { Tables } from '#server/db/tables.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Log } from '#server/log.ts';
import { changeMode, recomputeTotals } from './ledger.store.ts';

/**
 * Sets whether payments move real money. When that changes, say from trying the program out to the real thing, all totals
 * are added up again from the entries of the new mode. Call it at each start.
 */
export async function setPaymentMode(db: Database, livemode: boolean, log: Log): Promise<void> {
  const change = async (tx: Transaction<Tables>) => {
    const changed = await changeMode(tx, livemode);
    if (changed !== 'same') await recomputeTotals(tx);
    return changed;
  };
  const before = await withLongTimeout(() => inTransaction(db, change));
  if (before === 'other')
    log.warn({ livemode }, 'payments changed between test and live: all totals were added up again');
}
