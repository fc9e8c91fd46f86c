import { type Kysely, sql } from 'kysely';

/** A grant knows which installer of its organization's list does the work. Those named like one are linked. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table grants add column installer_id text references installers (id) on delete set null`.execute(db);
  await sql`
    update grants g set installer_id = (
      select i.id from installers i where i.org_id = g.org_id and lower(i.name) = lower(g.installer)
      order by i.status = 'published' desc, i.created_at, i.id limit 1)
    where g.installer <> ''`.execute(db);
  await sql`create index grants_of_installer on grants (installer_id) where installer_id is not null`.execute(db);
}
