import { type Insertable, type Kysely, type RawBuilder, type SqlBool, sql, type Transaction } from 'kysely';
import type { CheckoutId } from '#domain/ids.ts';
import type { Tables } from '#server/db/tables.ts';
import type { CheckoutKey, CheckoutRow } from '#server/entities/find-checkout.ts';
import type { UserFacts } from '#server/entities/find-user.ts';
import { isPublicStory } from '#server/entities/profile-fields.ts';
import type { OffsetterRow } from '#server/features/stories/offsetters.ts';

/** Inserts a checkout, without its payer if the payer's account has been deleted. */
export async function insertCheckout(
  db: Kysely<Tables>,
  checkout: Omit<Insertable<Tables['checkouts']>, 'user_id' | 'display_name'>,
  payer: UserFacts | undefined,
): Promise<void> {
  const ifPayerExists = (value: RawBuilder<unknown>) =>
    sql<string | null>`(select ${value} from users where id = ${payer?.userId ?? null} for key share)`;
  const display_name = ifPayerExists(sql`${payer?.displayName || null}::text`);
  await db
    .insertInto('checkouts')
    .values({ ...checkout, user_id: ifPayerExists(sql`id`), display_name })
    .execute();
}

export type DonorOnlyFields = {
  readonly receipt_number: number | null;
  readonly receipt_key: string | null;
  /** Null unless a recurring gift is active. */
  readonly next_charge_at: Date | null;
  readonly time_zone: string;
};

/** Finds the fields that only the donor may see: the first receipt and the next charge. */
export async function findDonorOnlyFields(db: Kysely<Tables>, checkoutId: CheckoutId): Promise<DonorOnlyFields> {
  const { rows } = await sql<DonorOnlyFields>`
    select o.time_zone, r.printed_number as receipt_number, r.key as receipt_key,
      (select s.next_charge_at from subscriptions s where s.id = c.provider_subscription_id and s.status = 'active')
        as next_charge_at
    from checkouts c
      join orgs o on o.id = c.org_id
      left join lateral (
        select printed_number, key from receipts where checkout_id = c.id order by number limit 1) r on true
    where c.id = ${checkoutId}`.execute(db);
  const [fields] = rows;
  if (!fields) throw new Error('The checkout is missing.');
  return fields;
}

/**
 * Finds the public story that the same browser submitted for an earlier gift with the same email address. The address
 * alone proves nothing, because donors type any address on the payment page.
 */
export function findBrowserStory(
  db: Kysely<Tables>,
  { org_id, email }: Pick<CheckoutRow, 'org_id' | 'email'>,
  creatorHash: string,
): Promise<OffsetterRow | undefined> {
  return db
    .selectFrom('offsetters')
    .selectAll()
    .where('org_id', '=', org_id)
    .where(isPublicStory('offsetters'))
    .where('claim', 'is', null)
    .where(sql<SqlBool>`lower(email) = ${email?.toLowerCase() ?? null}`)
    .where('checkout_id', 'in', (query) =>
      query.selectFrom('checkouts').select('id').where('creator_hash', '=', creatorHash).where('org_id', '=', org_id),
    )
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** Checks whether any of the checkout's money was returned or has a pending refund, which may not be posted yet. */
export async function hasReturns(db: Kysely<Tables>, checkoutId: CheckoutId): Promise<boolean> {
  const { rows } = await sql`
    select from payments p where p.checkout_id = ${checkoutId} and (p.returned_cents > 0
      or exists (select from payment_returns r where r.entry_id = p.entry_id and r.status = 'pending'))
    limit 1`.execute(db);
  return rows.length > 0;
}

/** Checks whether an offsetter has another paid checkout. */
export async function hasOtherPaidCheckout(
  tx: Transaction<Tables>,
  { orgId, checkoutId }: CheckoutKey,
  offsetterId: string,
): Promise<boolean> {
  const checkout = await tx
    .selectFrom('checkouts')
    .select('id')
    .where('org_id', '=', orgId)
    .where('offsetter_id', '=', offsetterId)
    .where('id', '<>', checkoutId)
    .where('deleted_at', 'is', null)
    .where('paid_at', 'is not', null)
    .executeTakeFirst();
  return checkout !== undefined;
}

/**
 * Records that the caller is about to read an unsettled checkout's session from Stripe. At most one concurrent caller
 * succeeds, and none does if the session was read after `notReadSince`.
 * @returns the session to read, or undefined if this caller shouldn't read it
 */
export async function claimSessionRead(
  db: Kysely<Tables>,
  { orgId, checkoutId }: CheckoutKey,
  { now, notReadSince }: { now: Date; notReadSince: Date },
): Promise<string | undefined> {
  const checkout = await db
    .updateTable('checkouts')
    .set({ provider_checked_at: now })
    .where('org_id', '=', orgId)
    .where('id', '=', checkoutId)
    .where('payment_status', 'in', ['unpaid', 'processing'])
    .where('provider_session_id', 'is not', null)
    .where((row) => row.or([row('provider_checked_at', 'is', null), row('provider_checked_at', '<=', notReadSince)]))
    .returning('provider_session_id')
    .executeTakeFirst();
  return checkout?.provider_session_id ?? undefined;
}

/** Erases client or browser hashes from old checkouts. */
export async function eraseHashes(
  db: Kysely<Tables>,
  column: 'client_hash' | 'creator_hash',
  createdBefore: Date,
): Promise<void> {
  await db
    .updateTable('checkouts')
    .set({ [column]: null })
    .where(column, 'is not', null)
    .where('created_at', '<', createdBefore)
    .execute();
}

/** Deletes expired checkouts that were never paid and that nothing refers to. */
export async function deleteUnpaidCheckouts(db: Kysely<Tables>, createdBefore: Date): Promise<void> {
  await sql`
    delete from checkouts c where payment_status = 'expired' and created_at < ${createdBefore}
      and paid_at is null and provider_payment_id is null and provider_subscription_id is null
      and not exists (select from ledger_entries where checkout_id = c.id)
      and not exists (select from payments where checkout_id = c.id)
      and not exists (select from subscriptions where checkout_id = c.id)
      and not exists (select from tributes where checkout_id = c.id)
      and not exists (select from receipts where checkout_id = c.id)
      and not exists (select from offsetters where checkout_id = c.id)
      and not exists (select from attention_items where checkout_id = c.id)`.execute(db);
}
