import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import type { Tables } from '#server/db/tables.ts';
import type { ReceiptKey } from './receipts.store.ts';

export type Mailing = ReceiptKey & { readonly mailing: string };

/**
 * Records an attempt to send a mailing.
 * @returns false if the mailing has already ended and must not be sent again
 */
export async function beginMailing(
  db: Kysely<Tables>,
  { orgId, number, mailing }: Mailing,
  at: Date,
): Promise<boolean> {
  const { rows } = await sql`
    insert into receipt_mails as m (org_id, number, mailing, status, mailed_at)
    values (${orgId}, ${number}, ${mailing}, 'sending', ${at})
    on conflict (org_id, number, mailing) do update set tries = m.tries + 1, mailed_at = excluded.mailed_at
      where m.status = 'sending'
    returning tries`.execute(db);
  return rows.length > 0;
}

/** The automatic mailing of each receipt. Mailings that an editor sends have random names. */
export const FIRST_MAILING = 'first';

type MailingOutcome = Pick<Selectable<Tables['receipt_mails']>, 'status' | 'code'>;

export async function endMailing(
  db: Kysely<Tables>,
  { orgId, number, mailing }: Mailing,
  { status, code }: MailingOutcome,
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

/** Ends the receipt's unfinished mailings, because a new one replaces them. */
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
