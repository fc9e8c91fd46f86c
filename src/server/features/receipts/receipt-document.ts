import type { Kysely } from 'kysely';
import type { ReceiptHistory, TestPayment } from '#domain/receipt.ts';
import type { Tables } from '#server/db/tables.ts';
import type { ReceiptWithReturns } from './receipt-sources.store.ts';
import { listReceiptNotes } from './receipts.store.ts';

/** Reads a receipt's notes and remaining amount. Ignores pending refunds, which may still fail. */
export async function readHistory(db: Kysely<Tables>, source: ReceiptWithReturns): Promise<ReceiptHistory> {
  const { org_id: orgId, number, amount_cents: amount, returned_cents, is_reversed } = source;
  const remaining = is_reversed ? 0 : Math.max(0, amount - returned_cents);
  return { notes: await listReceiptNotes(db, { orgId, number }), remaining };
}

/** @param livemode mode reported by the provider; undefined for a check */
export function getTestPaymentKind(sandbox: boolean, livemode: boolean | undefined): TestPayment | undefined {
  if (sandbox) return 'sandbox';
  return livemode === false ? 'test' : undefined;
}
