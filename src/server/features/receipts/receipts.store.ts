import { type Insertable, type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import type { ReceiptsTable, Tables } from '#server/db/tables.ts';

export type ReceiptRow = Selectable<ReceiptsTable>;

/** The organization's next receipt number. The caller must hold the lock on the organization's totals. */
export async function nextReceiptNumber(tx: Transaction<Tables>, orgId: string): Promise<number> {
  const last = await tx
    .selectFrom('receipts')
    .select(sql<number>`coalesce(max(number), 0)::int8`.as('number'))
    .where('org_id', '=', orgId)
    .executeTakeFirstOrThrow();
  return last.number + 1;
}

export async function insertReceipt(tx: Transaction<Tables>, receipt: Insertable<ReceiptsTable>): Promise<void> {
  await tx.insertInto('receipts').values(receipt).execute();
}

/** A receipt with the cart it is for; no cart for a check. */
export function receiptWithCart(db: Kysely<Tables>, orgId: string, number: number) {
  return db
    .selectFrom('receipts')
    .leftJoin('checkouts', (join) =>
      join.onRef('checkouts.org_id', '=', 'receipts.org_id').onRef('checkouts.id', '=', 'receipts.checkout_id'),
    )
    .selectAll('receipts')
    .select('checkouts.cart')
    .where('receipts.org_id', '=', orgId)
    .where('receipts.number', '=', number)
    .executeTakeFirst();
}

export async function isReceiptOf(
  db: Kysely<Tables>,
  orgId: string,
  checkoutId: string,
  key: string,
): Promise<boolean> {
  const receipt = await db
    .selectFrom('receipts')
    .select('number')
    .where('org_id', '=', orgId)
    .where('checkout_id', '=', checkoutId)
    .where('key', '=', key)
    .executeTakeFirst();
  return receipt !== undefined;
}

/** The receipt of a ledger entry. */
export function receiptOfEntry(db: Kysely<Tables>, orgId: string, entryId: string): Promise<ReceiptRow | undefined> {
  return db
    .selectFrom('receipts')
    .selectAll()
    .where('org_id', '=', orgId)
    .where('ledger_entry_id', '=', entryId)
    .executeTakeFirst();
}

export async function noteMailed(db: Kysely<Tables>, orgId: string, number: number): Promise<void> {
  await db.insertInto('receipt_mails').values({ org_id: orgId, number }).execute();
}
