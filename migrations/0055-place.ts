import { type Kysely, sql } from 'kysely';

/** The city that an organization serves, such as "Ithaca, New York". Empty where nobody has named it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table orgs add column place text not null default ''`.execute(db);
  await sql`create trigger orgs_record_place after update of place on orgs
    for each row execute function record_activity('settings', '', 'id', 'place')`.execute(db);
}
