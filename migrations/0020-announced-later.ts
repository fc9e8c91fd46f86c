import { type Kysely, sql } from 'kysely';

/**
 * PostgreSQL commits transactions that notify one after the other, in the whole database. One that set
 * `fund.announce` to 'later' only raises the version, and the program notifies after the commit; the version before
 * does not, and still notifies inside.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function raise_org_version() returns trigger language plpgsql as $$
    declare
      changed text;
      raised int8;
    begin
      changed := case when tg_op = 'DELETE' then to_jsonb(old) else to_jsonb(new) end ->> tg_argv[0];
      -- An organization that is being deleted takes its own with it, and has no version any more.
      if not exists (select from orgs where id = changed) then
        if tg_table_name = 'orgs' then
          perform pg_notify('org_changed', changed || ' 0');
        end if;
        return null;
      end if;
      insert into org_versions as kept (org_id) values (changed)
        on conflict (org_id) do update set version = kept.version + 1, changed_at = now()
        returning version into raised;
      if current_setting('fund.announce', true) is distinct from 'later' then
        perform pg_notify('org_changed', changed || ' ' || raised);
      end if;
      return null;
    end $$`.execute(db);
}
