import { type Insertable, type Kysely, type Selectable, sql, type Transaction, type Updateable } from 'kysely';
import type { CheckoutId } from '#domain/ids.ts';
import type { Cents } from '#domain/money.ts';
import type { Tables } from '#server/db/tables.ts';
import type { CheckoutKey } from '#server/entities/find-checkout.ts';
import type { ChargeFacts } from '#server/gateways/payments/payment-facts.ts';

export type PaymentRow = Selectable<Tables['payments']>;

export function savePayment(tx: Transaction<Tables>, payment: Insertable<Tables['payments']>): Promise<PaymentRow> {
  return tx.insertInto('payments').values(payment).returningAll().executeTakeFirstOrThrow();
}

/** Finds the payment of a charge. A gift posted before its charge id was known is found by intent or invoice. */
export function findPaymentForCharge(
  db: Kysely<Tables>,
  { chargeId, intentId, invoiceId }: ChargeFacts,
): Promise<PaymentRow | undefined> {
  return db
    .selectFrom('payments')
    .selectAll()
    .where((row) =>
      row.or([
        row('charge_id', '=', chargeId),
        row.and([
          row('charge_id', 'is', null),
          row.or([row('intent_id', '=', intentId ?? null), row('invoice_id', '=', invoiceId ?? null)]),
        ]),
      ]),
    )
    .executeTakeFirst();
}

export function findPaymentByChargeId(db: Kysely<Tables>, chargeId: string): Promise<PaymentRow | undefined> {
  return db.selectFrom('payments').selectAll().where('charge_id', '=', chargeId).executeTakeFirst();
}

export function lockPayment(tx: Transaction<Tables>, entryId: string): Promise<PaymentRow | undefined> {
  return tx.selectFrom('payments').selectAll().where('entry_id', '=', entryId).forUpdate().executeTakeFirst();
}

export async function updatePayment(
  tx: Transaction<Tables>,
  entryId: string,
  change: Omit<Updateable<Tables['payments']>, 'entry_id'>,
): Promise<void> {
  await tx.updateTable('payments').set(change).where('entry_id', '=', entryId).execute();
}

export type PaymentState = Pick<PaymentRow, 'renewal' | 'status' | 'amount_cents' | 'returned_cents'>;

export function listCheckoutPayments(tx: Transaction<Tables>, checkoutId: CheckoutId): Promise<PaymentState[]> {
  return tx
    .selectFrom('payments')
    .select(['renewal', 'status', 'amount_cents', 'returned_cents'])
    .where('checkout_id', '=', checkoutId)
    .execute();
}

/** Returns the carbon of a gift in the ledger. */
export async function readEntryCarbon(tx: Transaction<Tables>, entryId: string): Promise<number> {
  const { carbon } = await tx
    .selectFrom('ledger_entries')
    .select('carbon')
    .where('id', '=', entryId)
    .executeTakeFirstOrThrow();
  return carbon;
}

export async function isFactPosted(tx: Transaction<Tables>, fact: string): Promise<boolean> {
  const entry = await tx.selectFrom('ledger_entries').select('id').where('fact', '=', fact).executeTakeFirst();
  return entry !== undefined;
}

/**
 * Lists payments whose fee must be read from the provider again: first after ten minutes, then less often. Excludes the
 * sample organization's payments, which don't exist at the provider.
 */
export function listPaymentsWithoutFee(db: Kysely<Tables>, now: Date, max: number): Promise<PaymentRow[]> {
  const age = sql`${now}::timestamptz - charged_at`;
  return db
    .selectFrom('payments')
    .selectAll()
    .where('fee_cents', 'is', null)
    .where(sql<boolean>`coalesce(charge_id, session_id, invoice_id) is not null`)
    .where(sql<boolean>`coalesce(fee_checked_at, charged_at) <= ${now}::timestamptz
      - least(greatest(interval '10 minutes', (${age}) / 10), interval '7 days')`)
    .orderBy(sql`coalesce(fee_checked_at, charged_at)`)
    .orderBy('entry_id')
    .limit(max)
    .execute();
}

/** Records when the fee was last requested from the provider. */
export async function recordFeeRequest(db: Kysely<Tables>, entryId: string, time: Date): Promise<void> {
  await db.updateTable('payments').set({ fee_checked_at: time }).where('entry_id', '=', entryId).execute();
}

/** Finds the payment that was posted to the ledger with this fact. */
export function findPaymentByFact(tx: Transaction<Tables>, fact: string): Promise<PaymentRow | undefined> {
  return tx
    .selectFrom('payments')
    .innerJoin('ledger_entries', 'ledger_entries.id', 'payments.entry_id')
    .selectAll('payments')
    .where('ledger_entries.fact', '=', fact)
    .executeTakeFirst();
}

export type ReturnRow = Selectable<Tables['payment_returns']>;

/**
 * Saves the reported status of a refund or dispute. An outdated report can't reopen a completed one, but a refund can
 * still fail, and a dispute can be decided again.
 * @returns the stored row
 */
export async function saveReturn(
  tx: Transaction<Tables>,
  { entry_id }: PaymentRow,
  newReturn: Omit<Insertable<Tables['payment_returns']>, 'entry_id' | 'created_at'>,
): Promise<ReturnRow> {
  await tx
    .insertInto('payment_returns')
    .values({ ...newReturn, entry_id })
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet({ status: sql`excluded.status` })
        .where(
          sql<boolean>`payment_returns.status in ('pending', 'open') or excluded.status in ('failed', 'won', 'lost')`,
        ),
    )
    .execute();
  return tx.selectFrom('payment_returns').selectAll().where('id', '=', newReturn.id).executeTakeFirstOrThrow();
}

/** Adds to the amount that a refund or dispute returned. */
export async function addReturnedAmount(tx: Transaction<Tables>, id: string, cents: Cents): Promise<void> {
  await sql`update payment_returns set returned_cents = returned_cents + ${cents} where id = ${id}`.execute(tx);
}

/** Lists the ledger entries of a dispute. `disputedCents` is each entry's change of the account for disputed money. */
export async function listDisputeEntries(
  tx: Transaction<Tables>,
  { org_id, checkout_id }: PaymentRow,
  disputeId: string,
): Promise<{ readonly balanceTransactionId: string | null; readonly disputedCents: Cents }[]> {
  const { rows } = await sql<{ balanceTransactionId: string | null; disputedCents: Cents }>`
    select e.balance_transaction_id as "balanceTransactionId", coalesce((
      select cents from ledger_lines l where l.entry_id = e.id and l.account = 'disputed'), 0)::int8 as "disputedCents"
    from ledger_entries e
    where e.org_id = ${org_id} and e.checkout_id = ${checkout_id} and e.return_id = ${disputeId}`.execute(tx);
  return rows;
}

export function listPaymentReturns(db: Kysely<Tables>, entryId: string): Promise<ReturnRow[]> {
  return db.selectFrom('payment_returns').selectAll().where('entry_id', '=', entryId).execute();
}

/** Finds a payment that can be refunded here, which excludes payments of deleted checkouts. */
export function findRefundablePayment(
  db: Kysely<Tables>,
  { orgId, checkoutId }: CheckoutKey,
  entryId: string,
): Promise<PaymentRow | undefined> {
  return db
    .selectFrom('payments')
    .innerJoin('checkouts', 'checkouts.id', 'payments.checkout_id')
    .selectAll('payments')
    .where('payments.entry_id', '=', entryId)
    .where('payments.checkout_id', '=', checkoutId)
    .where('payments.org_id', '=', orgId)
    .where('checkouts.deleted_at', 'is', null)
    .executeTakeFirst();
}
