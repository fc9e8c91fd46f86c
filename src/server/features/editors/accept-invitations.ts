import type { Transaction } from 'kysely';
import type { Tables } from '#server/db/tables.ts';
import { insertEditor, nameOf, takeInvitations } from './editors.store.ts';

/**
 * Makes an editor of whoever has proven an address that was invited, in every organisation that invited it.
 * @param address in small letters, and locked
 */
export async function acceptInvitations(
  tx: Transaction<Tables>,
  { userId, address }: { readonly userId: string; readonly address: string },
): Promise<void> {
  const orgIds = await takeInvitations(tx, address);
  if (orgIds.length === 0) return;
  const { display_name = '' } = (await nameOf(tx, userId)) ?? {};
  for (const org_id of orgIds) await insertEditor(tx, { org_id, user_id: userId, display_name });
}
