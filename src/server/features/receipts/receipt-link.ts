import { callPath } from '#contract/calls.ts';
import { pagePath } from '#contract/pages.ts';
import type { CheckoutId, OrgId } from '#domain/ids.ts';
import type { Database } from '#server/db/connection.ts';
import { findReceiptSourceByKey } from './receipt-sources.store.ts';
import { isReceiptForCheckout } from './receipts.store.ts';

type ReceiptRef = { readonly orgId: OrgId; readonly checkoutId: CheckoutId; readonly key: string };

/** Path of the receipt's link to the checkout page, which works for 30 days (decisions §3). */
export function receiptPath({ orgId, checkoutId, key }: ReceiptRef): string {
  const path = pagePath('checkout-page', { orgid: orgId, checkoutid: checkoutId });
  return `${path}?receipt=${encodeURIComponent(key)}`;
}

/** Path of the receipt's PDF, which anyone with its key can open. */
export function receiptFilePath({ orgId, key }: Omit<ReceiptRef, 'checkoutId'>): string {
  return `${callPath('openReceipt', { orgid: orgId })}?key=${encodeURIComponent(key)}`;
}

export async function hasReceipt(db: Database, orgId: OrgId, key: string): Promise<boolean> {
  return (await findReceiptSourceByKey(db.kysely, orgId, key)) !== undefined;
}

/** Checks that a key belongs to a receipt of this checkout. */
export async function isReceiptLink(
  db: Database,
  orgId: OrgId,
  checkoutId: CheckoutId,
  key: string | undefined,
): Promise<boolean> {
  return key !== undefined && isReceiptForCheckout(db.kysely, orgId, checkoutId, key);
}
