import type { Transaction } from 'kysely';
import { lockAddress } from '#server/db/address-lock.ts';
import type { Tables } from '#server/db/tables.ts';
import { acceptInvitations } from '#server/features/editors/accept-invitations.ts';
import { giveOffsettersToOwner } from '#server/features/stories/offsetters.ts';
import { changeAdmin } from './users.store.ts';

/** A person whose address has been proven. */
export type ProvenPerson = { readonly userId: string; readonly email: string };

/**
 * Gives a person what waited for the proof of this address: offsetters that were made with it signed out, invitations,
 * which become roles, and the admin's power where the configuration names the address. Call it in the transaction that
 * proves the address; called again it finds nothing left.
 * @param adminEmails the addresses that the configuration names
 */
export async function claimWhatWaits(
  tx: Transaction<Tables>,
  { userId, email }: ProvenPerson,
  adminEmails: readonly string[],
): Promise<void> {
  const address = email.toLowerCase();
  await lockAddress(tx, address);
  await giveOffsettersToOwner(tx, { userId, address });
  await acceptInvitations(tx, { userId, address });
  if (adminEmails.some((each) => each.toLowerCase() === address)) await changeAdmin(tx, userId, true);
}
