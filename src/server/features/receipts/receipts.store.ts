import { type Insertable, type Kysely, type Selectable, type SqlBool, sql, type Transaction } from 'kysely';
import type { CheckoutId, OrgId } from '#domain/ids.ts';
import type { ReceiptNote } from '#domain/receipt.ts';
import type { ReceiptSeries } from '#server/db/column-types.ts';
import type { Tables } from '#server/db/tables.ts';

export type ReceiptRow = Selectable<Tables['receipts']>;
export type ReceiptKey = { readonly orgId: OrgId; readonly number: number };

/**
 * Takes the donee's next number. Its lock, which all organizations share, is held until the transaction ends, so call
 * this late, after locking the totals.
 */
export async function reserveReceiptNumber(tx: Transaction<Tables>, series: ReceiptSeries): Promise<number> {
  const { last } = await tx
    .updateTable('receipt_numbers')
    .set({ last: sql`last + 1` })
    .where('series', '=', series)
    .returning('last')
    .executeTakeFirstOrThrow();
  return last;
}

/** Skips a number for each payment that no earlier gap covers, and at least all numbers up to `lastPrintedNumber`. */
export async function skipReceiptNumbers(
  tx: Transaction<Tables>,
  series: ReceiptSeries,
  {
    paymentIds,
    lastPrintedNumber,
    skippedAt,
  }: { readonly paymentIds: readonly string[]; readonly lastPrintedNumber: number; readonly skippedAt: Date },
): Promise<NumberGap | undefined> {
  const numbers = tx.selectFrom('receipt_numbers').select('last').where('series', '=', series);
  const { last } = await numbers.forUpdate().executeTakeFirstOrThrow();
  const gaps = await tx.selectFrom('receipt_number_gaps').select('payment_ids').where('series', '=', series).execute();
  const coveredPayments = new Set(gaps.flatMap(({ payment_ids }) => payment_ids));
  const uncoveredPayments = paymentIds.filter((id) => !coveredPayments.has(id));
  const gap = { first: last + 1, last: Math.max(last + uncoveredPayments.length, lastPrintedNumber) };
  if (gap.last <= last) return undefined;
  await tx
    .insertInto('receipt_number_gaps')
    .values({ ...gap, series, payment_ids: uncoveredPayments, created_at: skippedAt })
    .execute();
  await tx.updateTable('receipt_numbers').set({ last: gap.last }).where('series', '=', series).execute();
  return gap;
}

export type NumberGap = { readonly first: number; readonly last: number };

export async function insertReceipt(tx: Transaction<Tables>, receipt: Insertable<Tables['receipts']>): Promise<void> {
  await tx.insertInto('receipts').values(receipt).execute();
}

/** Reads an organization's receipt fields and last receipt number. The caller must hold the lock on its totals. */
export function findReceiptOrg(tx: Transaction<Tables>, orgId: OrgId) {
  const lastNumber = sql<number>`(select coalesce(max(number), 0)::int8 from receipts where org_id = orgs.id)`;
  return tx
    .selectFrom('orgs')
    .select(['name', 'time_zone', 'typical_grant_cents', lastNumber.as('last_number')])
    .where('id', '=', orgId)
    .executeTakeFirstOrThrow();
}

/** Lists a receipt's notes, oldest first. */
export async function listReceiptNotes(db: Kysely<Tables>, { orgId, number }: ReceiptKey): Promise<ReceiptNote[]> {
  const rows = await db
    .selectFrom('receipt_notes')
    .select(['noted_on', 'text'])
    .where('org_id', '=', orgId)
    .where('number', '=', number)
    .orderBy('noted_on')
    .orderBy('created_at')
    .orderBy('fact')
    .execute();
  return rows.map(({ noted_on, text }) => ({ date: noted_on, text }));
}

/** Adds a note unless its fact is already noted. @returns whether the note is new */
export async function insertReceiptNote(
  tx: Transaction<Tables>,
  note: Insertable<Tables['receipt_notes']>,
): Promise<boolean> {
  const newNote = await tx
    .insertInto('receipt_notes')
    .values(note)
    .onConflict((conflict) => conflict.column('fact').doNothing())
    .returning('fact')
    .executeTakeFirst();
  return newNote !== undefined;
}

export async function hasReceiptNote(tx: Transaction<Tables>, fact: string): Promise<boolean> {
  const note = await tx.selectFrom('receipt_notes').select('fact').where('fact', '=', fact).executeTakeFirst();
  return note !== undefined;
}

