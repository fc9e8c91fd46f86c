import { type Kysely, sql } from 'kysely';

/**
 * Email addresses are compared in lowercase. A person's gifts and stories are looked up in all organizations. A
 * checkout remembers that its payer was deleted, so that a late report from the provider doesn't restore the name and
 * email.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['offsetters', 'checkouts', 'pledges', 'receipts']) {
    await sql`drop index if exists ${sql.ref(`${table}_by_email`)}`.execute(db);
    await sql`create index ${sql.ref(`${table}_by_address`)} on ${sql.table(table)} (lower(email))
      where email is not null`.execute(db);
  }
  await sql`create index offsetters_by_owner on offsetters (user_id) where user_id is not null`.execute(db);
  await sql`create index ledger_by_pledge on ledger_entries (pledge_id) where pledge_id is not null`.execute(db);
  await sql`alter table checkouts add column forgotten_at timestamptz(3)`.execute(db);
}
