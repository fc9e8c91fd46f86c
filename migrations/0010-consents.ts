import { type Kysely, sql } from 'kysely';

/**
 * Who recorded a consent to publication, and since when it is revoked (decisions §5): `consented_at` says since when it
 * is given. The record outlives its recorder's account.
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
