import { type Kysely, sql } from 'kysely';

/**
 * For a fund's treasurer: checkouts by name, email, amount, status and date, however many there are; the ledger by day;
 * checks with what is written on them; and when a receipt was mailed.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await words(db);
  await checkouts(db);
  await checks(db);
  await ledger(db);
  // The list of waiting checks is short, and read often.
  await sql`create index offsetters_waiting on offsetters (org_id) where status = 'draft'`.execute(db);
}

/**
 * The words of a name or an email, in lowercase. Stored words and searches use the same function, so that no locale
 * makes them differ. ASCII punctuation separates words; all other characters belong to them. Words are limited to what
 * an index takes.
 */
async function words(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function search_words(said text) returns text[] language sql immutable parallel safe as $$
      select array_remove(string_to_array(regexp_replace(lower(left(said, 400)),
        '[\\x01-\\x2f\\x3a-\\x40\\x5b-\\x60\\x7b-\\x7f]+', ' ', 'g'), ' '), '')
    $$`.execute(db);
  // Each word as the start of a stored one.
  await sql`
    create function search_for(said text) returns tsquery language sql immutable parallel safe as $$
      select coalesce(string_agg(quote_literal(word) || ':*', ' & '), '')::tsquery from unnest(search_words(said)) word
    $$`.execute(db);
}

async function checkouts(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table checkouts
      add column deleted_at timestamptz(3),
      add column words tsvector generated always as
        (array_to_tsvector(search_words(coalesce(display_name, '') || ' ' || coalesce(email, '')))) stored`.execute(db);
  await sql`create index checkouts_by_words on checkouts using gin (words) with (fastupdate = off)`.execute(db);
  await sql`create index checkouts_by_status on checkouts (org_id, payment_status, created_at, id)`.execute(db);
  await sql`create index checkouts_by_amount on checkouts (org_id, total_cents, created_at, id)`.execute(db);
  await sql`create index checkouts_by_payment on checkouts (provider_payment_id)
    where provider_payment_id is not null`.execute(db);
  await sql`create index checkouts_by_subscription on checkouts (provider_subscription_id)
    where provider_subscription_id is not null`.execute(db);
  await sql`create index provider_events_by_checkout on provider_events (checkout_id)
    where checkout_id is not null`.execute(db);
}

async function checks(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table pledges
      add column received_cents int8 check (received_cents > 0),
      add column check_number text,
      add column note text`.execute(db);
  await sql`create index pledges_by_status on pledges (org_id, status, created_at, id)`.execute(db);
  await sql`
    create table receipt_mails (
      org_id text not null,
      number int8 not null,
      mailed_at timestamptz(3) not null default now(),
      foreign key (org_id, number) references receipts (org_id, number) on delete cascade
    )`.execute(db);
  await sql`create index receipt_mails_by_receipt on receipt_mails (org_id, number)`.execute(db);
}

async function ledger(db: Kysely<unknown>): Promise<void> {
  // Covers the overview, so that it reads only the index.
  await sql`create index ledger_by_day on ledger_entries (org_id, occurred_at, id)
    include (kind, amount_cents, carbon)`.execute(db);
}
