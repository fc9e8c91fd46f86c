import { type Kysely, sql } from 'kysely';

/** What went back of a payment, by the provider's word: refunds and disputes, also those that came to nothing. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table returns (
      -- The provider's id.
      id text primary key,
      entry_id text not null references payments (entry_id),
      kind text not null check (kind in ('refund', 'dispute')),
      amount_cents int8 not null check (amount_cents >= 0),
      status text not null check (status in ('pending', 'succeeded', 'failed', 'open', 'won', 'lost')),
      -- Typed by an editor; forgotten with the payer.
      reason text,
      occurred_at timestamptz(3) not null,
      created_at timestamptz(3) not null default now(),
      check ((kind = 'refund') = (status in ('pending', 'succeeded', 'failed')))
    )`.execute(db);
  await sql`create index returns_by_payment on returns (entry_id)`.execute(db);
  await sql`
    create function forget_reasons() returns trigger language plpgsql as $$
    begin
      update returns set reason = null
        where reason is not null and entry_id in (select entry_id from payments where checkout_id = new.id);
      return null;
    end $$`.execute(db);
  await sql`create trigger checkouts_forget_reasons after update of forgotten_at on checkouts for each row
    when (new.forgotten_at is not null) execute function forget_reasons()`.execute(db);
}
