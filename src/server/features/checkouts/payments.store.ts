import type { Insertable, Kysely, Selectable, Transaction, Updateable } from 'kysely';
import type { PaymentsTable, Tables } from '#server/db/tables.ts';
import type { ChargeFacts } from '#server/gateways/payments/payments.ts';

export type PaymentRow = Selectable<PaymentsTable>;

export async function savePayment(tx: Transaction<Tables>, payment: Insertable<PaymentsTable>): Promise<void> {
  await tx.insertInto('payments').values(payment).execute();
}

/** The payment of a charge. An earlier version knew only its intent or its invoice. */
export function paymentOfCharge(
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

export function lockedPayment(tx: Transaction<Tables>, entryId: string): Promise<PaymentRow | undefined> {
  return tx.selectFrom('payments').selectAll().where('entry_id', '=', entryId).forUpdate().executeTakeFirst();
}

export async function changePayment(
  tx: Transaction<Tables>,
  entryId: string,
  change: Omit<Updateable<PaymentsTable>, 'entry_id'>,
): Promise<void> {
  await tx.updateTable('payments').set(change).where('entry_id', '=', entryId).execute();
}

export type PaymentState = Pick<PaymentRow, 'status' | 'amount_cents' | 'refunded_cents'>;

export function paymentsOfCheckout(tx: Transaction<Tables>, checkoutId: string): Promise<PaymentState[]> {
  return tx
    .selectFrom('payments')
    .select(['status', 'amount_cents', 'refunded_cents'])
    .where('checkout_id', '=', checkoutId)
    .execute();
}

/** The carbon of a gift in the ledger. */
export async function carbonOfEntry(tx: Transaction<Tables>, entryId: string): Promise<number> {
  const { carbon } = await tx
    .selectFrom('ledger_entries')
    .select('carbon')
    .where('id', '=', entryId)
    .executeTakeFirstOrThrow();
  return carbon;
}

export async function isPosted(tx: Transaction<Tables>, fact: string): Promise<boolean> {
  const found = await tx.selectFrom('ledger_entries').select('id').where('fact', '=', fact).executeTakeFirst();
  return found !== undefined;
}
