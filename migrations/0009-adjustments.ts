import { type Kysely, sql } from 'kysely';

/** The few adjustments of a long ledger, as the settings of an organization show them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index ledger_adjustments on ledger_entries (org_id, created_at, id) where kind = 'adjustment'`.execute(
    db,
  );
}
