import { type Kysely, sql } from 'kysely';
import type { Tables } from '#server/db/tables.ts';

export async function publishedAwardees(db: Kysely<Tables>, orgId: string): Promise<number> {
  const counted = await db
    .selectFrom('awardees')
    .select(sql<number>`count(*)`.as('awardees'))
    .where('org_id', '=', orgId)
    .where('status', '=', 'published')
    .executeTakeFirstOrThrow();
  return counted.awardees;
}
