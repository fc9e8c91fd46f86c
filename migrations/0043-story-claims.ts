import { type Kysely, sql } from 'kysely';

/**
 * Whether the owner of a proven address has been asked about a story that someone sent with it while logged out, and has
 * said that it is not theirs (decisions §4).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table offsetters add column claim text check (claim in ('asked', 'refused'))`.execute(db);
  await sql`create index offsetters_asked on offsetters (lower(email)) where claim = 'asked'`.execute(db);
}
