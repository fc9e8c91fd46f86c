import { type Kysely, sql } from 'kysely';

/** When the database became that of a backup: heads that were signed in between are gone, and the page of heads says so. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table proof_restores (
      -- When it was restored.
      created_at timestamptz(3) primary key,
      -- When the backup was begun.
      backup_at timestamptz(3) not null
    )`.execute(db);
  await sql`create trigger proof_restores_stay before update or delete on proof_restores
    for each row execute function refuse_ledger_change()`.execute(db);
  await sql`create trigger proof_restores_stay_all before truncate on proof_restores
    for each statement execute function refuse_ledger_change()`.execute(db);
}
