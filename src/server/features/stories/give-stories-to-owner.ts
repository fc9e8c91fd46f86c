import type { Transaction } from 'kysely';
import type { Tables } from '#server/db/tables.ts';
import { giveOffsetters } from './offsetters.store.ts';

/**
 * Makes the offsetters that were told signed out with an address those of the person who has proven it, in every
 * organisation.
 * @param address in small letters, and locked
 */
export function giveStoriesToOwner(
  tx: Transaction<Tables>,
  { userId, address }: { readonly userId: string; readonly address: string },
): Promise<void> {
  return giveOffsetters(tx, address, userId);
}
