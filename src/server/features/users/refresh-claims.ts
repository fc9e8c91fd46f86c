import type { Authorization } from '#contract/schemas/users.ts';
import { Failure } from '#domain/failures.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { AppDeps } from '#server/deps.ts';
import { authorize } from './authorize.ts';
import { claimWhatWaits } from './claim-what-waits.ts';
import { lockedUser } from './users.store.ts';

/**
 * Takes what has come to wait for a person since the address was proven (§7, POST /users/claims); one whose address
 * is not proven gets nothing.
 * @returns what the person may do now; Failure user-not-found
 */
export async function refreshClaims(
  { db, adminEmails }: Pick<AppDeps, 'db' | 'adminEmails'>,
  userId: string,
): Promise<Authorization | Failure> {
  return inTransaction(db, async (tx) => {
    const user = await lockedUser(tx, userId);
    if (!user) return new Failure('user-not-found');
    if (user.email_verified) await claimWhatWaits(tx, { userId, email: user.email }, adminEmails);
    return authorize(tx, userId);
  });
}
