import {
  type Insertable,
  type Kysely,
  type Selectable,
  type SqlBool,
  sql,
  type Transaction,
  type Updateable,
} from 'kysely';
import type { CheckoutId, OrgId, UserId } from '#domain/ids.ts';
import type { Cents } from '#domain/money.ts';
import type { RecurringGiftGroup } from '#domain/recurring-gift.ts';
import type { Database } from '#server/db/connection.ts';
import { type PageRequest, readPage } from '#server/db/keyset.ts';
import { newId } from '#server/db/new-id.ts';
import { isInPaymentMode } from '#server/db/payment-mode.ts';
import type { Tables } from '#server/db/tables.ts';

export type SubscriptionRow = Selectable<Tables['subscriptions']>;
type NewSubscription = {
  readonly id: string;
  /** Key of the gift's page. If omitted, a new one is generated. */
  readonly pageKey?: string | undefined;
  readonly orgId: OrgId;
  readonly checkoutId: CheckoutId;
};

export async function insertSubscription(
  db: Kysely<Tables>,
  { id, pageKey = newId(), orgId, checkoutId }: NewSubscription,
): Promise<void> {
  await db
    .insertInto('subscriptions')
    .values({ id, org_id: orgId, checkout_id: checkoutId, page_key: pageKey })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
}

/**
 * Locks a subscription's checkout. Recording a payment locks the checkout before the subscription, so locking them in the
 * other order could deadlock.
 * @returns whether this is the checkout's subscription
 */
