import { type Expression, type Kysely, type Selectable, type SqlBool, sql } from 'kysely';
import { CHECKOUT_GROUPS, type CheckoutGroup, type PaymentStatus } from '#domain/checkout.ts';
import type { CheckoutSearch } from '#domain/checkout-search.ts';
import type { OrgId } from '#domain/ids.ts';
import type { Cents } from '#domain/money.ts';
import type { Database } from '#server/db/connection.ts';
import { factOfColumns, idInFact } from '#server/db/fact-sql.ts';
import { type DirectedPage, readPage } from '#server/db/keyset.ts';
import { isInPaymentMode } from '#server/db/payment-mode.ts';
import type { Tables } from '#server/db/tables.ts';
import type { CheckoutKey } from '#server/entities/find-checkout.ts';

const LIST_COLUMNS = [
  'id',
  'cart',
  'total_cents',
  'covered_fee_cents',
  'payment_status',
  'completed',
  'display_name',
  'email',
  'offsetter_id',
  'user_id',
  'created_at',
] as const;

export type CheckoutFilter = {
  readonly search: CheckoutSearch;
  readonly status?: PaymentStatus | undefined;
  readonly group?: CheckoutGroup | undefined;
  readonly from?: Date | undefined;
  /** Exclusive. */
  readonly until?: Date | undefined;
};

/** Checkouts that match a filter, except deleted ones. Every kind of search uses an index. */
export async function findCheckouts(db: Database, orgId: OrgId, filter: CheckoutFilter, page: DirectedPage) {
  const refunded = sql<number>`(
    select coalesce(sum(refunded_cents), 0)::int8 from payments where payments.checkout_id = checkouts.id)`;
  const condition = await conditionOf(db.kysely, orgId, filter.search);
  const query = matchingCheckouts(db.kysely, orgId, filter, condition)
    .select(LIST_COLUMNS)
    .select(refunded.as('refunded_cents'));
  return readPage(query, 'checkouts', page, orgId);
}

function matchingCheckouts(
  db: Kysely<Tables>,
  orgId: OrgId,
  { status, group, from, until }: CheckoutFilter,
  condition: Expression<SqlBool> | undefined,
) {
  let query = checkoutsOf(db, orgId).where('deleted_at', 'is', null);
  if (status) query = query.where('payment_status', '=', status);
  if (group) query = query.where('payment_status', 'in', literals(CHECKOUT_GROUPS[group]));
  if (from) query = query.where('created_at', '>=', from);
  if (until) query = query.where('created_at', '<', until);
  return condition ? query.where(condition) : query;
}

/** Statuses as literals, so that PostgreSQL can use a partial index. */
function literals(statuses: readonly PaymentStatus[]) {
  return statuses.map((status) => sql.lit<PaymentStatus>(status));
}

export type SumsRow = {
  readonly checkouts: number;
  readonly gross_cents: Cents;
  readonly refunded_cents: Cents;
  readonly fee_cents: Cents;
  /** Amount in open disputes. */
  readonly disputed_cents: Cents;
};

/** Sums over all matching checkouts. Excludes test money once payments are live (decisions §3). */
export async function sumsOf(db: Kysely<Tables>, orgId: OrgId, filter: CheckoutFilter): Promise<SumsRow> {
  const condition = await conditionOf(db, orgId, filter.search);
  const matches = matchingCheckouts(db, orgId, filter, condition).select('checkouts.id');
  const { rows } = await sql<SumsRow>`
    with matches as materialized (${matches}),
    paid as (
      select coalesce(sum(p.amount_cents), 0)::int8 as gross_cents, coalesce(sum(p.refunded_cents), 0)::int8
        as refunded_cents
      from payments p where p.org_id = ${orgId} and p.checkout_id in (select id from matches)
        and ${isInPaymentMode('p.livemode')}),
    fees as (
      select coalesce(sum(l.cents), 0)::int8 as fee_cents
      from ledger_entries e join ledger_lines l on l.entry_id = e.id and l.account = 'fees'
      where e.org_id = ${orgId} and e.kind = 'fee' and e.checkout_id in (select id from matches)
        and ${isInPaymentMode('e.livemode')}),
    disputed as (
      select coalesce(sum(l.cents), 0)::int8 as disputed_cents
      from ledger_entries e join ledger_lines l on l.entry_id = e.id and l.account = 'disputed'
      where e.org_id = ${orgId} and e.checkout_id in (select id from matches) and ${isInPaymentMode('e.livemode')})
    select (select count(*) from matches) as checkouts, paid.*, fees.*, disputed.* from paid, fees, disputed`.execute(
    db,
  );
  return rows[0] ?? { checkouts: 0, gross_cents: 0, refunded_cents: 0, fee_cents: 0, disputed_cents: 0 };
}

