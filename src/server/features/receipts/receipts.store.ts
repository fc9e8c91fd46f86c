import { type Insertable, type Kysely, type Selectable, type SqlBool, sql, type Transaction } from 'kysely';
import type { LedgerKind } from '#domain/books.ts';
import type { CartItem } from '#domain/cart.ts';
import type { ReceiptDocument, ReceiptNote } from '#domain/receipt.ts';
import type {
  ReceiptMailsTable,
  ReceiptNotesTable,
  ReceiptSeries,
  ReceiptsTable,
  ReturnsTable,
  Tables,
} from '#server/db/tables.ts';
import type { UserFacts } from '#server/users/find-user.ts';

export type ReceiptRow = Selectable<ReceiptsTable>;
export type ReceiptKey = { readonly orgId: string; readonly number: number };

/** The organization's next receipt. The caller must hold the lock on the organization's totals. */
export async function nextReceipt(tx: Transaction<Tables>, orgId: string): Promise<number> {
  const last = await tx
    .selectFrom('receipts')
    .select(sql<number>`coalesce(max(number), 0)::int8`.as('number'))
    .where('org_id', '=', orgId)
    .executeTakeFirstOrThrow();
  return last.number + 1;
}

/**
 * Takes the donee's next number. All organizations wait for each other from here to the end of the transaction, so it is
 * taken late, after the lock on the totals.
 */
export async function takeNumber(tx: Transaction<Tables>, series: ReceiptSeries): Promise<number> {
  const taken = await tx
    .updateTable('receipt_numbers')
    .set({ last: sql`last + 1` })
    .where('series', '=', series)
    .returning('last')
    .executeTakeFirstOrThrow();
  return taken.last;
}

/** Skips the donee's next numbers, so that they are never given out. */
export async function skipNumbers(tx: Transaction<Tables>, series: ReceiptSeries, most: number): Promise<NumberGap> {
  const numbers = tx.selectFrom('receipt_numbers').select('last').where('series', '=', series);
  const { last } = await numbers.forUpdate().executeTakeFirstOrThrow();
  const gap = { first: last + 1, last: lastSkipped(last, most) };
  await tx
    .insertInto('receipt_number_gaps')
    .values({ ...gap, series })
    .execute();
  await tx.updateTable('receipt_numbers').set({ last: gap.last }).where('series', '=', series).execute();
  return gap;
}

export type NumberGap = { readonly first: number; readonly last: number };

/** So that the next number is the first of a thousand, and well above what may have been given out. */
function lastSkipped(last: number, most: number): number {
  return Math.floor((last + 2 * most + 500) / 1000) * 1000 + 1000;
}

export async function insertReceipt(tx: Transaction<Tables>, receipt: Insertable<ReceiptsTable>): Promise<void> {
  await tx.insertInto('receipts').values(receipt).execute();
}

/** What an organization prints on its receipts. */
export function receiptOrg(db: Kysely<Tables>, orgId: string) {
  return db.selectFrom('orgs').select(['name', 'time_zone']).where('id', '=', orgId).executeTakeFirstOrThrow();
}

/** A receipt with what its document was, or would be, made from. */
export type ReceiptSource = ReceiptRow & {
  readonly org_name: string;
  readonly time_zone: string;
  readonly kind: LedgerKind;
  readonly currency: string;
  readonly given_at: Date;
  readonly cart: readonly CartItem[] | null;
  readonly check_number: string | null;
  readonly livemode: boolean | null;
  /** With refunds that are on their way. */
  readonly refunded_cents: number | null;
  /** Refunds on their way: they may still fail. */
  readonly pending_cents: number;
  /** In disputes that are not decided. */
  readonly disputed_cents: number;
  /** Whether it is of a check that bounced, or was recorded by mistake. */
  readonly is_reversed: boolean;
};

