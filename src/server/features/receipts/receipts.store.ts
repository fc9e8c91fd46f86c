import { type Insertable, type Kysely, type Selectable, type SqlBool, sql, type Transaction } from 'kysely';
import type { ReceiptNote } from '#domain/receipt.ts';
import type { ReceiptSeries } from '#server/db/column-types.ts';
import type { Tables } from '#server/db/tables.ts';

export type ReceiptRow = Selectable<Tables['receipts']>;
export type ReceiptKey = { readonly orgId: string; readonly number: number };

/**
 * Takes the donee's next number. All organizations wait for each other from here to the end of the transaction, so it is
 * taken late, after the lock on the totals.
 */
export async function takeNumber(tx: Transaction<Tables>, series: ReceiptSeries): Promise<number> {
  const { last } = await tx
    .updateTable('receipt_numbers')
    .set({ last: sql`last + 1` })
    .where('series', '=', series)
    .returning('last')
    .executeTakeFirstOrThrow();
  return last;
}

/** Skips one of the donee's next numbers for each payment that no earlier gap was for, and all up to `lastPrinted`. */
export async function skipNumbers(
  tx: Transaction<Tables>,
  series: ReceiptSeries,
  {
    paymentIds,
    lastPrinted,
    at,
  }: { readonly paymentIds: readonly string[]; readonly lastPrinted: number; readonly at: Date },
): Promise<NumberGap | undefined> {
  const numbers = tx.selectFrom('receipt_numbers').select('last').where('series', '=', series);
  const { last } = await numbers.forUpdate().executeTakeFirstOrThrow();
  const gaps = await tx.selectFrom('receipt_number_gaps').select('payment_ids').where('series', '=', series).execute();
  const covered = new Set(gaps.flatMap(({ payment_ids }) => payment_ids));
  const uncovered = paymentIds.filter((id) => !covered.has(id));
  const gap = { first: last + 1, last: Math.max(last + uncovered.length, lastPrinted) };
  if (gap.last <= last) return undefined;
  await tx
    .insertInto('receipt_number_gaps')
    .values({ ...gap, series, payment_ids: uncovered, created_at: at })
    .execute();
  await tx.updateTable('receipt_numbers').set({ last: gap.last }).where('series', '=', series).execute();
  return gap;
}

export type NumberGap = { readonly first: number; readonly last: number };

export async function insertReceipt(tx: Transaction<Tables>, receipt: Insertable<Tables['receipts']>): Promise<void> {
  await tx.insertInto('receipts').values(receipt).execute();
}

/** What an organization prints on its receipts, and its last one. The caller must hold the lock on its totals. */
export function receiptOrg(tx: Transaction<Tables>, orgId: string) {
  const last = sql<number>`(select coalesce(max(number), 0)::int8 from receipts where org_id = orgs.id)`;
  return tx
    .selectFrom('orgs')
    .select(['name', 'time_zone', 'typical_grant_cents', last.as('last_number')])
    .where('id', '=', orgId)
    .executeTakeFirstOrThrow();
}

/** The notes of a receipt, the oldest first. */
export async function notesOf(db: Kysely<Tables>, { orgId, number }: ReceiptKey): Promise<ReceiptNote[]> {
  const rows = await db
    .selectFrom('receipt_notes')
    .select(['noted_on', 'text'])
    .where('org_id', '=', orgId)
    .where('number', '=', number)
    .orderBy('noted_on')
    .orderBy('created_at')
    .orderBy('fact')
    .execute();
  return rows.map(({ noted_on, text }) => ({ on: noted_on, text }));
}

/** Adds a note, once for its fact. @returns whether it is new */
export async function addReceiptNote(
  tx: Transaction<Tables>,
  note: Insertable<Tables['receipt_notes']>,
): Promise<boolean> {
  const added = await tx
    .insertInto('receipt_notes')
    .values(note)
    .onConflict((conflict) => conflict.column('fact').doNothing())
    .returning('fact')
    .executeTakeFirst();
  return added !== undefined;
}

export async function hasReceiptNote(tx: Transaction<Tables>, fact: string): Promise<boolean> {
  const found = await tx.selectFrom('receipt_notes').select('fact').where('fact', '=', fact).executeTakeFirst();
  return found !== undefined;
}

/** What went back, with the address of the donor's receipt unless the donor was erased. */
export function returnById(db: Kysely<Tables>, id: string) {
  return db
    .selectFrom('returns')
    .innerJoin('receipts', 'receipts.ledger_entry_id', 'returns.entry_id')
    .innerJoin('checkouts', 'checkouts.id', 'receipts.checkout_id')
    .select(['returns.status', 'receipts.org_id', 'receipts.number'])
    .select(
      sql<string | null>`case when receipts.erase_payer or checkouts.forgotten_at is not null then null
        else receipts.email end`.as('email'),
    )
    .where('returns.id', '=', id)
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

export function receiptOfEntry(db: Kysely<Tables>, orgId: string, entryId: string): Promise<ReceiptRow | undefined> {
  return db
    .selectFrom('receipts')
    .selectAll()
    .where('org_id', '=', orgId)
    .where('ledger_entry_id', '=', entryId)
    .executeTakeFirst();
}

/** The receipt of a ledger entry, locked. */
export function lockedReceipt(
  tx: Transaction<Tables>,
  orgId: string,
  entryId: string,
): Promise<ReceiptRow | undefined> {
  return tx
    .selectFrom('receipts')
    .selectAll()
    .where('org_id', '=', orgId)
    .where('ledger_entry_id', '=', entryId)
    .forUpdate()
    .executeTakeFirst();
}

/** Sends the receipt to this address from now on. @param sentTo null: to the donor's own */
export async function changeAddress(
  tx: Transaction<Tables>,
  { orgId, number }: ReceiptKey,
  sentTo: string | null,
): Promise<void> {
  await tx
    .updateTable('receipts')
    .set({ sent_to: sentTo })
    .where('org_id', '=', orgId)
    .where('number', '=', number)
    .execute();
}

/** A receipt that has not arrived keeps its payer until it is mailed: a trigger erases it then. */
export async function erasePayer(tx: Transaction<Tables>, orgId: string, checkoutId: string): Promise<void> {
  const isDone = sql<SqlBool>`delivery not in ('waiting', 'refused', 'failed')`;
  await tx
    .updateTable('receipts')
    .set({
      email: sql`case when ${isDone} then null else email end`,
      sent_to: sql`case when ${isDone} then null else sent_to end`,
      name: sql`case when ${isDone} then null else name end`,
      erase_payer: true,
    })
    .where('org_id', '=', orgId)
    .where('checkout_id', '=', checkoutId)
    .execute();
}