export type ListedRow = Awaited<ReturnType<typeof findCheckouts>>[number];

async function conditionOf(db: Kysely<Tables>, orgId: OrgId, search: CheckoutSearch) {
  switch (search.kind) {
    case 'everything':
      return undefined;
    case 'amount':
      return sql<SqlBool>`total_cents = ${search.cents}`;
    case 'email':
      return isOneOf(await idsByEmail(db, orgId, search.email));
    case 'text': {
      const ids = await idsById(db, orgId, search.text);
      return ids.length > 0 ? isOneOf(ids) : sql<SqlBool>`search_vector @@ search_query(${search.text})`;
    }
  }
}

function isOneOf(ids: readonly string[]) {
  return sql<SqlBool>`checkouts.id = any(${ids}::text[])`;
}

const MAX_PER_EMAIL = 1000;

/** A separate query, because PostgreSQL would scan the whole list if the condition were combined with its order. */
async function idsByEmail(db: Kysely<Tables>, orgId: OrgId, email: string): Promise<string[]> {
  const rows = await checkoutsOf(db, orgId)
    .select('id')
    .where(sql<SqlBool>`lower(email) = ${email}`)
    .limit(MAX_PER_EMAIL)
    .execute();
  return rows.map(({ id }) => id);
}

/** Length of the shortest id, ours or the provider's. */
const SHORTEST_ID = 8;
const MAX_PER_ID = 50;

/** Checkouts with this id, or whose session, payment, or subscription has it at the provider. */
async function idsById(db: Kysely<Tables>, orgId: OrgId, text: string): Promise<string[]> {
  if (text.length < SHORTEST_ID || /\s/.test(text)) return [];
  const rows = await checkoutsOf(db, orgId)
    .select('id')
    .where((row) =>
      row.or([
        row('id', '=', text),
        row('provider_session_id', '=', text),
        row('provider_payment_id', '=', text),
        row('provider_subscription_id', '=', text),
      ]),
    )
    .limit(MAX_PER_ID)
    .execute();
  return rows.map(({ id }) => id);
}

function checkoutsOf(db: Kysely<Tables>, orgId: OrgId) {
  return db.selectFrom('checkouts').where('checkouts.org_id', '=', orgId);
}

export type EntryRow = Selectable<Tables['ledger_entries']>;

/** A checkout's ledger entries that affect the stats, oldest first. A dispute's end has the date when the dispute began. */
export function entriesOf(db: Kysely<Tables>, { orgId, checkoutId }: CheckoutKey): Promise<EntryRow[]> {
  return (
    db
      .selectFrom('ledger_entries')
      .selectAll()
      .where('org_id', '=', orgId)
      .where('checkout_id', '=', checkoutId)
      .where('kind', 'not in', ['fee', 'payout'])
      .orderBy('booked_at')
      .orderBy('created_at')
      // A dispute's movement comes before its decision, which may be posted at the same time.
      .orderBy('fact')
      .execute()
  );
}

export type ReceiptWithMails = Pick<
  Selectable<Tables['receipts']>,
  'number' | 'printed_number' | 'email' | 'alternate_email' | 'issued_at' | 'ledger_entry_id'
> & {
  readonly mails: readonly Pick<Selectable<Tables['receipt_emails']>, 'last_attempt_at' | 'status' | 'error_code'>[];
};

