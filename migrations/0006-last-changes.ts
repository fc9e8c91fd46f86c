import { type Kysely, sql } from 'kysely';

/** The columns of a story that the public sees: not the owner, the email or the gift. */
const SHOWN: Readonly<Record<string, readonly string[]>> = {
  offsetters: ['name', 'story', 'photo', 'shown_as', 'status'],
  awardees: ['name', 'story', 'photo', 'status'],
  installers: ['name', 'story', 'photo', 'status'],
};

/**
 * When what is shown last changed, for the site map. Maintained by triggers, like the versions. Deleting an
 * organization notifies listeners too, because its pages are gone.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await versions(db);
  await stories(db);
}

async function versions(db: Kysely<unknown>): Promise<void> {
  await sql`alter table org_versions add column changed_at timestamptz(3) not null default now()`.execute(db);
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
      perform pg_notify('org_changed', changed || ' ' || raised);
      return null;
    end $$`.execute(db);
}

async function stories(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function note_story_change() returns trigger language plpgsql as $$
    begin
      new.changed_at := now();
      return new;
    end $$`.execute(db);
  for (const [table, columns] of Object.entries(SHOWN)) {
    const name = sql.table(table);
    // Null until the first change after creation.
    await sql`alter table ${name} add column changed_at timestamptz(3)`.execute(db);
    const of = (row: string) => sql.join(columns.map((column) => sql.ref(`${row}.${column}`)));
    await sql`create trigger ${sql.ref(`${table}_note_change`)} before update on ${name} for each row
      when ((${of('old')}) is distinct from (${of('new')}))
      execute function note_story_change()`.execute(db);
  }
}
