import { type Kysely, sql } from 'kysely';

/** What browsers reported as blocked by the content security policy, counted; nothing of it is about a person. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table policy_reports (
      directive text not null,
      blocked text not null,
      page text not null,
      source text not null,
      count integer not null,
      first_at timestamptz(3) not null,
      last_at timestamptz(3) not null,
      primary key (directive, blocked, page, source)
    )`.execute(db);
}
