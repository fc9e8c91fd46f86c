import { type Insertable, type Kysely, type SqlBool, sql, type Transaction } from 'kysely';
import { attentionSubject } from '#domain/attention-subjects.ts';
import type { PaymentStatus } from '#domain/checkout.ts';
import type { CheckoutId, OrgId } from '#domain/ids.ts';
import { buildFactFromColumns } from '#server/db/fact-sql.ts';
import type { Tables } from '#server/db/tables.ts';
import { isResolvedOutsideBooks } from '#server/features/attention/attention.ts';

/** The database's records of a payment page. */
export type PageRecord = {
  readonly session_id: string;
  readonly org_currency: string | null;
  readonly payment_status: PaymentStatus | null;
  readonly is_posted: boolean;
  /** `open` if the page is listed under "Needs attention"; `resolved` if that item is closed. */
  readonly attention: 'open' | 'resolved' | null;
};

type Page = {
  readonly sessionId: string;
  readonly orgId: OrgId | undefined;
  readonly checkoutId: CheckoutId | undefined;
};

export async function findPageRecords(db: Kysely<Tables>, pages: readonly Page[]): Promise<readonly PageRecord[]> {
  const column = (getField: (page: Page) => string | undefined) =>
    sql`${pages.map((page) => getField(page) ?? '')}::text[]`;
  const { rows } = await sql<PageRecord>`
    select page.session_id, o.currency as org_currency, c.payment_status,
      exists (select from ledger_entries e
        where e.fact = ${buildFactFromColumns('checkout-session', 'page.session_id')}) as is_posted,
      case when a.resolved_at is not null then 'resolved' when a.id is not null then 'open' end
        as attention
    from unnest(${column(({ sessionId }) => sessionId)}, ${column(({ orgId }) => orgId)},
        ${column(({ checkoutId }) => checkoutId)}) as page (session_id, org_id, checkout_id)
      left join orgs o on o.id = page.org_id
      left join checkouts c on c.id = page.checkout_id
      left join attention_items a on a.subject = ${attentionSubject('session', '')} || page.session_id`.execute(db);
  return rows;
}

/** @param subjects such as 'invoice:in_…' @returns the subjects that a person has resolved */
export async function findManuallyResolvedSubjects(
  db: Kysely<Tables>,
  subjects: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('attention_items')
    .select('subject')
    .where(sql<SqlBool>`subject = any(${[...subjects]}::text[])`)
    .where(isResolvedOutsideBooks('attention_items'))
    .execute();
  return new Set(rows.map(({ subject }) => subject));
}

/** Adds a missing checkout, and links its payer and story if they exist. @returns false if the checkout already exists */
export async function insertMissingCheckout(
  tx: Transaction<Tables>,
  { user_id = null, ...checkout }: Insertable<Tables['checkouts']>,
): Promise<boolean> {
  const story = sql<string | null>`(select id from offsetters where checkout_id = ${checkout.id} limit 1)`;
  const row = await tx
    .insertInto('checkouts')
    .values({
      ...checkout,
      user_id: sql<string | null>`(select id from users where id = ${user_id})`,
      offsetter_id: story,
      completed: sql<boolean>`${story} is not null`,
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Links a recovered checkout to the donor who was counted for its gifts, if it had already been in the books. Gifts posted
 * during the recovery link their checkout themselves.
 */
export async function linkBookedDonor(db: Kysely<Tables>, checkoutId: CheckoutId): Promise<void> {
  await sql`
    update checkouts c set donor_id = (
      select d.id from donors d
      where d.org_id = c.org_id and d.identity in ('user:' || c.user_id, 'email:' || lower(trim(c.email)),
        (select 'user:' || u.id from users u where u.email_verified and u.email = lower(trim(c.email))))
      order by d.identity desc limit 1)
    where c.id = ${checkoutId} and c.donor_id is null
      and exists (select from ledger_entries e where e.checkout_id = c.id)`.execute(db);
}

/** Lists a checkout's charges that are in the books. */
export async function listBookedCharges(db: Kysely<Tables>, checkoutId: CheckoutId): Promise<string[]> {
  const rows = await db.selectFrom('payments').select('charge_id').where('checkout_id', '=', checkoutId).execute();
  return rows.flatMap(({ charge_id }) => charge_id ?? []);
}

/** Lists charges with open refunds or disputes. Comparing sums can't find them if their outcome moves no money. */
export async function listChargesWithOpenReturns(db: Kysely<Tables>): Promise<string[]> {
  const rows = await db
    .selectFrom('payment_returns')
    .innerJoin('payments', 'payments.entry_id', 'payment_returns.entry_id')
    .select('charge_id')
    .distinct()
    .where('payment_returns.status', 'in', ['open', 'pending'])
    .execute();
  return rows.flatMap(({ charge_id }) => charge_id ?? []);
}

/** Lists recurring gifts, which may have changed at the provider. */
export async function listActiveSubscriptions(db: Kysely<Tables>): Promise<string[]> {
  const rows = await db.selectFrom('subscriptions').select('id').where('canceled_at', 'is', null).execute();
  return rows.map(({ id }) => id);
}
