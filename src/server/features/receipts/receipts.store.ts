import { type Insertable, type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import type { ReceiptsTable, Tables } from '#server/db/tables.ts';

export type ReceiptRow = Selectable<ReceiptsTable>;

/** The number after the last one of the organisation: whoever asks holds the organisation's totals locked. */
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

export function receiptByNumber(db: Kysely<Tables>, orgId: string, number: number): Promise<ReceiptRow | undefined> {
  return db
    .selectFrom('receipts')
    .selectAll()
    .where('org_id', '=', orgId)
    .where('number', '=', number)
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

/** The receipt of an entry of the ledger. */
export function receiptOfEntry(db: Kysely<Tables>, orgId: string, entryId: string): Promise<ReceiptRow | undefined> {
  return db
    .selectFrom('receipts')
    .selectAll()
    .where('org_id', '=', orgId)
    .where('ledger_entry_id', '=', entryId)
    .executeTakeFirst();
}

/** Takes the name and the address out of a checkout's receipts, which stay as they are otherwise. */
export async function forgetReceiptsOf(tx: Transaction<Tables>, orgId: string, checkoutId: string): Promise<void> {
  await tx
    .updateTable('receipts')
    .set({ email: null, name: null })
    .where('org_id', '=', orgId)
    .where('checkout_id', '=', checkoutId)
    .execute();
}

export async function noteMailed(db: Kysely<Tables>, orgId: string, number: number): Promise<void> {
  await db.insertInto('receipt_mails').values({ org_id: orgId, number }).execute();
}
