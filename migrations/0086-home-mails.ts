import { type Kysely, sql } from 'kysely';

/** That a gift found a home is mailed to its donor once, however often it is looked for and in however many processes. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table home_mails (
      org_id text not null references orgs (id),
      entry_id text not null references ledger_entries (id),
      grant_id text not null references grants (id),
      -- What is mailed to one donor at a time.
      mailing text not null,
      -- moot: nobody is to be mailed, or the gift left the home before.
      status text not null default 'sending' check (status in ('sending', 'mailed', 'refused', 'failed', 'moot')),
      code text,
      mailed_at timestamptz(3) not null,
      primary key (org_id, entry_id, grant_id)
    )`.execute(db);
  await sql`create index home_mails_of_mailing on home_mails (org_id, mailing)`.execute(db);
}
