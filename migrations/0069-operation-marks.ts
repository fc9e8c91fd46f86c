import { type Kysely, sql } from 'kysely';

/** When something last happened that every process of the program needs to know, and how often or with what result. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table operation_marks (
      name text primary key,
      at timestamptz(3) not null,
      count bigint not null default 0
    )`.execute(db);
}
