import { type Kysely, sql } from 'kysely';

/** Whether a refund or a lost dispute hid a story: if the money comes back, so does the story. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table offsetters add column hidden_by_refund boolean not null default false`.execute(db);
}
