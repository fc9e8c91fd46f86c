import { type Kysely, type Selectable, type SqlBool, sql } from 'kysely';
import { attentionSubject } from '#domain/attention-subjects.ts';
import type { OrgId } from '#domain/ids.ts';
import type { Cents } from '#domain/money.ts';
import { buildFactFromColumns } from '#server/db/fact-sql.ts';
import type { Tables } from '#server/db/tables.ts';
import type { CheckoutKey } from '#server/entities/find-checkout.ts';
import { selectUserName } from '#server/entities/find-user.ts';

const LIST_COLUMNS = [
  'id',
  'cart',
  'total_cents',
  'covered_fee_cents',
  'completed',
  'display_name',
  'email',
  'offsetter_id',
  'user_id',
  'created_at',
] as const;

/** Finds checkouts by id, in no particular order, with the status and returned amount of their first payment. */
export function findCheckoutsByIds(db: Kysely<Tables>, orgId: OrgId, ids: readonly string[]) {
  const returnedSum = sql<number>`(
    select coalesce(sum(returned_cents), 0)::int8 from payments
    where payments.checkout_id = checkouts.id and not payments.renewal)`;
  return db
    .selectFrom('checkouts')
    .select(LIST_COLUMNS)
    .select((row) => row.fn.coalesce('first_payment_status', 'payment_status').as('payment_status'))
    .select(returnedSum.as('returned_cents'))
    .where('org_id', '=', orgId)
    .where(sql<SqlBool>`id = any(${ids}::text[])`)
    .execute();
}

export type ListedRow = Awaited<ReturnType<typeof findCheckoutsByIds>>[number];

/** Finds later payments of recurring gifts by ledger entry id, in no particular order. */
export function findRenewalsByIds(db: Kysely<Tables>, orgId: OrgId, ids: readonly string[]) {
  return db
    .selectFrom('payments')
    .innerJoin('checkouts', 'checkouts.id', 'payments.checkout_id')
    .select(['payments.entry_id', 'payments.checkout_id', 'payments.amount_cents', 'payments.covered_fee_cents'])
    .select(['payments.status', 'payments.returned_cents', 'payments.charged_at'])
    .select(['checkouts.cart', 'checkouts.display_name', 'checkouts.email', 'checkouts.user_id'])
    .where('payments.org_id', '=', orgId)
    .where('payments.listed', '=', true)
    .where(sql<SqlBool>`payments.entry_id = any(${ids}::text[])`)
    .execute();
}

export type RenewalRow = Awaited<ReturnType<typeof findRenewalsByIds>>[number];

/** Identifies the gift whose history is read. */
type RecordKey = CheckoutKey | { readonly orgId: OrgId; readonly pledgeId: string };

/** Matches a gift's rows in a table that refers to checkouts and pledges. */
function matchesKey(key: RecordKey) {
  return 'checkoutId' in key
    ? sql<SqlBool>`checkout_id = ${key.checkoutId}`
    : sql<SqlBool>`pledge_id = ${key.pledgeId}`;
}

export type EntryRow = Selectable<Tables['ledger_entries']>;

/**
 * Lists a gift's ledger entries, except fees and payouts, in the order in which they were booked. The entry for a
 * dispute's end is dated when the provider moved the money, or when the decision was reported.
 */
export function listLedgerEntries(db: Kysely<Tables>, key: RecordKey): Promise<EntryRow[]> {
  return (
    db
      .selectFrom('ledger_entries')
      .selectAll()
      .where('org_id', '=', key.orgId)
      .where(matchesKey(key))
      .where('kind', 'not in', ['fee', 'payout'])
      .orderBy('booked_at')
      .orderBy('created_at')
      // Lists a dispute's withdrawal before its decision, because both may be posted at the same time.
      .orderBy('fact')
      .execute()
  );
}

export type ReceiptWithEmails = Pick<
  Selectable<Tables['receipts']>,
  'number' | 'printed_number' | 'email' | 'alternate_email' | 'issued_at' | 'ledger_entry_id'
> & {
  readonly emails: readonly Pick<Selectable<Tables['receipt_emails']>, 'last_attempt_at' | 'status' | 'error_code'>[];
};

export async function listReceipts(db: Kysely<Tables>, key: RecordKey): Promise<ReceiptWithEmails[]> {
  const { orgId } = key;
  const entries = sql`(select id from ledger_entries where ${matchesKey(key)})`;
  const receipts = await db
    .selectFrom('receipts')
    .select(['number', 'printed_number', 'email', 'alternate_email', 'issued_at', 'ledger_entry_id'])
    .where('org_id', '=', orgId)
    .where(sql<SqlBool>`ledger_entry_id in ${entries}`)
    .orderBy('number')
    .execute();
  const numbers = receipts.map(({ number }) => number);
  const emails = await db
    .selectFrom('receipt_emails')
    .select(['number', 'last_attempt_at', 'status', 'error_code'])
    .where('org_id', '=', orgId)
    .where('number', '=', sql<number>`any(${numbers}::int8[])`)
    .orderBy('last_attempt_at')
    .execute();
  return receipts.map((receipt) => ({
    ...receipt,
    emails: emails.filter(({ number }) => number === receipt.number),
  }));
}

export type ProviderEventRow = Selectable<Tables['provider_events']>;

/** Lists Stripe's events about a checkout. Checkout ids are unique across organizations. */
export function listProviderEvents(db: Kysely<Tables>, { checkoutId }: CheckoutKey): Promise<ProviderEventRow[]> {
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
    /** Deadline for a dispute's evidence. */
    readonly due_at: Date | null;
  })[];
};

/** Lists a checkout's charges, oldest first, with their refunds and disputes. */
export async function listPayments(
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
    // The ledger entry records which editor made the refund.
    .leftJoin('ledger_entries', (join) =>
      join
        .on('ledger_entries.fact', '=', buildFactFromColumns('refund', 'payment_returns.id'))
        .on('ledger_entries.org_id', '=', orgId),
    )
    .leftJoin('users', 'users.id', 'ledger_entries.actor_id')
    .leftJoin('attention_items', (join) =>
      join.on('attention_items.subject', '=', sql`${attentionSubject('dispute', '')} || payment_returns.id`),
    )
    .select([
      'payment_returns.entry_id',
      'payment_returns.kind',
      'payment_returns.amount_cents',
      'payment_returns.returned_cents',
    ])
    .select(['payment_returns.status', 'payment_returns.occurred_at', 'attention_items.due_at'])
    .select(sumDisputeFees().as('fee_cents'))
    .select(['payment_returns.reason', selectUserName().as('by')])
    .where('payments.checkout_id', '=', checkoutId)
    .orderBy('payment_returns.occurred_at')
    .orderBy('payment_returns.id')
    .execute();
  return payments.map((payment) => ({
    ...payment,
    returns: returns.filter(({ entry_id }) => entry_id === payment.entry_id),
  }));
}

/** Adds up the fees of the balance transactions that withdrew or returned the disputed money. */
function sumDisputeFees() {
  return sql<number | null>`(
    select sum(l.cents)::int8 from ledger_entries d
      join ledger_entries f on f.fact = ${buildFactFromColumns('fee', 'd.balance_transaction_id')}
      join ledger_lines l on l.entry_id = f.id and l.account = 'fees'
    where d.org_id = payments.org_id and d.checkout_id = payments.checkout_id
      and d.kind = 'dispute' and d.return_id = payment_returns.id)`;
}
