import { type Kysely, sql } from 'kysely';

/**
 * What a fund's treasurer asks: checkouts found by name, address, amount, status and date, however many there are; the
 * ledger by the day of the gift; checks with what is written on them; and when a receipt was mailed.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await words(db);
  await checkouts(db);
  await checks(db);
  await ledger(db);
  // A list of all that waits is short, and asked for whenever an editor looks.
  await sql`create index offsetters_waiting on offsetters (org_id) where status = 'draft'`.execute(db);
}

/**
 * The words of a name or an address, in small letters. Words and searches are made by the same function, so that no
 * locale can make them differ. ASCII marks part words; every other character is a part of one. No word is longer than
 * what an index takes.
 */
async function words(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function search_words(said text) returns text[] language sql immutable parallel safe as $$
      select array_remove(string_to_array(regexp_replace(lower(left(said, 400)),
        '[\\x01-\\x2f\\x3a-\\x40\\x5b-\\x60\\x7b-\\x7f]+', ' ', 'g'), ' '), '')
    $$`.execute(db);
  // Each word as the beginning of one that is kept.
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
  // With all that an overview adds up, so that it reads the index alone.
  await sql`create index ledger_by_day on ledger_entries (org_id, occurred_at, id)
    include (kind, amount_cents, carbon)`.execute(db);
}
