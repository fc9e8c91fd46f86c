import { type Kysely, sql } from 'kysely';

/** What a typical grant of an organization pays, with which gifts are compared. Null where nobody has said it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table orgs add column typical_grant_cents bigint check (typical_grant_cents > 0)`.execute(db);
  await sql`create trigger orgs_record_typical_grant after update of typical_grant_cents on orgs
    for each row execute function record_activity('settings', '', 'id', 'typical_grant_cents')`.execute(db);
}
