import type { Insertable, Selectable, Transaction } from 'kysely';
import type { PaymentsTable, Tables } from '#server/db/tables.ts';

export type PaymentRow = Selectable<PaymentsTable>;

export async function savePayment(tx: Transaction<Tables>, payment: Insertable<PaymentsTable>): Promise<void> {
  await tx.insertInto('payments').values(payment).execute();
}
