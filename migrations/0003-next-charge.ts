import { type Kysely, sql } from 'kysely';

/** When the provider will charge a recurring gift again, as it said when the receipt was issued. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table receipts add column next_charge_at timestamptz(3)`.execute(db);
}
