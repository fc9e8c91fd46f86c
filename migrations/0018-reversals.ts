import { type Kysely, sql } from 'kysely';

/** Checks that bounced, or were recorded by mistake. The version before shows a bounced check as a canceled one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table pledges
      add column bounced boolean not null default false,
      add column reversal_reason text`.execute(db);
}
