import { type Kysely, sql } from 'kysely';

/** When the provider will next charge a recurring gift, as of the receipt. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table receipts add column next_charge_at timestamptz(3)`.execute(db);
}
