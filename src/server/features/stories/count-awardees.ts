import { sql } from 'kysely';
import type { Database } from '#server/db/connection.ts';

/** How many awardees an organisation shows: each is a grant that was given (decisions §2). */
export async function countPublishedAwardees(db: Database, orgId: string): Promise<number> {
  const counted = await db.kysely
    .selectFrom('awardees')
    .select(sql<number>`count(*)`.as('awardees'))
    .where('org_id', '=', orgId)
    .where('status', '=', 'published')
    .executeTakeFirst();
  return counted?.awardees ?? 0;
}
