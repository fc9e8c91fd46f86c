import { type Kysely, sql } from 'kysely';

/** Editors see what brought money first, however many attempts lie between, and the attempts apart. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index checkouts_received on checkouts (org_id, created_at, id)
    where payment_status in ('processing', 'paid', 'refunded', 'disputed')`.execute(db);
  await sql`create index checkouts_attempts on checkouts (org_id, created_at, id)
    where payment_status in ('unpaid', 'failed', 'expired')`.execute(db);
}
