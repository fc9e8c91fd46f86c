import { type Kysely, sql } from 'kysely';

/** Tables whose changes the public sees, and the column with the organization's id. */
const SHOWN: Readonly<Record<string, string>> = {
  orgs: 'id',
  cells: 'org_id',
  offsetters: 'org_id',
  awardees: 'org_id',
  installers: 'org_id',
  ledger_totals: 'org_id',
};

/**
 * Every change to what an organization shows raises its version in the same transaction, and notifies listeners
 * (decisions §6). Triggers catch every writer: the program, its commands, and a manual restore.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table org_versions (
      org_id text primary key references orgs (id) on delete cascade,
      version int8 not null default 1
    )`.execute(db);
  await sql`insert into org_versions (org_id) select id from orgs`.execute(db);
  await sql`
    create function raise_org_version() returns trigger language plpgsql as $$
    declare
      changed text;
      raised int8;
    begin
      changed := case when tg_op = 'DELETE' then to_jsonb(old) else to_jsonb(new) end ->> tg_argv[0];
      -- An organization that is being deleted takes its own with it.
      if not exists (select from orgs where id = changed) then
        return null;
      end if;
      insert into org_versions as kept (org_id) values (changed)
        on conflict (org_id) do update set version = kept.version + 1
        returning version into raised;
      perform pg_notify('org_changed', changed || ' ' || raised);
      return null;
    end $$`.execute(db);
  for (const [table, column] of Object.entries(SHOWN)) {
    await sql`create trigger ${sql.ref(`${table}_raise_org_version`)} after insert or update or delete
      on ${sql.table(table)} for each row execute function raise_org_version(${sql.lit(column)})`.execute(db);
  }
}
