import { type Insertable, type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import type { CheckoutId, OrgId } from '#domain/ids.ts';
import type { Tables } from '#server/db/tables.ts';

export type TributeRow = Selectable<Tables['tributes']>;

/** Error code of a card that wasn't sent because its payment was a test payment. */
export const TEST_PAYMENT_CODE = 'test-payment';

export async function insertTribute(tx: Transaction<Tables>, tribute: Insertable<Tables['tributes']>): Promise<void> {
  await tx
    .insertInto('tributes')
    .values(tribute)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export function findTributeRow(db: Kysely<Tables>, checkoutId: CheckoutId): Promise<TributeRow | undefined> {
  return db.selectFrom('tributes').selectAll().where('checkout_id', '=', checkoutId).executeTakeFirst();
}

export function listTributeRows(db: Kysely<Tables>, checkoutIds: readonly string[]): Promise<TributeRow[]> {
  return db.selectFrom('tributes').selectAll().where(sql<boolean>`checkout_id = any(${checkoutIds}::text[])`).execute();
}

/** Finds a tribute with the data for its card: the organization's name, the donor's language, and the payment mode. */
export function findCard(db: Kysely<Tables>, checkoutId: CheckoutId) {
  return db
    .selectFrom('tributes')
    .innerJoin('orgs', 'orgs.id', 'tributes.org_id')
    .selectAll('tributes')
    .select('orgs.name as org_name')
    .select(
      sql<string | null>`(select language from checkouts where checkouts.id = tributes.checkout_id)`.as('language'),
    )
    .select(
      sql<boolean | null>`(select livemode from payments where payments.checkout_id = tributes.checkout_id
        order by charged_at limit 1)`.as('livemode'),
    )
    .where('tributes.checkout_id', '=', checkoutId)
    .executeTakeFirst();
}

export type CardRow = NonNullable<Awaited<ReturnType<typeof findCard>>>;

type CardChange = {
  readonly checkoutId: CheckoutId;
  readonly status: NonNullable<TributeRow['card_status']>;
  readonly code?: string | null;
  readonly changedAt: Date;
};

/** Changes the status of a card whose payment is pending. @returns false if it is no longer pending */
export async function markCardPaid(
  tx: Transaction<Tables>,
  { checkoutId, status, changedAt }: CardChange,
): Promise<boolean> {
  const card = await tx
    .updateTable('tributes')
    .set({ card_status: status, card_status_at: changedAt })
    .where('checkout_id', '=', checkoutId)
    .where('card_status', '=', 'unpaid')
    .returning('checkout_id')
    .executeTakeFirst();
  return card !== undefined;
}

/** Records the outcome of a mailing, unless it has ended or was replaced. */
export async function recordCardOutcome(
  db: Kysely<Tables>,
  mailingId: string,
  { checkoutId, status, code = null, changedAt }: CardChange,
): Promise<void> {
  await db
    .updateTable('tributes')
    .set({ card_status: status, card_error_code: code, card_status_at: changedAt })
    .where('checkout_id', '=', checkoutId)
    .where('card_mailing_id', '=', mailingId)
    .where('card_status', '=', 'sending')
    .execute();
}

export function lockTribute(
  tx: Transaction<Tables>,
  orgId: OrgId,
  checkoutId: CheckoutId,
): Promise<TributeRow | undefined> {
  return tx
    .selectFrom('tributes')
    .selectAll()
    .where('org_id', '=', orgId)
    .where('checkout_id', '=', checkoutId)
    .forUpdate()
    .executeTakeFirst();
}

export async function changeCardAddress(
  tx: Transaction<Tables>,
  checkoutId: CheckoutId,
  { email, mailingId, changedAt }: { readonly email: string; readonly mailingId: string; readonly changedAt: Date },
): Promise<void> {
  await tx
    .updateTable('tributes')
    .set({
      card_email: email,
      card_mailing_id: mailingId,
      card_status: 'sending',
      card_error_code: null,
      card_status_at: changedAt,
    })
    .where('checkout_id', '=', checkoutId)
    .execute();
}

export async function deleteUnpaidTributes(db: Kysely<Tables>, createdBefore: Date): Promise<void> {
  await sql`
    delete from tributes t using checkouts c
    where c.id = t.checkout_id and t.created_at < ${createdBefore} and (t.card_status = 'unpaid' or t.card_status is null)
      and c.payment_status in ('unpaid', 'failed', 'expired') and c.paid_at is null`.execute(db);
}