export async function receiptsOf(db: Kysely<Tables>, { orgId, checkoutId }: CheckoutKey): Promise<ReceiptWithMails[]> {
  const receipts = await db
    .selectFrom('receipts')
    .select(['number', 'printed_number', 'email', 'alternate_email', 'issued_at', 'ledger_entry_id'])
    .where('org_id', '=', orgId)
    .where('checkout_id', '=', checkoutId)
    .orderBy('number')
    .execute();
  const numbers = receipts.map(({ number }) => number);
  const mails = await db
    .selectFrom('receipt_emails')
    .select(['number', 'last_attempt_at', 'status', 'error_code'])
    .where('org_id', '=', orgId)
    .where('number', '=', sql<number>`any(${numbers}::int8[])`)
    .orderBy('last_attempt_at')
    .execute();
  return receipts.map((receipt) => ({
    ...receipt,
    mails: mails.filter(({ number }) => number === receipt.number),
  }));
}

export type ReportRow = Selectable<Tables['provider_events']>;

/** The provider's events about a checkout. Checkout ids are unique across organizations. */
export function reportsOf(db: Kysely<Tables>, { checkoutId }: CheckoutKey): Promise<ReportRow[]> {
  return db
    .selectFrom('provider_events')
    .selectAll()
    .where('checkout_id', '=', checkoutId)
    .orderBy('occurred_at')
    .orderBy('id')
    .execute();
}

type PaymentRow = Selectable<Tables['payments']>;
type ReturnRow = Selectable<Tables['payment_returns']>;

type ReturnColumn = 'kind' | 'amount_cents' | 'returned_cents' | 'status' | 'occurred_at';

export type PaymentWithReturns = PaymentRow & {
  readonly returns: readonly (Pick<ReturnRow, ReturnColumn> & {
    readonly reason: string | null;
    readonly by: string | null;
    /** For a dispute, the provider's fee minus its fee refunds. */
    readonly fee_cents: Cents | null;
  })[];
};

/** The charges of a checkout, oldest first, with their refunds and disputes. */
export async function paymentsOf(
  db: Kysely<Tables>,
  { orgId, checkoutId }: CheckoutKey,
): Promise<PaymentWithReturns[]> {
  const payments = await db
    .selectFrom('payments')
    .selectAll()
    .where('org_id', '=', orgId)
    .where('checkout_id', '=', checkoutId)
    .orderBy('charged_at')
    .orderBy('entry_id')
    .execute();
  const returns = await db
    .selectFrom('payment_returns')
    .innerJoin('payments', 'payments.entry_id', 'payment_returns.entry_id')
    // The ledger entry names the editor who made the refund.
    .leftJoin('ledger_entries', (join) =>
      join
        .on('ledger_entries.fact', '=', factOfColumns('refund', 'payment_returns.id'))
        .on('ledger_entries.org_id', '=', orgId),
    )
    .leftJoin('users', 'users.id', 'ledger_entries.actor_id')
    .select([
      'payment_returns.entry_id',
      'payment_returns.kind',
      'payment_returns.amount_cents',
      'payment_returns.returned_cents',
    ])
    .select(['payment_returns.status', 'payment_returns.occurred_at'])
    .select(feeOfDispute().as('fee_cents'))
    .select([
      'payment_returns.reason',
      sql<string | null>`coalesce(nullif(users.display_name, ''), users.email)`.as('by'),
    ])
    .where('payments.checkout_id', '=', checkoutId)
    .orderBy('payment_returns.occurred_at')
    .orderBy('payment_returns.id')
    .execute();
  return payments.map((payment) => ({
    ...payment,
    returns: returns.filter(({ entry_id }) => entry_id === payment.entry_id),
  }));
}

/** The fees of the balance movements that took or returned the disputed money. */
function feeOfDispute() {
  return sql<number | null>`(
    select sum(l.cents)::int8 from ledger_entries d
      join ledger_entries f on f.fact = ${factOfColumns('fee', idInFact('d.fact', 2))}
      join ledger_lines l on l.entry_id = f.id and l.account = 'fees'
    where d.org_id = payments.org_id and d.checkout_id = payments.checkout_id
      and starts_with(d.fact, ${factOfColumns('dispute', 'payment_returns.id')} || ':'))`;
}
