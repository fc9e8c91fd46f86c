import { type Kysely, sql } from 'kysely';

/** Who does a piece of work that only one process may do at a time, until when, and when it is due again. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table leases (
      name text primary key,
      holder text not null,
      held_until timestamptz not null,
      due_at timestamptz not null
    )`.execute(db);
}
