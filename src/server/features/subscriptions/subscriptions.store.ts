import {
  type Insertable,
  type Kysely,
  type Selectable,
  type SqlBool,
  sql,
  type Transaction,
  type Updateable,
} from 'kysely';
import { newId } from '#server/db/new-id.ts';
import type { Tables } from '#server/db/tables.ts';

export type SubscriptionRow = Selectable<Tables['subscriptions']>;
export type NewSubscription = {
  readonly id: string;
  /** Of its page; by default a new one. */
  readonly key?: string | undefined;
  readonly orgId: string;
  readonly checkoutId: string;
};

export async function insertSubscription(
  db: Kysely<Tables>,
  { id, key = newId(), orgId, checkoutId }: NewSubscription,
): Promise<void> {
  await db
    .insertInto('subscriptions')
    .values({ id, org_id: orgId, checkout_id: checkoutId, key })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
}

/**
 * Locks the checkout of a subscription against being locked for a payment, which comes before the subscription's own row:
 * in the other order, both would wait forever. @returns whether this is the checkout's subscription
 */
export async function lockCheckoutOf(
  tx: Transaction<Tables>,
  { id, orgId, checkoutId }: NewSubscription,
): Promise<boolean> {
  const checkout = await tx
    .selectFrom('checkouts')
    .select('provider_subscription_id')
    .where('id', '=', checkoutId)
    .where('org_id', '=', orgId)
    .forKeyShare()
    .executeTakeFirst();
  return checkout !== undefined && (checkout.provider_subscription_id ?? id) === id;
}

export function lockedSubscription(tx: Transaction<Tables>, id: string): Promise<SubscriptionRow | undefined> {
  return tx.selectFrom('subscriptions').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
}

export async function changeSubscription(
  db: Kysely<Tables>,
  id: string,
  change: Omit<Updateable<Tables['subscriptions']>, 'id' | 'key'>,
): Promise<void> {
  await db.updateTable('subscriptions').set(change).where('id', '=', id).execute();
}

/**
 * The subscriptions that the provider should be asked about: those it was never asked about, and those whose charge is a
 * day late, so that a report was missed. Each at most once an hour, the one that waited longest first.
 */
export async function subscriptionsToAsk(db: Kysely<Tables>, now: Date, most: number): Promise<string[]> {
  const rows = await db
    .selectFrom('subscriptions')
    .select('id')
    .where('status', '<>', 'canceled')
    .where(sql<SqlBool>`(asked_at is null or asked_at <= ${now}::timestamptz - interval '1 hour')`)
    .where(sql<SqlBool>`(status = 'unknown' or next_charge_at <= ${now}::timestamptz - interval '1 day')`)
    .orderBy(sql`asked_at nulls first`)
    .orderBy('id')
    .limit(most)
    .execute();
  return rows.map(({ id }) => id);
}

export async function keyOfCheckout(
  db: Kysely<Tables>,
  orgId: string,
  checkoutId: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('subscriptions')
    .select('key')
    .where('org_id', '=', orgId)
    .where('checkout_id', '=', checkoutId)
    .executeTakeFirst();
  return row?.key;
}

function selectGift(db: Kysely<Tables>) {
  return db
    .selectFrom('subscriptions')
    .innerJoin('orgs', 'orgs.id', 'subscriptions.org_id')
    .selectAll('subscriptions')
    .select(['orgs.name as org_name', 'orgs.time_zone']);
}

export type GiftRow = SubscriptionRow & { readonly org_name: string; readonly time_zone: string };

/** A gift by the link in its donor's emails, which works until a year after the gift ended (decisions §3). */
export function giftByKey(
  db: Kysely<Tables>,
  { orgId, key }: { readonly orgId: string; readonly key: string },
  now: Date,
): Promise<GiftRow | undefined> {
  return selectGift(db)
    .where('subscriptions.org_id', '=', orgId)
    .where('key', '=', key)
    .where(sql<SqlBool>`(canceled_at is null or canceled_at > ${now}::timestamptz - interval '1 year')`)
    .executeTakeFirst();
}

export function giftById(db: Kysely<Tables>, id: string): Promise<GiftRow | undefined> {
  return selectGift(db).where('subscriptions.id', '=', id).executeTakeFirst();
}

export function giftByCheckout(db: Kysely<Tables>, orgId: string, checkoutId: string): Promise<GiftRow | undefined> {
  return selectGift(db)
    .where('subscriptions.org_id', '=', orgId)
    .where('checkout_id', '=', checkoutId)
    .executeTakeFirst();
}

/** The recurring gifts that a user began while signed in, or paid with the user's verified address; the newest first. */
export function giftsOfUser(db: Kysely<Tables>, userId: string, email: string): Promise<GiftRow[]> {
  return selectGift(db)
    .innerJoin('checkouts', 'checkouts.id', 'subscriptions.checkout_id')
    .where(sql<SqlBool>`(checkouts.user_id = ${userId} or lower(checkouts.email) = ${email})`)
    .orderBy('checkouts.created_at', 'desc')
    .orderBy('subscriptions.id')
    .execute();
}

/** Whether a user began a gift while logged in, or paid it with a verified address. */
export async function isGiftOf(db: Kysely<Tables>, { checkout_id }: GiftRow, userId: string): Promise<boolean> {
  const found = await db
    .selectFrom('checkouts')
    .innerJoin('users', (join) => join.on('users.id', '=', userId))
    .select('checkouts.id')
    .where('checkouts.id', '=', checkout_id)
    .where(
      sql<SqlBool>`(checkouts.user_id = users.id or users.email_verified and lower(checkouts.email) = lower(users.email))`,
    )
    .executeTakeFirst();
  return found !== undefined;
}

/** Marks a gift that the provider has ended. */
export async function markEnded(db: Kysely<Tables>, id: string, at: Date): Promise<void> {
  await db
    .updateTable('subscriptions')
    .set({ status: 'canceled', canceled_at: at, next_charge_at: null, asked_at: at })
    .where('id', '=', id)
    .where('canceled_at', 'is', null)
    .execute();
}

/** @returns whether it was new */
export async function addFailedRenewal(
  tx: Transaction<Tables>,
  failure: Insertable<Tables['failed_renewals']>,
): Promise<boolean> {
  const added = await tx
    .insertInto('failed_renewals')
    .values(failure)
    .onConflict((conflict) => conflict.columns(['invoice_id', 'attempt']).doNothing())
    .returning('attempt')
    .executeTakeFirst();
  return added !== undefined;
}

export function failedRenewal(
  db: Kysely<Tables>,
  invoiceId: string,
  attempt: number,
): Promise<Selectable<Tables['failed_renewals']> | undefined> {
  return db
    .selectFrom('failed_renewals')
    .selectAll()
    .where('invoice_id', '=', invoiceId)
    .where('attempt', '=', attempt)
    .executeTakeFirst();
}

/** Who gave, unless the person has been erased. */
export async function donorOf(db: Kysely<Tables>, checkoutId: string) {
  const row = await db
    .selectFrom('checkouts')
    .select(['email', 'display_name as name', 'language'])
    .where('id', '=', checkoutId)
    .where('forgotten_at', 'is', null)
    .executeTakeFirst();
  return row && row.email !== null ? { ...row, email: row.email } : undefined;
}