export async function lockSubscriptionCheckout(
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

export function lockSubscription(tx: Transaction<Tables>, id: string): Promise<SubscriptionRow | undefined> {
  return tx.selectFrom('subscriptions').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
}

export async function changeSubscription(
  db: Kysely<Tables>,
  id: string,
  change: Omit<Updateable<Tables['subscriptions']>, 'id' | 'page_key'>,
): Promise<void> {
  await db.updateTable('subscriptions').set(change).where('id', '=', id).execute();
}

/**
 * Lists subscriptions to read from the provider: those with an unknown status, and those whose charge is a day late, which
 * means that an event was missed. Lists each subscription at most once an hour, least recently read first.
 */
export async function listSubscriptionsToRefresh(db: Kysely<Tables>, now: Date, max: number): Promise<string[]> {
  const rows = await db
    .selectFrom('subscriptions')
    .select('id')
    .where('status', '<>', 'canceled')
    .where(
      sql<SqlBool>`(provider_checked_at is null or provider_checked_at <= ${now}::timestamptz - interval '1 hour')`,
    )
    .where(sql<SqlBool>`(status = 'unknown' or next_charge_at <= ${now}::timestamptz - interval '1 day')`)
    .orderBy(sql`provider_checked_at nulls first`)
    .orderBy('id')
    .limit(max)
    .execute();
  return rows.map(({ id }) => id);
}

export async function findPageKey(
  db: Kysely<Tables>,
  orgId: OrgId,
  checkoutId: CheckoutId,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('subscriptions')
    .select('page_key')
    .where('org_id', '=', orgId)
    .where('checkout_id', '=', checkoutId)
    .executeTakeFirst();
  return row?.page_key;
}

function selectRecurringGift(db: Kysely<Tables>) {
  return db
    .selectFrom('subscriptions')
    .innerJoin('orgs', 'orgs.id', 'subscriptions.org_id')
    .selectAll('subscriptions')
    .select(['orgs.name as org_name', 'orgs.time_zone']);
}

export type RecurringGiftRow = SubscriptionRow & { readonly org_name: string; readonly time_zone: string };

/** Finds the gift for a link in the donor's emails. The link works until a year after the gift ended (decisions §3). */
export function findRecurringGiftByKey(
  db: Kysely<Tables>,
  { orgId, key }: { readonly orgId: OrgId; readonly key: string },
  now: Date,
): Promise<RecurringGiftRow | undefined> {
  return selectRecurringGift(db)
    .where('subscriptions.org_id', '=', orgId)
    .where('page_key', '=', key)
    .where(sql<SqlBool>`(canceled_at is null or canceled_at > ${now}::timestamptz - interval '1 year')`)
    .executeTakeFirst();
}

export function findRecurringGiftById(db: Kysely<Tables>, id: string): Promise<RecurringGiftRow | undefined> {
  return selectRecurringGift(db).where('subscriptions.id', '=', id).executeTakeFirst();
}

export function findRecurringGiftByCheckout(
  db: Kysely<Tables>,
  orgId: OrgId,
  checkoutId: CheckoutId,
): Promise<RecurringGiftRow | undefined> {
  return selectRecurringGift(db)
    .where('subscriptions.org_id', '=', orgId)
    .where('checkout_id', '=', checkoutId)
    .executeTakeFirst();
}

/**
 * Lists the recurring gifts that a user started while signed in or paid for using their verified address, newest first.
 */
export function listUserRecurringGiftRows(
  db: Kysely<Tables>,
  userId: UserId,
  email: string,
): Promise<RecurringGiftRow[]> {
  return selectRecurringGift(db)
    .innerJoin('checkouts', 'checkouts.id', 'subscriptions.checkout_id')
    .where(sql<SqlBool>`(checkouts.user_id = ${userId} or lower(checkouts.email) = ${email})`)
    .orderBy('checkouts.created_at', 'desc')
    .orderBy('subscriptions.id')
    .execute();
}

/** Lists the active recurring gifts of donors and of the donors merged into them, newest first. */
export function listActiveDonorGifts(
  db: Kysely<Tables>,
  orgId: OrgId,
  donorIds: readonly string[],
): Promise<(RecurringGiftRow & { readonly donor_id: string })[]> {
  // Materialized, so that a page reads only its donors' checkouts.
  const checkouts = sql<{ id: string; donor_id: string }>`(
    with donor_checkouts as materialized (
      select c.id, coalesce(d.merged_into_id, d.id) as donor_id from donors d join checkouts c on c.donor_id = d.id
      where d.org_id = ${orgId} and (d.id = any(${donorIds}) or d.merged_into_id = any(${donorIds}))
    )
    select * from donor_checkouts)`;
  return selectRecurringGift(db)
    .innerJoin(checkouts.as('donor_checkouts'), 'donor_checkouts.id', 'subscriptions.checkout_id')
    .select('donor_checkouts.donor_id')
    .where('subscriptions.org_id', '=', orgId)
    .where('subscriptions.status', '<>', 'canceled')
    .where(isInPaymentMode('subscriptions.livemode'))
    .orderBy('subscriptions.created_at', 'desc')
    .orderBy('subscriptions.id')
    .execute();
}

export type RecurringFilter = {
  readonly group: RecurringGiftGroup | undefined;
  /** Gifts that ended before this time aren't listed as lost. */
  readonly lostSince: Date;
};

/** A recurring gift with its donor and its last failed renewal. */
export type ListedRecurringGiftRow = RecurringGiftRow & {
  readonly donor_id: string | null;
  readonly donor_name: string | null;
  readonly donor_email: string | null;
  readonly failed_at: Date | null;
  readonly failures: number;
};

/** Lists an organization's recurring gifts in the current payment mode, newest first. @throws Failure unknown-cursor */
export function listRecurringGiftRows(
  db: Database,
  orgId: OrgId,
  filter: RecurringFilter,
  page: PageRequest,
): Promise<ListedRecurringGiftRow[]> {
  // A later successful renewal clears the failures.
  const failures = sql`from failed_renewals f where f.subscription_id = subscriptions.id
    and f.failed_at > coalesce((select max(charged_at) from payments p
      where p.checkout_id = subscriptions.checkout_id), 'epoch')`;
  const query = selectRecurringGift(db.kysely)
    .innerJoin('checkouts', 'checkouts.id', 'subscriptions.checkout_id')
    .leftJoin('donors', 'donors.id', 'checkouts.donor_id')
    .select([
      sql<string | null>`coalesce(donors.merged_into_id, donors.id)`.as('donor_id'),
      sql<string | null>`coalesce(donors.name, checkouts.display_name)`.as('donor_name'),
      sql<string | null>`coalesce(donors.email, checkouts.email)`.as('donor_email'),
      sql<Date | null>`(select max(f.failed_at) ${failures})`.as('failed_at'),
      sql<number>`(select count(*)::int4 ${failures})`.as('failures'),
    ])
    .where('subscriptions.org_id', '=', orgId)
    .where(isInPaymentMode('subscriptions.livemode'));
  return readPage(query.where(matchesFilter(filter)), 'subscriptions', page, orgId);
}

const STATUS_BY_GROUP = { active: 'active', paused: 'paused', failing: 'past_due', ended: 'canceled' } as const;

function matchesFilter({ group, lostSince }: RecurringFilter) {
  if (group === undefined) return sql<SqlBool>`true`;
  if (group !== 'lost') return sql<SqlBool>`subscriptions.status = ${STATUS_BY_GROUP[group]}`;
  return sql<SqlBool>`subscriptions.status = 'canceled' and subscriptions.ended_unpaid
    and subscriptions.canceled_at >= ${lostSince}`;
}

export type RecurringSumRow = {
  /** Null if the provider hasn't reported the status. */
  readonly group: RecurringGiftGroup | null;
  readonly interval_unit: 'month' | 'year' | null;
  readonly interval_count: number | null;
  /** The amount of each gift; null if the provider hasn't reported it. */
  readonly amount_cents: Cents | null;
  readonly gifts: number;
};

/** Counts recurring gifts by group, interval, and amount. Lost gifts are in two groups. */
export async function readRecurringSums(
  db: Kysely<Tables>,
  orgId: OrgId,
  lostSince: Date,
): Promise<readonly RecurringSumRow[]> {
  const { rows } = await sql<RecurringSumRow>`
    select case s.status when 'past_due' then 'failing' when 'canceled' then 'ended' when 'unknown' then null
      else s.status end as group, s.interval_unit, s.interval_count, s.amount_cents,
      count(*)::int4 as gifts
    from subscriptions s where s.org_id = ${orgId} and ${isInPaymentMode('s.livemode')} group by 1, 2, 3, 4
    union all
    select 'lost', s.interval_unit, s.interval_count, s.amount_cents, count(*)::int4
    from subscriptions s where s.org_id = ${orgId} and s.status = 'canceled' and s.ended_unpaid
      and s.canceled_at >= ${lostSince} and ${isInPaymentMode('s.livemode')} group by 2, 3, 4`.execute(db);
  return rows;
}

/** Returns whether a user started a gift while signed in or paid for it using their verified address. */
export async function isRecurringGiftDonor(
  db: Kysely<Tables>,
  { checkout_id }: RecurringGiftRow,
  userId: UserId,
): Promise<boolean> {
  const checkout = await db
    .selectFrom('checkouts')
    .innerJoin('users', (join) => join.on('users.id', '=', userId))
    .select('checkouts.id')
    .where('checkouts.id', '=', checkout_id)
    .where(
      sql<SqlBool>`(checkouts.user_id = users.id or users.email_verified and lower(checkouts.email) = lower(users.email))`,
    )
    .executeTakeFirst();
  return checkout !== undefined;
}

/** Marks a gift as ended by the provider. */
export async function markEnded(db: Kysely<Tables>, id: string, endedAt: Date): Promise<void> {
  await db
    .updateTable('subscriptions')
    .set({ status: 'canceled', canceled_at: endedAt, next_charge_at: null, provider_checked_at: endedAt })
    .where('id', '=', id)
    .where('canceled_at', 'is', null)
    .execute();
}

/** Records that a gift's stop is confirmed. @returns false if this was already recorded */
export async function markStopped(tx: Transaction<Tables>, id: string, stoppedAt: Date): Promise<boolean> {
  const gift = tx
    .updateTable('subscriptions')
    .set({ stopped_at: stoppedAt })
    .where('id', '=', id)
    .where('stopped_at', 'is', null);
  return (await gift.returning('id').executeTakeFirst()) !== undefined;
}

/** @returns false if this failure was already recorded */
export async function insertFailedRenewal(
  tx: Transaction<Tables>,
  failure: Insertable<Tables['failed_renewals']>,
): Promise<boolean> {
  const newFailure = await tx
    .insertInto('failed_renewals')
    .values(failure)
    .onConflict((conflict) => conflict.columns(['invoice_id', 'attempt']).doNothing())
    .returning('attempt')
    .executeTakeFirst();
  return newFailure !== undefined;
}

export function findFailedRenewal(
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

/** Sums a recurring gift's payments, including one-time items in the first payment, minus returns. */
export async function sumPayments(db: Kysely<Tables>, { checkout_id }: RecurringGiftRow): Promise<Cents> {
  const { total } = await db
    .selectFrom('payments')
    .select(sql<number>`coalesce(sum(greatest(amount_cents - returned_cents, 0)), 0)::int8`.as('total'))
    .where('checkout_id', '=', checkout_id)
    .executeTakeFirstOrThrow();
  return total;
}

export async function findNewestReceiptKey(
  db: Kysely<Tables>,
  { checkout_id }: RecurringGiftRow,
): Promise<string | undefined> {
  const receipt = await db
    .selectFrom('receipts')
    .select('key')
    .where('checkout_id', '=', checkout_id)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst();
  return receipt?.key;
}

/** Finds a checkout's donor; undefined if the donor's data was erased. */
export async function findCheckoutDonor(db: Kysely<Tables>, checkoutId: CheckoutId) {
  const row = await db
    .selectFrom('checkouts')
    .select(['email', 'display_name as name', 'language'])
    .where('id', '=', checkoutId)
    .where('payer_erased_at', 'is', null)
    .executeTakeFirst();
  return row && row.email !== null ? { ...row, email: row.email } : undefined;
}
