import { callPath } from '#contract/calls.ts';
import { pagePath } from '#contract/pages.ts';
import type { Database } from '#server/db/connection.ts';
import { isReceiptOf } from './receipts.store.ts';

type Place = { readonly orgId: string; readonly checkoutId: string; readonly key: string };

/** The checkout page as a receipt links to it, which stays open for 30 days (decisions §3). */
export function receiptPath({ orgId, checkoutId, key }: Place): string {
  const path = pagePath('checkout-page', { orgid: orgId, checkoutid: checkoutId });
  return `${path}?receipt=${encodeURIComponent(key)}`;
}

/** The receipt itself, for everyone who has its key. */
export function receiptFilePath({ orgId, key }: Omit<Place, 'checkoutId'>): string {
  return `${callPath('openReceipt', { orgid: orgId })}?key=${encodeURIComponent(key)}`;
}

/** Whether a key is the one in the receipt of this checkout. */
export async function cameFromReceipt(
  db: Database,
  orgId: string,
  checkoutId: string,
  key: string | undefined,
): Promise<boolean> {
  return key !== undefined && isReceiptOf(db.kysely, orgId, checkoutId, key);
}
