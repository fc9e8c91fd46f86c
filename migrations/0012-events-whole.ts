import { type Kysely, sql } from 'kysely';

/**
 * Every event of the payment provider is stored whole and applied afterwards, so the row is also the queue. Money that
 * cannot be applied waits for a person. The version before still writes its own outcomes, so they stay allowed.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await events(db);
  await attention(db);
  await sql`
    create table provider_cursors (
      name text primary key,
      -- How far the provider's list of events was read, and for which types.
      read_until timestamptz(3) not null,
      types text not null
    )`.execute(db);
  // The reconciler asks first about the checkouts that it has not asked about for the longest time.
  await sql`create index checkouts_to_ask on checkouts ((coalesce(asked_provider_at, created_at)))
    where payment_status in ('unpaid', 'processing') and provider_session_id is not null`.execute(db);
}

async function events(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table provider_events
      add column account text,
      add column livemode boolean,
      add column payload jsonb,
      add column subject_kind text,
      add column subject_id text,
      add column attempts int4 not null default 0,
      add column next_attempt_at timestamptz(3),
      add column applied_at timestamptz(3)`.execute(db);
  await sql`alter table provider_events drop constraint provider_events_outcome_check`.execute(db);
  await sql`
    alter table provider_events add constraint provider_events_outcome_check
      check (outcome in ('pending', 'recorded', 'ignored', 'refused', 'later'))`.execute(db);
  await sql`create index provider_events_pending on provider_events (next_attempt_at)
    where outcome = 'pending'`.execute(db);
  await sql`create index provider_events_by_subject on provider_events (subject_id) where subject_id is not null`.execute(
    db,
  );
  await forgottenPayers(db);
  // The version before ignored every type that it did not handle. Their payload is read again from the provider.
  await sql`update provider_events set outcome = 'later'
    where outcome = 'ignored' and type not like 'checkout.session.%'`.execute(db);
}

/** A payload names the payer, so it goes when the payer's data goes, whichever comes first. */
async function forgottenPayers(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function erase_event_payloads() returns trigger language plpgsql as $$
    begin
      update provider_events set payload = null
        where payload is not null and (checkout_id = new.id or subject_id = new.provider_session_id
          -- Types that no version handles yet name their payer, but no checkout.
          or (outcome in ('later', 'ignored') and position(lower(old.email) in lower(payload::text)) > 0));
      return null;
    end $$`.execute(db);
  await sql`create trigger checkouts_erase_event_payloads after update of forgotten_at on checkouts for each row
    when (new.forgotten_at is not null and old.forgotten_at is null) execute function erase_event_payloads()`.execute(
    db,
  );
  await sql`
    create function erase_event_payload() returns trigger language plpgsql as $$
    begin
      if exists (select from checkouts where id = new.checkout_id and forgotten_at is not null) then
        new.payload := null;
      end if;
      return new;
    end $$`.execute(db);
  await sql`create trigger provider_events_erase_payload before update of checkout_id on provider_events for each row
    when (new.payload is not null and new.checkout_id is not null) execute function erase_event_payload()`.execute(db);
}

async function attention(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table attention_items (
      id text primary key,
      -- The provider's object, such as 'session:cs_…'.
      subject text not null unique,
      reason text not null,
      -- Absent when the payment names no organization of this program: then admins see it.
      org_id text references orgs (id),
      checkout_id text,
      amount_cents int8 not null,
      currency text not null,
      livemode boolean not null,
      occurred_at timestamptz(3) not null,
      created_at timestamptz(3) not null default now(),
      settled_at timestamptz(3),
      settled_by text references users (id) on delete set null,
      note text
    )`.execute(db);
  await sql`create index attention_open on attention_items (org_id, created_at, id) where settled_at is null`.execute(
    db,
  );
}
