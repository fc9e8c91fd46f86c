import { type Kysely, sql } from 'kysely';

/** In whose honor or memory a checkout is, and the card that tells of it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table tributes (
      checkout_id text primary key references checkouts (id),
      org_id text not null references orgs (id),
      kind text not null check (kind in ('honor', 'memory')),
      name text not null,
      card_email text,
      card_name text,
      card_message text,
      card_signed text,
      card_status text check (card_status in ('unpaid', 'sending', 'mailed', 'refused', 'failed', 'unknown')),
      -- Since when.
      card_status_at timestamptz(3),
      card_code text,
      -- Only the last mailing may be sent.
      card_mailing text not null default 'first',
      created_at timestamptz(3) not null default now(),
      check (num_nulls(card_email, card_name, card_message, card_signed, card_status, card_status_at) in (0, 6))
    )`.execute(db);
  await sql`create index tributes_unpaid on tributes (created_at) where card_status = 'unpaid' or card_status is null`.execute(
    db,
  );
  // Whichever version erases the donor.
  await sql`
    create function erase_tribute() returns trigger language plpgsql as $$
    begin
      delete from tributes where checkout_id = new.id;
      return null;
    end $$`.execute(db);
  await sql`create trigger checkouts_erase_tribute after update of forgotten_at, deleted_at on checkouts for each row
    when (new.forgotten_at is not null or new.deleted_at is not null) execute function erase_tribute()`.execute(db);
}
