import { type Kysely, sql } from 'kysely';

/** The language in which a person is written to; null is the first one, and what earlier versions write. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['checkouts', 'pledges', 'users']) {
    await sql`alter table ${sql.table(table)} add column language text`.execute(db);
  }
}
