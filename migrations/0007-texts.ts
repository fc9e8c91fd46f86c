import { type Kysely, sql } from 'kysely';

/**
 * Every text that an editor saved and every reset to the default, with who and when, so that it can be restored
 * (decisions §5). Versions outlive their writer's account. `cells` has the text that is shown, so this table needs no
 * trigger.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table cell_versions (
      id text primary key,
      org_id text not null references orgs (id) on delete cascade,
      page text not null,
      name text not null,
      markdown text not null,
      is_default boolean not null,
      user_id text references users (id) on delete set null,
      created_at timestamptz(3) not null default now()
    )`.execute(db);
  await sql`create index cell_versions_by_age on cell_versions (org_id, page, name, created_at, id)`.execute(db);
  await sql`create index cell_versions_by_user on cell_versions (user_id) where user_id is not null`.execute(db);
}
