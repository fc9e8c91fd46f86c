import { type Kysely, sql } from 'kysely';

/**
 * Every entity of §3, the ledger, and the payment provider's events. Ids are text. Times have milliseconds, as
 * JavaScript dates and cursors do. Money is whole cents and carbon ten-thousandths of a pound, both int8.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await people(db);
  await organizations(db);
  await stories(db);
  await checkouts(db);
  await ledger(db);
  await provider(db);
}

async function people(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table users (
      id text primary key,
      email text not null unique check (email = lower(email)),
      email_verified boolean not null default false,
      display_name text not null default '',
      photo_url text,
      admin boolean not null default false,
      is_anonymous boolean not null default false,
      created_at timestamptz(3) not null default now(),
      updated_at timestamptz(3) not null default now()
    )`.execute(db);
}

async function organizations(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table orgs (
      id text primary key,
      slug text not null unique,
      name text not null,
      tag text not null,
      photo jsonb,
      no_awardees boolean not null default false,
      review_stories boolean not null default false,
      is_sample boolean not null default false,
      delta_carbon int8 not null default 0,
      delta_gas int8 not null default 0,
      delta_cents int8 not null default 0,
      delta_grants int8 not null default 0,
      stats_updated_at timestamptz(3) not null default now(),
      created_at timestamptz(3) not null default now()
    )`.execute(db);
  await sql`create index orgs_by_age on orgs (created_at, id)`.execute(db);
  await sql`
    create table org_editors (
      org_id text not null references orgs (id) on delete cascade,
      user_id text not null references users (id) on delete cascade,
      display_name text not null,
      role text not null default 'editor' check (role = 'editor'),
      created_at timestamptz(3) not null default now(),
      primary key (org_id, user_id)
    )`.execute(db);
  await sql`create index org_editors_by_user on org_editors (user_id)`.execute(db);
  await sql`
    create table cells (
      org_id text not null references orgs (id) on delete cascade,
      page text not null,
      name text not null,
      markdown text not null,
      html text not null,
      user_id text references users (id) on delete set null,
      created_at timestamptz(3) not null default now(),
      primary key (org_id, page, name)
    )`.execute(db);
}

async function stories(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table offsetters (
      id text primary key,
      org_id text not null references orgs (id) on delete cascade,
      user_id text references users (id) on delete set null,
      checkout_id text unique,
      email text not null,
      name text not null,
      story text not null,
      photo jsonb,
      shown_as text not null default 'full' check (shown_as in ('full', 'first', 'none')),
      status text not null default 'draft' check (status in ('draft', 'published', 'hidden')),
      last_offset_at timestamptz(3),
      created_at timestamptz(3) not null default now()
    )`.execute(db);
  await sql`create index offsetters_by_age on offsetters (org_id, created_at, id)`.execute(db);
  await sql`create index offsetters_shown on offsetters (org_id, created_at, id)
    where status = 'published' and shown_as <> 'none'`.execute(db);
  await sql`create index offsetters_by_user on offsetters (org_id, user_id) where user_id is not null`.execute(db);
  await sql`create index offsetters_by_email on offsetters (email)`.execute(db);

  for (const table of ['awardees', 'installers']) {
    await sql`
      create table ${sql.table(table)} (
        id text primary key,
        org_id text not null references orgs (id) on delete cascade,
        name text not null,
        story text not null,
        photo jsonb,
        status text not null default 'draft' check (status in ('draft', 'published', 'hidden')),
        consented_at timestamptz(3),
        created_at timestamptz(3) not null default now()
      )`.execute(db);
    await sql`create index ${sql.ref(`${table}_by_age`)} on ${sql.table(table)} (org_id, created_at, id)`.execute(db);
    await sql`create index ${sql.ref(`${table}_shown`)} on ${sql.table(table)} (org_id, created_at, id)
      where status = 'published'`.execute(db);
  }
}

async function checkouts(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table checkouts (
      id text primary key,
      org_id text not null references orgs (id),
      cart jsonb not null,
      total_cents int8 not null check (total_cents > 0),
      carbon int8 not null check (carbon >= 0),
      currency text not null default 'usd',
      payment_status text not null default 'unpaid' check (payment_status in
        ('unpaid', 'processing', 'paid', 'failed', 'expired', 'refunded', 'disputed')),
      completed boolean not null default false,
      display_name text,
      email text,
      user_id text references users (id) on delete set null,
      offsetter_id text references offsetters (id) on delete set null,
      provider_session_id text unique,
      provider_payment_id text,
      provider_customer_id text,
      provider_subscription_id text,
      payment_url text,
      asked_provider_at timestamptz(3),
      paid_at timestamptz(3),
      created_at timestamptz(3) not null default now()
    )`.execute(db);
  await sql`create index checkouts_by_age on checkouts (org_id, created_at, id)`.execute(db);
  await sql`create index checkouts_unsettled on checkouts (created_at)
    where payment_status in ('unpaid', 'processing')`.execute(db);

  await sql`
    create table pledges (
      id text primary key,
      org_id text not null references orgs (id),
      name text not null,
      email text not null,
      amount_cents int8 not null check (amount_cents > 0),
      status text not null default 'pledged' check (status in ('pledged', 'received', 'withdrawn')),
      received_at timestamptz(3),
      created_at timestamptz(3) not null default now()
    )`.execute(db);
  await sql`create index pledges_by_age on pledges (org_id, created_at, id)`.execute(db);
}

/** One row per provider fact, never changed or deleted (decisions §3). */
async function ledger(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table ledger_entries (
      id text primary key,
      org_id text not null references orgs (id),
      kind text not null check (kind in ('payment', 'renewal', 'refund', 'dispute', 'adjustment', 'check')),
      fact text not null unique,
      checkout_id text,
      pledge_id text,
      amount_cents int8 not null,
      carbon int8 not null,
      gas int8 not null default 0,
      grants int8 not null default 0,
      currency text not null default 'usd',
      reason text,
      actor_id text,
      occurred_at timestamptz(3) not null,
      created_at timestamptz(3) not null default now()
    )`.execute(db);
  await sql`create index ledger_by_age on ledger_entries (org_id, created_at, id)`.execute(db);
  await sql`create index ledger_by_checkout on ledger_entries (checkout_id) where checkout_id is not null`.execute(db);
  await sql`
    create function refuse_ledger_change() returns trigger language plpgsql as $$
    begin
      raise exception 'the ledger is append-only: post a reversing entry instead';
    end $$`.execute(db);
  await sql`create trigger ledger_is_append_only before update or delete on ledger_entries
    for each row execute function refuse_ledger_change()`.execute(db);
  await sql`create trigger ledger_is_not_emptied before truncate on ledger_entries
    for each statement execute function refuse_ledger_change()`.execute(db);

  // The running total, updated in the transaction that posts an entry, so that public pages never add up a long ledger.
  await sql`
    create table ledger_totals (
      org_id text primary key references orgs (id),
      amount_cents int8 not null default 0,
      carbon int8 not null default 0,
      gas int8 not null default 0,
      grants int8 not null default 0,
      entries int8 not null default 0
    )`.execute(db);

  await sql`
    create table receipts (
      org_id text not null references orgs (id),
      number int8 not null,
      ledger_entry_id text not null unique references ledger_entries (id),
      checkout_id text,
      key text not null unique,
      email text not null,
      name text,
      amount_cents int8 not null,
      issued_at timestamptz(3) not null default now(),
      primary key (org_id, number)
    )`.execute(db);
  await sql`create index receipts_by_checkout on receipts (checkout_id) where checkout_id is not null`.execute(db);
}

/** Each of the payment provider's events, once. */
async function provider(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table provider_events (
      id text primary key,
      type text not null,
      outcome text not null check (outcome in ('recorded', 'ignored', 'refused')),
      checkout_id text,
      reason text,
      occurred_at timestamptz(3) not null,
      created_at timestamptz(3) not null default now()
    )`.execute(db);
}
