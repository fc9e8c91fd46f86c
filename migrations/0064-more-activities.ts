import { type Kysely, sql } from 'kysely';

/** Logins that are ended, and receipts and cards that are mailed to another address, are in the record of activity too. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await recordEndedLogins(db);
  await recordAddresses(db);
  await forgetAddresses(db);
}

/** Not of one that ran out, or goes with its account. */
async function recordEndedLogins(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function record_ended_login() returns trigger language plpgsql security definer
      set search_path = pg_catalog, public, pg_temp as $$
    declare
      acting jsonb := coalesce(nullif(current_setting('fund.acting', true), ''), '{}')::jsonb;
    begin
      if old.expires_at <= now() or old.ends_at <= now() or not exists (select from users where id = old.user_id)
      then return null; end if;
      insert into activities (kind, verb, by_program, actor_id, client, person_id, subject) values (
        'login', 'removed', acting = '{}',
        -- Who shows the cookie alone is its owner.
        case when acting <> '{}' then coalesce(acting ->> 'userId', old.user_id) end,
        acting ->> 'client', old.user_id, old.user_id);
      return null;
    end $$`.execute(db);
  await sql`create trigger sessions_record_end after delete on sessions for each row
    execute function record_ended_login()`.execute(db);
}

async function recordAddresses(db: Kysely<unknown>): Promise<void> {
  await sql`create trigger receipts_record_activity after update of email on receipts for each row
    when (new.email is not null) execute function record_activity('receipt', '', 'ledger_entry_id', 'email')`.execute(
    db,
  );
  await sql`create trigger tributes_record_activity after update of card_email on tributes for each row
    when (new.card_email is not null) execute function record_activity('card', '', 'checkout_id', 'card_email')`.execute(
    db,
  );
}

/** An address leaves the record with the receipt's payer, the card, or its own account, whichever version erases them. */
async function forgetAddresses(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function forget_sent_activity() returns trigger language plpgsql security definer
      set search_path = pg_catalog, public, pg_temp as $$
    begin
      if tg_table_name = 'users' then
        update activities set before = '{}', after = '{}' where kind in ('receipt', 'card') and lower(old.email) in (
          lower(before ->> 'email'), lower(after ->> 'email'), lower(before ->> 'card_email'), lower(after ->> 'card_email'));
      else
        update activities set before = '{}', after = '{}' where kind = tg_argv[0] and subject = to_jsonb(old) ->> tg_argv[1];
      end if;
      return null;
    end $$`.execute(db);
  for (const [table, after, when, values] of [
    ['receipts', 'update of email', 'new.email is null and old.email is not null', "'receipt', 'ledger_entry_id'"],
    ['tributes', 'delete', 'true', "'card', 'checkout_id'"],
    ['users', 'delete', 'true', ''],
  ] as const) {
    // Deferred, so that all is recorded by then.
    await sql`create constraint trigger ${sql.id(`${table}_then_forget_sent`)} after ${sql.raw(after)} on ${sql.table(table)}
      deferrable initially deferred for each row when (${sql.raw(when)})
      execute function forget_sent_activity(${sql.raw(values)})`.execute(db);
  }
}
