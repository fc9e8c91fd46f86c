import { type Kysely, sql } from 'kysely';

/**
 * What an organization has chosen to compute with: all of it with its values, so that what a gift was computed with stays
 * known. An organization without one uses the program's default.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table orgs add column factors jsonb`.execute(db);
  await sql`
    create table factor_sets (
      org_id text not null references orgs (id) on delete cascade,
      number integer not null check (number > 0),
      version text not null,
      factors jsonb not null,
      what text not null,
      why text not null check (why <> ''),
      created_at timestamptz(3) not null default now(),
      primary key (org_id, number),
      unique (org_id, version)
    )`.execute(db);
  await sql`create trigger factor_sets_record_activity after insert on factor_sets for each row
    execute function record_activity('numbers', '', 'version', 'version', 'what', 'why')`.execute(db);
}
