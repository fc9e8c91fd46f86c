import { type Kysely, sql } from 'kysely';

/** Each key that signs heads but the first, signed by the key before it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table proof_keys (
      key bytea primary key,
      follows bytea not null unique,
      -- By the key that it follows, over both.
      signature bytea not null,
      created_at timestamptz(3) not null default now()
    )`.execute(db);
  await sql`create trigger proof_keys_stay before update or delete on proof_keys
    for each row execute function refuse_ledger_change()`.execute(db);
  await sql`create trigger proof_keys_stay_all before truncate on proof_keys
    for each statement execute function refuse_ledger_change()`.execute(db);
}
