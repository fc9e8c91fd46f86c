import { type Kysely, type Selectable, type SqlBool, sql, type Transaction, type Updateable } from 'kysely';
import type { SubscriptionsTable, Tables } from '#server/db/tables.ts';
import { newId } from '#server/ids.ts';

export type SubscriptionRow = Selectable<SubscriptionsTable>;
export type NewSubscription = { readonly id: string; readonly orgId: string; readonly checkoutId: string };

export async function insertSubscription(
  db: Kysely<Tables>,
  { id, orgId, checkoutId }: NewSubscription,
): Promise<void> {
  await db
    .insertInto('subscriptions')
    .values({ id, org_id: orgId, checkout_id: checkoutId, key: newId() })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
}

/** Adds the subscriptions of checkouts that have none here yet: the version before may still start some. */
export async function insertMissing(db: Kysely<Tables>, most: number): Promise<void> {
  const missing = await db
    .selectFrom('checkouts')
    .leftJoin('subscriptions', 'subscriptions.id', 'checkouts.provider_subscription_id')
    .select(['checkouts.provider_subscription_id as id', 'checkouts.org_id as orgId', 'checkouts.id as checkoutId'])
    .where('checkouts.provider_subscription_id', 'is not', null)
    .where('subscriptions.id', 'is', null)
    .limit(most)
    .execute();
  for (const { id, orgId, checkoutId } of missing)
    if (id !== null) await insertSubscription(db, { id, orgId, checkoutId });
}

/**
 * Locks the checkout of a subscription against being locked for a payment, which comes before the subscription's own row:
 * the other way round, both would wait for ever. @returns whether this is the checkout's subscription
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
  change: Omit<Updateable<SubscriptionsTable>, 'id' | 'key'>,
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
    .limit(most)
    .execute();
  return rows.map(({ id }) => id);
}
