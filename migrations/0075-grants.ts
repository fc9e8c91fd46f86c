import { type Kysely, sql } from 'kysely';

const RECORDED = [
  ...['amount_cents', 'other_cents', 'claims_all', 'installer', 'yearly_carbon', 'years', 'method'],
  ...['applied_on', 'promised_on', 'paid_on', 'paid_cents', 'done_on', 'inspected_on'],
];

/** Grants to homes, and their promises and payments in the books. What was in the books before stays as it is. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table grants (
      id text primary key,
      org_id text not null references orgs (id),
      -- One with entries in the ledger keeps its awardee: they refer to it.
      awardee_id text not null references awardees (id) on delete cascade,
      amount_cents int8 not null check (amount_cents > 0),
      other_cents int8 not null check (other_cents >= 0),
      other_source text not null,
      claims_all boolean not null,
      claims_reason text not null check (claims_reason <> '' or not claims_all),
      measures text[] not null check (cardinality(measures) > 0 and measures <@ array['attic-insulation', 'air-sealing',
        'heat-pump', 'heat-pump-water-heater', 'other']),
      installer text not null,
      yearly_carbon int8 not null check (yearly_carbon > 0),
      years int4 not null check (years > 0),
      method text not null check (method in ('audit', 'model', 'deemed')),
      method_source text not null check (method_source <> ''),
      shown text[] not null check (shown <@ array['amount', 'measures', 'installer', 'savings', 'dates']),
      applied_on date not null,
      promised_on date,
      promised_entry_id text references ledger_entries (id),
      paid_on date,
      paid_entry_id text references ledger_entries (id),
      paid_cents int8 check (paid_cents > 0),
      done_on date,
      inspected_on date check (done_on <= inspected_on),
      created_at timestamptz(3) not null default now(),
      constraint grants_promised_whole check ((promised_on is null) = (promised_entry_id is null)),
      constraint grants_paid_whole check (
        (paid_on is null) = (paid_entry_id is null) and (paid_on is null) = (paid_cents is null))
    )`.execute(db);
  await sql`create index grants_of_org on grants (org_id, created_at, id)`.execute(db);
  await sql`create index grants_of_awardee on grants (awardee_id)`.execute(db);
  await entries(db);
  await sql`create trigger grants_record_activity after insert or update or delete on grants for each row
    execute function record_activity('grant', '', 'id', ${sql.raw(RECORDED.map((name) => `'${name}'`).join(', '))})`.execute(
    db,
  );
  await stats(db);
}

async function entries(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table ledger_entries
      add column grant_id text references grants (id),
      drop constraint ledger_entries_kind_check,
      drop constraint ledger_entries_sign_check,
      add constraint ledger_entries_kind_check check (kind in ('payment', 'renewal', 'refund', 'dispute', 'adjustment',
        'check', 'reversal', 'fee', 'payout', 'commitment', 'grant')) not valid,
      add constraint ledger_entries_sign_check check (case
        when kind in ('payment', 'renewal', 'check') then amount_cents > 0 and carbon >= 0
        when kind = 'refund' then amount_cents < 0 and carbon <= 0
        when kind = 'dispute' then amount_cents <= 0 and carbon <= 0
        when kind in ('fee', 'payout') then amount_cents = 0 and carbon = 0
        when kind in ('commitment', 'grant') then amount_cents = 0 and carbon = 0 and grant_id is not null
        else true end) not valid`.execute(db);
  await sql`create index ledger_entries_of_grant on ledger_entries (grant_id) where grant_id is not null`.execute(db);
  await sql`
    alter table ledger_lines
      drop constraint ledger_lines_account_check,
      add constraint ledger_lines_account_check check (account in ('provider', 'bank', 'gifts', 'fees', 'disputed',
        'grants', 'committed', 'opening')) not valid`.execute(db);
}

/** A grant that is paid, or no longer, changes the stats of its organization. */
async function stats(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function raise_org_version() returns trigger language plpgsql as $$
    declare
      was jsonb := case when tg_op = 'INSERT' then '{}' else to_jsonb(old) end;
      became jsonb := case when tg_op = 'DELETE' then '{}' else to_jsonb(new) end;
      changed text := coalesce(became ->> tg_argv[0], was ->> tg_argv[0]);
      moves_stats boolean := case tg_table_name
        when 'ledger_totals' then was - 'entries' <> became - 'entries'
        when 'awardees' then
          coalesce(was ->> 'status' = 'published', false) <> coalesce(became ->> 'status' = 'published', false)
        when 'grants' then was ->> 'paid_entry_id' is distinct from became ->> 'paid_entry_id'
        else false end;
      raised int8;
    begin
      -- An organization that is being deleted takes its own with it, and has no version any more.
      if not exists (select from orgs where id = changed) then
        if tg_table_name = 'orgs' then
          perform pg_notify('org_changed', changed || ' 0');
        end if;
        return null;
      end if;
      insert into org_versions as kept (org_id) values (changed)
        on conflict (org_id) do update set version = kept.version + 1, changed_at = now(),
          stats_changed_at = case when moves_stats then date_trunc('milliseconds', now()) else kept.stats_changed_at end
        returning version into raised;
      if current_setting('fund.announce', true) is distinct from 'later' then
        perform pg_notify('org_changed', changed || ' ' || raised);
      end if;
      return null;
    end $$`.execute(db);
  await sql`create trigger grants_raise_org_version after insert or update or delete on grants for each row
    execute function raise_org_version('org_id')`.execute(db);
}
