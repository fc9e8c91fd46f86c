import { pagePath } from '#contract/pages.ts';
import type { Database } from '#server/db/connection.ts';
import { isReceiptOf } from './receipts.store.ts';

/** Where a receipt leads: to the checkout's page, which it keeps open for 30 days (decisions §3). */
export function receiptLink(publicUrl: string, place: { orgId: string; checkoutId: string; key: string }): string {
  const path = pagePath('checkout-page', { orgid: place.orgId, checkoutid: place.checkoutId });
  return `${publicUrl}${path}?receipt=${encodeURIComponent(place.key)}`;
}

/** Whether a key came from the receipt of this very checkout. */
export async function cameFromReceipt(
  db: Database,
  orgId: string,
  checkoutId: string,
  key: string | undefined,
): Promise<boolean> {
  return key !== undefined && isReceiptOf(db.kysely, orgId, checkoutId, key);
}
