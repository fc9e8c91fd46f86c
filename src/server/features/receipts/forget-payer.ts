import type { Transaction } from 'kysely';
import type { Tables } from '#server/db/tables.ts';
import { forgetReceiptsOf } from './receipts.store.ts';

/** Takes who paid out of the receipts of a checkout. Their numbers, dates and sums stay. */
export function forgetPayer(tx: Transaction<Tables>, orgId: string, checkoutId: string): Promise<void> {
  return forgetReceiptsOf(tx, orgId, checkoutId);
}
