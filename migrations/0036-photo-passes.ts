import { type Kysely, sql } from 'kysely';

/** What opens the photo of a story that is not shown, for those who may see it: a photo's address is known for ever. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['offsetters', 'awardees', 'installers']) {
    await sql`alter table ${sql.table(table)}
      add column photo_pass text not null default replace(gen_random_uuid()::text, '-', '')`.execute(db);
    await sql`create index ${sql.ref(`${table}_photo`)} on ${sql.table(table)} ((photo ->> 'key'))`.execute(db);
  }
}
