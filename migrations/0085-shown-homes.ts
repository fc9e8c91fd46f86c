import { type Kysely, sql } from 'kysely';

/** Whether a donor agreed that their story says which homes their gifts helped. Nobody has until they say so. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table offsetters add column shows_homes boolean not null default false`.execute(db);
  await sql`create trigger offsetters_record_homes after update of shows_homes on offsetters
    for each row execute function record_activity('offsetter', 'user_id', 'id', 'shows_homes')`.execute(db);
}
