import { type Kysely, sql } from 'kysely';

/** Whether a donor agreed that their story says how much they offset. Nobody has until they say so. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table offsetters add column shows_pounds boolean not null default false`.execute(db);
  await sql`create trigger offsetters_record_pounds after update of shows_pounds on offsetters
    for each row execute function record_activity('offsetter', 'user_id', 'id', 'shows_pounds')`.execute(db);
  await sql`create index checkouts_by_offsetter on checkouts (offsetter_id) where offsetter_id is not null`.execute(db);
}
