import { type Kysely, sql } from 'kysely';

/**
 * When an organization's ledger or its shown awardees last changed its stats: in the row that these changes lock anyway,
 * and by a trigger, so that every writer and the version before move it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table org_versions add column stats_changed_at timestamptz(3)`.execute(db);
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
}
