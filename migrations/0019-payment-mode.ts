import { type Kysely, sql } from 'kysely';

/**
 * Test money is not money: an entry knows whether real money moved, and totals count one mode. Entries of unknown
 * mode, such as checks of earlier versions, count in both.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table payment_mode (
      -- One row at most.
      only_row boolean primary key default true check (only_row),
      livemode boolean not null
    )`.execute(db);
  await sql`alter table ledger_entries add column livemode boolean`.execute(db);
  await sql`alter table ledger_entries disable trigger ledger_is_append_only`.execute(db);
  await sql`
    update ledger_entries e set livemode = c.provider_session_id like 'cs\\_live\\_%'
    from checkouts c
    where c.id = e.checkout_id and e.kind in ('payment', 'renewal')
      and (c.provider_session_id like 'cs\\_live\\_%' or c.provider_session_id like 'cs\\_test\\_%')`.execute(db);
  await sql`alter table ledger_entries enable trigger ledger_is_append_only`.execute(db);
  // Also for the version before, which knows no mode.
  await sql`
    create function set_entry_mode() returns trigger language plpgsql as $$
    begin
      new.livemode := coalesce(new.livemode, (select livemode from payment_mode));
      return new;
    end $$`.execute(db);
  await sql`create trigger ledger_entries_set_mode before insert on ledger_entries
    for each row when (new.livemode is null) execute function set_entry_mode()`.execute(db);
  // All that an overview adds up, so that it reads the index alone.
  await sql`drop index ledger_by_day`.execute(db);
  await sql`create index ledger_by_day on ledger_entries (org_id, occurred_at, id)
    include (kind, amount_cents, carbon, livemode)`.execute(db);
  await sql`
    create function counts_now(entry ledger_entries) returns boolean language sql stable as $$
      select entry.livemode is null
        or entry.livemode is not distinct from coalesce((select livemode from payment_mode), entry.livemode)
    $$`.execute(db);
}
