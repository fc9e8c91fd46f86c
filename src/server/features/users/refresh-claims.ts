import type { Transaction } from 'kysely';
import type { Authorization } from '#contract/schemas/users.ts';
import { Failure } from '#domain/failures.ts';
import type { UserId } from '#domain/ids.ts';
import type { Tables } from '#server/db/tables.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { AppDeps, WithSettings } from '#server/deps.ts';
import { lockAddress } from '#server/entities/find-user.ts';
import { acceptInvitations } from '#server/features/editors/add-editor.ts';
import { assignOffsetters } from '#server/features/stories/offsetters.ts';
import { authorize } from './read-user.ts';
import { lockUser, setAdminRole } from './users.store.ts';

/**
 * Grants a user the roles and stories that are pending for their verified address (§7, POST /users/claims).
 * @returns the user's permissions; Failure user-not-found
 */
export async function refreshClaims(
  { db, settings, now }: Pick<AppDeps, 'db' | 'now'> & WithSettings<'adminEmails'>,
  userId: UserId,
): Promise<Authorization | Failure> {
  return inTransaction(db, async (tx) => {
    const user = await lockUser(tx, userId);
    if (!user) return new Failure('user-not-found');
    if (user.email_verified) await grantPendingClaims(tx, { userId, email: user.email }, settings.adminEmails, now());
    return authorize(tx, userId);
  });
}

export type VerifiedUser = { readonly userId: UserId; readonly email: string };

/**
 * Grants a user everything pending for their address: stories submitted while logged out, invitations, and the admin role
 * if the address is in the settings. Call this in the transaction that verifies the address. A second call changes nothing.
 * @param adminEmails addresses of admins in the settings
 */
export async function grantPendingClaims(
  tx: Transaction<Tables>,
  { userId, email }: VerifiedUser,
  adminEmails: readonly string[],
  now: Date,
): Promise<void> {
  const address = email.toLowerCase();
  await lockAddress(tx, address);
  await assignOffsetters(tx, address, userId);
  await acceptInvitations(tx, { userId, address }, now);
  if (adminEmails.some((adminEmail) => adminEmail.toLowerCase() === address)) await setAdminRole(tx, userId, true);
}
