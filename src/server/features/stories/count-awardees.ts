import type { Database } from '#server/db/connection.ts';
import { publishedAwardees } from './awardees.store.ts';

/** How many awardees an organisation shows: each is a grant that was given (decisions §2). */
export function countAwardees(db: Database, orgId: string): Promise<number> {
  return publishedAwardees(db, orgId);
}
