import { Failure } from '#domain/failures.ts';
import type { AppDeps } from '#server/deps.ts';
import { type CheckoutKey, findCheckoutRow } from '#server/entities/find-checkout.ts';
import { findReceiptSourceByKey, readReceiptFile } from '#server/features/receipts/read-receipt.ts';
import type { FileResponse } from '#server/http/call-route.ts';
import { findDonorOnlyFields } from './checkouts.store.ts';
import { isCreator } from './payer.ts';

/**
 * Reads a gift's receipt as a PDF, for the browser that opened the checkout (decisions §6).
 * @param creatorHash the hash of the browser's cookie, if any
 * @returns Failure receipt-not-found
 */
export async function openCheckoutReceipt(
  { db }: Pick<AppDeps, 'db'>,
  key: CheckoutKey,
  creatorHash: string | undefined,
): Promise<FileResponse | Failure> {
  const checkout = await findCheckoutRow(db.kysely, key);
  if (!checkout || !isCreator(checkout, creatorHash)) return new Failure('receipt-not-found');
  const { receipt_key } = await findDonorOnlyFields(db.kysely, checkout.id);
  const source = receipt_key === null ? undefined : await findReceiptSourceByKey(db.kysely, key.orgId, receipt_key);
  return readReceiptFile({ db }, source);
}
