import { type Kysely, sql } from 'kysely';

/**
 * Who recorded a consent to publication, and when it was revoked (decisions §5); `consented_at` is when it was given.
 * The record outlives its recorder's account.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['awardees', 'installers']) {
    await sql`
      alter table ${sql.table(table)}
        add column consent_recorded_by text references users (id) on delete set null,
        add column consent_revoked_at timestamptz(3)`.execute(db);
    await sql`create index ${sql.ref(`${table}_by_recorder`)} on ${sql.table(table)} (consent_recorded_by)
      where consent_recorded_by is not null`.execute(db);
  }
}
