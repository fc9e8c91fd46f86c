import { sql } from 'kysely';
import type { Database } from '#server/db/connection.ts';

export async function publishedAwardees(db: Database, orgId: string): Promise<number> {
  const counted = await db.kysely
    .selectFrom('awardees')
    .select(sql<number>`count(*)`.as('awardees'))
    .where('org_id', '=', orgId)
    .where('status', '=', 'published')
    .executeTakeFirstOrThrow();
  return counted.awardees;
}
