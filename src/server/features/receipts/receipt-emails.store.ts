import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import type { Tables } from '#server/db/tables.ts';
import type { ReceiptKey } from './receipts.store.ts';

export type Mailing = ReceiptKey & { readonly mailingId: string };

/**
 * Records an attempt to send a mailing.
 * @returns false if the mailing has already ended and must not be sent again
 */
export async function beginMailing(
  db: Kysely<Tables>,
  { orgId, number, mailingId }: Mailing,
  at: Date,
): Promise<boolean> {
  const { rows } = await sql`
    insert into receipt_emails as m (org_id, number, mailing_id, status, last_attempt_at)
    values (${orgId}, ${number}, ${mailingId}, 'sending', ${at})
    on conflict (org_id, number, mailing_id) do update set attempts = m.attempts + 1,
        last_attempt_at = excluded.last_attempt_at
      where m.status = 'sending'
    returning attempts`.execute(db);
  return rows.length > 0;
}

/** Id of each receipt's automatic mailing. Mailings that an editor sends have random ids. */
export const AUTOMATIC_MAILING = 'first';

type MailingOutcome = Pick<Selectable<Tables['receipt_emails']>, 'status' | 'error_code'>;

export async function recordMailingOutcome(
  db: Kysely<Tables>,
  { orgId, number, mailingId }: Mailing,
  { status, error_code }: MailingOutcome,
  at: Date,
): Promise<void> {
  await db
    .updateTable('receipt_emails')
    .set({ status, error_code, last_attempt_at: at })
    .where('org_id', '=', orgId)
    .where('number', '=', number)
    .where('mailing_id', '=', mailingId)
    .where('status', '=', 'sending')
    .execute();
}

/** Ends the receipt's unfinished mailings, because a new one replaces them. */
export async function endUnfinishedMailings(tx: Transaction<Tables>, { orgId, number }: ReceiptKey): Promise<void> {
  await tx
    .updateTable('receipt_emails')
    .set({ status: 'failed', error_code: 'replaced' })
    .where('org_id', '=', orgId)
    .where('number', '=', number)
    .where('status', '=', 'sending')
    .execute();
}

export async function insertMailing(
  tx: Transaction<Tables>,
  { orgId, number, mailingId }: Mailing,
  status: 'sending' | 'postal-mail',
  at: Date,
): Promise<void> {
  await tx
    .insertInto('receipt_emails')
    .values({ org_id: orgId, number, mailing_id: mailingId, status, attempts: 0, last_attempt_at: at })
    .onConflict((conflict) => conflict.columns(['org_id', 'number', 'mailing_id']).doNothing())
    .execute();
}