function selectSource(db: Kysely<Tables>) {
  return db
    .selectFrom('receipts')
    .innerJoin('orgs', 'orgs.id', 'receipts.org_id')
    .innerJoin('ledger_entries', 'ledger_entries.id', 'receipts.ledger_entry_id')
    .leftJoin('checkouts', 'checkouts.id', 'receipts.checkout_id')
    .leftJoin('pledges', 'pledges.id', 'ledger_entries.pledge_id')
    .leftJoin('payments', 'payments.entry_id', 'receipts.ledger_entry_id')
    .selectAll('receipts')
    .select(['orgs.name as org_name', 'orgs.time_zone', 'ledger_entries.kind', 'ledger_entries.currency'])
    .select(['ledger_entries.occurred_at as given_at', 'checkouts.cart', 'pledges.check_number', 'payments.livemode'])
    .select('payments.refunded_cents')
    .select([returnsOf('pending').as('pending_cents'), returnsOf('open').as('disputed_cents')])
    .select(
      sql<boolean>`exists (select from ledger_entries where fact = 'check-reversal:' || receipts.ledger_entry_id)`.as(
        'is_reversed',
      ),
    );
}

function returnsOf(status: Selectable<ReturnsTable>['status']) {
  return sql<number>`(select coalesce(sum(amount_cents), 0)::int8 from returns
    where entry_id = receipts.ledger_entry_id and status = ${status})`;
}

export function receiptSource(db: Kysely<Tables>, { orgId, number }: ReceiptKey): Promise<ReceiptSource | undefined> {
  return selectSource(db).where('receipts.org_id', '=', orgId).where('receipts.number', '=', number).executeTakeFirst();
}

export function receiptSourceOfEntry(
  db: Kysely<Tables>,
  orgId: string,
  entryId: string,
): Promise<ReceiptSource | undefined> {
  return selectSource(db)
    .where('receipts.org_id', '=', orgId)
    .where('receipts.ledger_entry_id', '=', entryId)
    .executeTakeFirst();
}

export function receiptSourceByKey(db: Kysely<Tables>, orgId: string, key: string): Promise<ReceiptSource | undefined> {
  return selectSource(db).where('receipts.org_id', '=', orgId).where('receipts.key', '=', key).executeTakeFirst();
}

/** The receipts of a user's gifts in all organizations, by the time of the gift. */
export function receiptsOfUser(
  db: Kysely<Tables>,
  { userId, email }: Pick<UserFacts, 'userId' | 'email'>,
): Promise<ReceiptSource[]> {
  const isTheirs = sql<SqlBool>`receipts.ledger_entry_id in (
    select e.id from ledger_entries e join checkouts c on c.id = e.checkout_id
      where c.user_id = ${userId} or lower(c.email) = ${email}
    union select ledger_entry_id from receipts where lower(email) = ${email}
    union select e.id from ledger_entries e join pledges p on p.id = e.pledge_id where lower(p.email) = ${email})`;
  return selectSource(db).where(isTheirs).orderBy('given_at').orderBy('receipts.printed_number').execute();
}

