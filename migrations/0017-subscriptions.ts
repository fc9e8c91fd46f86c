import { type Kysely, sql } from 'kysely';

/**
 * What the provider says of each recurring gift, and the key of the page where its donor manages it. Gifts that exist
 * already, or that the version before still starts, are unknown until the provider is asked.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table subscriptions (
      -- The provider's.
      id text primary key,
      org_id text not null references orgs (id),
      checkout_id text not null references checkouts (id),
      key text not null unique,
      status text not null default 'unknown' check (status in ('unknown', 'active', 'past_due', 'paused', 'canceled')),
      amount_cents int8 check (amount_cents >= 0),
      unit text check (unit in ('month', 'year')),
      count int4 check (count > 0),
      -- Of a gift that is past due: when the card will be tried again.
      next_charge_at timestamptz(3),
      canceled_at timestamptz(3),
      -- Whether it ended because its card could not be charged.
      ended_unpaid boolean not null default false,
      livemode boolean,
      asked_at timestamptz(3),
      created_at timestamptz(3) not null default now(),
      check (canceled_at is null or status = 'canceled')
    )`.execute(db);
  await sql`create index subscriptions_by_checkout on subscriptions (checkout_id)`.execute(db);
  await sql`create index subscriptions_to_ask on subscriptions (asked_at) where status <> 'canceled'`.execute(db);
  await sql`
    create table failed_renewals (
      invoice_id text not null,
      attempt int4 not null,
      subscription_id text not null references subscriptions (id),
      amount_cents int8 not null,
      failed_at timestamptz(3) not null,
      -- Absent if the provider will not try again by itself.
      retry_at timestamptz(3),
      primary key (invoice_id, attempt)
    )`.execute(db);
  await sql`
    insert into subscriptions (id, org_id, checkout_id, key)
    select provider_subscription_id, org_id, id, replace(gen_random_uuid()::text, '-', '') from checkouts
      where provider_subscription_id is not null
    on conflict do nothing`.execute(db);
}
