import { type Kysely, sql } from 'kysely';

/** When an editor whom another editor removed loses the role, unless somebody objects before. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table org_editors add column leaves_at timestamptz(3)`.execute(db);
}
