import { type Kysely, sql } from 'kysely';

/**
 * A hash of the network that a checkout was opened from, until it is paid or for a day: one network's junk delays no real
 * gift, and its declined cards slow down no other. Pledges that are unlikely to be meant wait apart.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table checkouts add column client text`.execute(db);
  await sql`create index checkouts_with_client on checkouts (created_at) where client is not null`.execute(db);
  await sql`create index checkouts_expired on checkouts (created_at) where payment_status = 'expired'`.execute(db);
  await sql`alter table pledges add column unlikely boolean not null default false`.execute(db);
}
