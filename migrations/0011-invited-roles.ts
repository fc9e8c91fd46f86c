import { type Kysely, sql } from 'kysely';

/** An invitation states the role it gives. The previous version, still running, invites editors. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table invitations add column role text not null default 'editor' check (role = 'editor')`.execute(db);
}