/** Keeps the document of a receipt that has none. @returns the one that is kept */
export async function keepDocument(
  db: Kysely<Tables>,
  { orgId, number }: ReceiptKey,
  document: ReceiptDocument,
): Promise<ReceiptDocument> {
  await db
    .updateTable('receipts')
    .set({ document: JSON.stringify(document) })
    .where('org_id', '=', orgId)
    .where('number', '=', number)
    .where('document', 'is', null)
    .execute();
  const kept = await db
    .selectFrom('receipts')
    .select('document')
    .where('org_id', '=', orgId)
    .where('number', '=', number)
    .executeTakeFirstOrThrow();
  return kept.document ?? document;
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
export async function addReceiptNote(tx: Transaction<Tables>, note: Insertable<ReceiptNotesTable>): Promise<boolean> {
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
    .select(['returns.amount_cents', 'returns.status', 'receipts.org_id', 'receipts.number'])
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

/** From now on the receipt goes to this address, also if its payer was to be erased once it is mailed. */
export async function changeAddress(
  tx: Transaction<Tables>,
  { orgId, number }: ReceiptKey,
  email: string,
): Promise<void> {
  await tx.updateTable('receipts').set({ email }).where('org_id', '=', orgId).where('number', '=', number).execute();
}

/** A receipt that has not arrived keeps its payer until it is mailed: a trigger erases it then. */
export async function erasePayer(tx: Transaction<Tables>, orgId: string, checkoutId: string): Promise<void> {
  const isDone = sql<SqlBool>`delivery not in ('waiting', 'refused', 'failed')`;
  await tx
    .updateTable('receipts')
    .set({
      email: sql`case when ${isDone} then null else email end`,
      name: sql`case when ${isDone} then null else name end`,
      erase_payer: true,
    })
    .where('org_id', '=', orgId)
    .where('checkout_id', '=', checkoutId)
    .execute();
}

export type Mailing = ReceiptKey & { readonly mailing: string };

/**
 * Records that a mailing is being tried.
 * @returns false if it has ended before, and so must not be sent again
 */
export async function beginMailing(
  db: Kysely<Tables>,
  { orgId, number, mailing }: Mailing,
  at: Date,
): Promise<boolean> {
  const { rows } = await sql`
    insert into receipt_mails as m (org_id, number, mailing, status, mailed_at)
    -- What the version before mailed has no name.
    select ${orgId}, ${number}, ${mailing}, 'sending', ${at}
    where ${mailing} <> ${FIRST_MAILING}
      or not exists (select from receipt_mails where org_id = ${orgId} and number = ${number} and mailing is null)
    on conflict (org_id, number, mailing) do update set tries = m.tries + 1, mailed_at = excluded.mailed_at
      where m.status = 'sending'
    returning tries`.execute(db);
  return rows.length > 0;
}

/** The mailing that every receipt with an address has; an editor's have names of their own. */
export const FIRST_MAILING = 'first';

type Ended = Pick<Selectable<ReceiptMailsTable>, 'status' | 'code'>;

export async function endMailing(
  db: Kysely<Tables>,
  { orgId, number, mailing }: Mailing,
  { status, code }: Ended,
  at: Date,
): Promise<void> {
  await db
    .updateTable('receipt_mails')
    .set({ status, code, mailed_at: at })
    .where('org_id', '=', orgId)
    .where('number', '=', number)
    .where('mailing', '=', mailing)
    .where('status', '=', 'sending')
    .execute();
}

/** Ends mailings that are still being tried, because another one takes their place. */
export async function replaceMailings(tx: Transaction<Tables>, { orgId, number }: ReceiptKey): Promise<void> {
  await tx
    .updateTable('receipt_mails')
    .set({ status: 'failed', code: 'replaced' })
    .where('org_id', '=', orgId)
    .where('number', '=', number)
    .where('status', '=', 'sending')
    .execute();
}

export async function addMailing(
  tx: Transaction<Tables>,
  { orgId, number, mailing }: Mailing,
  status: 'sending' | 'by-post',
  at: Date,
): Promise<void> {
  await tx
    .insertInto('receipt_mails')
    .values({ org_id: orgId, number, mailing, status, tries: 0, mailed_at: at })
    .onConflict((conflict) => conflict.columns(['org_id', 'number', 'mailing']).doNothing())
    .execute();
}

/** The receipts that did not arrive, the newest first: without an address, refused, given up, or waiting too long. */
export function undeliveredReceipts(
  db: Kysely<Tables>,
  orgId: string,
  { max, after, waitingSince }: { max: number; after: string | undefined; waitingSince: Date },
): Promise<ReceiptSource[]> {
  const all = selectSource(db).where('receipts.org_id', '=', orgId).where(didNotArrive(waitingSince));
  const place = db
    .selectFrom('receipts')
    .select('number')
    .where('ledger_entry_id', '=', after ?? '');
  const page = after === undefined ? all : all.where('receipts.number', '<', place);
  return page.orderBy('receipts.number', 'desc').limit(max).execute();
}

function didNotArrive(waitingSince: Date) {
  return sql<SqlBool>`receipts.delivery in ('waiting', 'refused', 'failed', 'no-address')
    and (receipts.delivery <> 'waiting' or receipts.delivery_at < ${waitingSince})`;
}

export async function countUndelivered(db: Kysely<Tables>, orgId: string, waitingSince: Date): Promise<number> {
  const counted = await db
    .selectFrom('receipts')
    .select(sql<number>`count(*)`.as('receipts'))
    .where('org_id', '=', orgId)
    .where(didNotArrive(waitingSince))
    .executeTakeFirstOrThrow();
  return counted.receipts;
}
