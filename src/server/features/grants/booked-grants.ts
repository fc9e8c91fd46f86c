import type { Transaction } from 'kysely';
import type { OrgId } from '#domain/ids.ts';
import type { Tables } from '#server/db/tables.ts';
import { findBookedGrant } from './grants.store.ts';

/** Returns whether a home's grants have ledger entries, even reversed ones. Such a home can't be deleted. */
export async function hasBookedGrant(tx: Transaction<Tables>, orgId: OrgId, awardeeId: string): Promise<boolean> {
  return (await findBookedGrant(tx, orgId, awardeeId)) !== undefined;
}
