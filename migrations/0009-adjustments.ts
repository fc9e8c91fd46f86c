import { type Kysely, sql } from 'kysely';

/** For the settings page: the few adjustments within a long ledger. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index ledger_adjustments on ledger_entries (org_id, created_at, id) where kind = 'adjustment'`.execute(
    db,
  );
}
