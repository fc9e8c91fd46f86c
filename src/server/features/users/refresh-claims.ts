import type { Transaction } from 'kysely';
import type { Authorization } from '#contract/schemas/users.ts';
import { Failure } from '#domain/failures.ts';
import type { UserId } from '#domain/ids.ts';
import type { Tables } from '#server/db/tables.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { AppDeps } from '#server/deps.ts';
import { lockAddress } from '#server/entities/find-user.ts';
import { acceptInvitations } from '#server/features/editors/add-editor.ts';
import { assignOffsetters } from '#server/features/stories/offsetters.ts';
import { authorize } from './read-user.ts';
import { changeAdmin, lockedUser } from './users.store.ts';

/**
 * Gives a user with a verified address what has been waiting for it (§7, POST /users/claims).
 * @returns what the user may do now; Failure user-not-found
 */
export async function refreshClaims(
  { db, adminEmails, now }: Pick<AppDeps, 'db' | 'adminEmails' | 'now'>,
  userId: UserId,
): Promise<Authorization | Failure> {
  return inTransaction(db, async (tx) => {
    const user = await lockedUser(tx, userId);
    if (!user) return new Failure('user-not-found');
    if (user.email_verified) await grantPending(tx, { userId, email: user.email }, adminEmails, now());
    return authorize(tx, userId);
  });
}

export type VerifiedUser = { readonly userId: UserId; readonly email: string };

/**
 * Gives a user what was waiting for the address: stories told while signed out, invitations, and the admin role if the
 * settings name the address. Call it in the transaction that verifies the address; a second call changes nothing.
 * @param adminEmails from the settings
 */
export async function grantPending(
  tx: Transaction<Tables>,
  { userId, email }: VerifiedUser,
  adminEmails: readonly string[],
  now: Date,
): Promise<void> {
  const address = email.toLowerCase();
  await lockAddress(tx, address);
  await assignOffsetters(tx, address, userId);
  await acceptInvitations(tx, { userId, address }, now);
  if (adminEmails.some((each) => each.toLowerCase() === address)) await changeAdmin(tx, userId, true);
}
