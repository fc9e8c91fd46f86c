import { type Kysely, sql } from 'kysely';

/** What operators were told of, so that they are told once: a name such as disk-low@host, and whether it is on. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table alarms (
      name text primary key,
      is_on boolean not null,
      doubtful_since timestamptz(3),
      changed_at timestamptz(3)
    )`.execute(db);
}
