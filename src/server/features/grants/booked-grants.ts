import type { Transaction } from 'kysely';
import type { Tables } from '#server/db/tables.ts';
import { bookedGrantOf } from './grants.store.ts';

/** Whether a home has a grant that is in the books, or was: the entries refer to it, and stay. */
export async function hasBookedGrant(tx: Transaction<Tables>, orgId: string, awardeeId: string): Promise<boolean> {
  return (await bookedGrantOf(tx, orgId, awardeeId)) !== undefined;
}
