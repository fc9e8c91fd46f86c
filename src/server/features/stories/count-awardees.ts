import type { Kysely } from 'kysely';
import type { Tables } from '#server/db/tables.ts';
import { publishedAwardees } from './awardees.store.ts';

/** How many awardees an organisation shows: each is a grant that was given (decisions §2). */
export function countAwardees(db: Kysely<Tables>, orgId: string): Promise<number> {
  return publishedAwardees(db, orgId);
}
