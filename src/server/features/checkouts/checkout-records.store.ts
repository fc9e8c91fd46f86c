import { type Kysely, type Selectable, type SqlBool, sql, type Transaction } from 'kysely';
import type { PaymentStatus } from '#domain/checkout.ts';
import type { SearchedFor } from '#domain/checkout-search.ts';
import type { Database } from '#server/db/connection.ts';
import { readPage, type TurnedPage } from '#server/db/keyset.ts';
import type { LedgerEntriesTable, ProviderEventsTable, ReceiptsTable, Tables } from '#server/db/tables.ts';
import type { CheckoutKey } from './checkouts.store.ts';

const LISTED = [
  'id',
  'cart',
  'total_cents',
  'payment_status',
  'completed',
  'display_name',
  'email',
  'created_at',
] as const;

/** Which checkouts of an organisation an editor looks for. */
export type Wanted = {
  readonly for: SearchedFor;
  readonly status?: PaymentStatus | undefined;
  /** From this moment on. */
  readonly from?: Date | undefined;
  /** Before this moment. */
  readonly until?: Date | undefined;
};

/** A page of the checkouts that are wanted, each of them found by an index, and none whose record was taken away. */
export async function wantedCheckouts(db: Database, orgId: string, wanted: Wanted, page: TurnedPage) {
  const { status, from, until } = wanted;
  let query = ofOrg(db.kysely, orgId).select(LISTED).where('deleted_at', 'is', null);
  if (status) query = query.where('payment_status', '=', status);
  if (from) query = query.where('created_at', '>=', from);
  if (until) query = query.where('created_at', '<', until);
  const condition = await conditionOf(db.kysely, orgId, wanted.for);
  return readPage(condition ? query.where(condition) : query, 'checkouts', page, orgId);
}

export type ListedRow = Awaited<ReturnType<typeof wantedCheckouts>>[number];

async function conditionOf(db: Kysely<Tables>, orgId: string, wanted: SearchedFor) {
  switch (wanted.kind) {
    case 'everything':
      return undefined;
    case 'amount':
      return sql<SqlBool>`total_cents = ${wanted.cents}`;
    case 'email':
      return isOneOf(await idsOfAddress(db, orgId, wanted.email));
    case 'text': {
      const ids = await idsNamed(db, orgId, wanted.text);
      return ids.length > 0 ? isOneOf(ids) : sql<SqlBool>`words @@ search_for(${wanted.text})`;
    }
  }
}

function isOneOf(ids: readonly string[]) {
  return sql<SqlBool>`checkouts.id = any(${ids}::text[])`;
}

const MOST_OF_AN_ADDRESS = 1000;

/**
 * The checkouts of an address, by themselves: asked for together with the order of the list, the database would rather
 * look through all of them in that order.
 */
async function idsOfAddress(db: Kysely<Tables>, orgId: string, email: string): Promise<string[]> {
  const rows = await ofOrg(db, orgId)
    .select('id')
    .where(sql<SqlBool>`lower(email) = ${email}`)
    .limit(MOST_OF_AN_ADDRESS)
    .execute();
  return rows.map(({ id }) => id);
}

/** Ours, or one by which the provider knows it; none of them is shorter. */
const SHORTEST_ID = 8;
const MOST_OF_AN_ID = 50;

/** The checkouts that a text is an id of: the checkout's own, or the provider's of its page, payment or recurring gift. */
async function idsNamed(db: Kysely<Tables>, orgId: string, text: string): Promise<string[]> {
  if (text.length < SHORTEST_ID || /\s/.test(text)) return [];
  const rows = await ofOrg(db, orgId)
    .select('id')
    .where((row) =>
      row.or([
        row('id', '=', text),
        row('provider_session_id', '=', text),
        row('provider_payment_id', '=', text),
        row('provider_subscription_id', '=', text),
      ]),
    )
    .limit(MOST_OF_AN_ID)
    .execute();
  return rows.map(({ id }) => id);
}

function ofOrg(db: Kysely<Tables>, orgId: string) {
  return db.selectFrom('checkouts').where('checkouts.org_id', '=', orgId);
}

export type EntryRow = Selectable<LedgerEntriesTable>;

/** What the ledger holds of a checkout, the first entry first. */
export function entriesOf(db: Kysely<Tables>, { orgId, checkoutId }: CheckoutKey): Promise<EntryRow[]> {
  return db
    .selectFrom('ledger_entries')
    .selectAll()
    .where('org_id', '=', orgId)
    .where('checkout_id', '=', checkoutId)
    .orderBy('occurred_at')
    .orderBy('id')
    .execute();
}

export type ReceiptOfCheckout = Pick<
  Selectable<ReceiptsTable>,
  'number' | 'email' | 'issued_at' | 'ledger_entry_id'
> & { readonly mailed: readonly Date[] };

/** The receipts of a checkout, each with when it was mailed. */
export async function receiptsOf(db: Kysely<Tables>, { orgId, checkoutId }: CheckoutKey): Promise<ReceiptOfCheckout[]> {
  const receipts = await db
    .selectFrom('receipts')
    .select(['number', 'email', 'issued_at', 'ledger_entry_id'])
    .where('org_id', '=', orgId)
    .where('checkout_id', '=', checkoutId)
    .orderBy('number')
    .execute();
  const numbers = receipts.map(({ number }) => number);
  const mails = await db
    .selectFrom('receipt_mails')
    .select(['number', 'mailed_at'])
    .where('org_id', '=', orgId)
    .where('number', '=', sql<number>`any(${numbers}::int8[])`)
    .orderBy('mailed_at')
    .execute();
  return receipts.map((receipt) => ({
    ...receipt,
    mailed: mails.filter(({ number }) => number === receipt.number).map(({ mailed_at }) => mailed_at),
  }));
}

/** Erases the payer's name and email from a checkout's receipts. Their numbers, dates and amounts stay. */
export async function eraseReceiptPayer(tx: Transaction<Tables>, { orgId, checkoutId }: CheckoutKey): Promise<void> {
  await tx
    .updateTable('receipts')
    .set({ email: null, name: null })
    .where('org_id', '=', orgId)
    .where('checkout_id', '=', checkoutId)
    .execute();
}

export type ReportRow = Selectable<ProviderEventsTable>;

/** What the provider has reported of a checkout; a checkout's id is one of all organisations. */
export function reportsOf(db: Kysely<Tables>, { checkoutId }: CheckoutKey): Promise<ReportRow[]> {
  return db
    .selectFrom('provider_events')
    .selectAll()
    .where('checkout_id', '=', checkoutId)
    .orderBy('occurred_at')
    .orderBy('id')
    .execute();
}