/** Finds a refund or dispute, with the receipt's email address unless the donor was erased. */
export function findReturn(db: Kysely<Tables>, id: string) {
  return db
    .selectFrom('payment_returns')
    .innerJoin('receipts', 'receipts.ledger_entry_id', 'payment_returns.entry_id')
    .innerJoin('checkouts', 'checkouts.id', 'receipts.checkout_id')
    .select(['payment_returns.status', 'receipts.org_id', 'receipts.number'])
    .select(
      sql<
        string | null
      >`case when receipts.erase_payer_after_delivery or checkouts.payer_erased_at is not null then null
        else receipts.email end`.as('email'),
    )
    .where('payment_returns.id', '=', id)
    .executeTakeFirst();
}

export async function isReceiptForCheckout(
  db: Kysely<Tables>,
  orgId: OrgId,
  checkoutId: CheckoutId,
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

export function findReceiptByEntry(db: Kysely<Tables>, orgId: OrgId, entryId: string): Promise<ReceiptRow | undefined> {
  return db
    .selectFrom('receipts')
    .selectAll()
    .where('org_id', '=', orgId)
    .where('ledger_entry_id', '=', entryId)
    .executeTakeFirst();
}

export function lockReceipt(tx: Transaction<Tables>, orgId: OrgId, entryId: string): Promise<ReceiptRow | undefined> {
  return selectForUpdate(tx, orgId, [entryId]).executeTakeFirst();
}

/** Locks the receipts for these gifts, oldest first. */
export function lockReceipts(
  tx: Transaction<Tables>,
  orgId: OrgId,
  entryIds: readonly string[],
): Promise<ReceiptRow[]> {
  return selectForUpdate(tx, orgId, entryIds).execute();
}

/** Locks the receipts for these gifts that couldn't be delivered by email, oldest first. */
export function lockUndelivered(
  tx: Transaction<Tables>,
  orgId: OrgId,
  entryIds: readonly string[],
): Promise<ReceiptRow[]> {
  return selectForUpdate(tx, orgId, entryIds).where('delivery', 'in', ['rejected', 'failed', 'no-address']).execute();
}

function selectForUpdate(tx: Transaction<Tables>, orgId: OrgId, entryIds: readonly string[]) {
  return tx
    .selectFrom('receipts')
    .selectAll()
    .where('org_id', '=', orgId)
    .where(sql<SqlBool>`ledger_entry_id = any(${entryIds})`)
    .orderBy('number')
    .forUpdate();
}

/** Finds the corrected address of the donor with this address. */
export async function findCorrectedAddress(
  tx: Transaction<Tables>,
  orgId: OrgId,
  email: string | null,
): Promise<string | null> {
  if (email === null) return null;
  const donor = await tx
    .selectFrom('donors')
    .select('corrected_email')
    .where('org_id', '=', orgId)
    .where('email', '=', email.trim().toLowerCase())
    .where('corrected_email', 'is not', null)
    .limit(1)
    .executeTakeFirst();
  return donor?.corrected_email ?? null;
}

/** Changes the address that the receipt is sent to. @param email null for the donor's own address */
export async function setAlternateEmail(
  tx: Transaction<Tables>,
  { orgId, number }: ReceiptKey,
  email: string | null,
): Promise<void> {
  await tx
    .updateTable('receipts')
    .set({ alternate_email: email })
    .where('org_id', '=', orgId)
    .where('number', '=', number)
    .execute();
}

/**
 * Erases the payer from a checkout's receipts. Numbers, dates, and amounts don't change. A trigger erases the payer from an
 * undelivered receipt once it is sent.
 */
export async function eraseReceiptPayer(tx: Transaction<Tables>, orgId: OrgId, checkoutId: CheckoutId): Promise<void> {
  const isDelivered = sql<SqlBool>`delivery not in ('pending', 'rejected', 'failed')`;
  await tx
    .updateTable('receipts')
    .set({
      email: sql`case when ${isDelivered} then null else email end`,
      alternate_email: sql`case when ${isDelivered} then null else alternate_email end`,
      name: sql`case when ${isDelivered} then null else name end`,
      erase_payer_after_delivery: true,
    })
    .where('org_id', '=', orgId)
    .where('checkout_id', '=', checkoutId)
    .execute();
}
