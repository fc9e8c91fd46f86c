import type { Transaction } from 'kysely';
import type { Database } from '#server/db/connection.ts';
import { withLongTimeout } from '#server/db/limits.ts';
import type { Tables } from '#server/db/tables.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Log } from '#server/log.ts';
import { recomputeTotals, updatePaymentMode } from './ledger.store.ts';

/**
 * Sets whether payments move real money. Call it at each start. If the mode has changed, such as after going live,
 * recomputes all totals from the entries of the new mode.
 */
export async function setPaymentMode(db: Database, livemode: boolean, log: Log): Promise<void> {
  const change = async (tx: Transaction<Tables>) => {
    const previousMode = await updatePaymentMode(tx, livemode);
    if (previousMode !== 'same') await recomputeTotals(tx);
    return previousMode;
  };
  const previousMode = await withLongTimeout(() => inTransaction(db, change));
  if (previousMode === 'other')
    log.warn({ livemode }, 'switched between test and live payments: recomputed all totals');
}
