import type { Transaction } from 'kysely';
import { Failure } from '#domain/failures.ts';
import type { SignedInUser } from '#domain/permissions.ts';
import { isUniqueViolation } from '#server/db/error-codes.ts';
import type { Tables } from '#server/db/tables.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { endSessions } from '#server/entities/end-sessions.ts';
import type { UserRow } from '#server/entities/find-user.ts';
import { checkRateLimit } from '#server/features/rate-limits/check-rate-limit.ts';
import { grantPendingClaims } from '#server/features/users/refresh-claims.ts';
import { deleteAccounts, lockUser, markVerified } from './accounts.store.ts';
import { changeEmail } from './change-email.ts';
import { redeemCode } from './email-codes.store.ts';
import { hashSecret } from './secrets.ts';
import type { SessionDeps } from './session-lifecycle.ts';

/**
 * Verifies the address of the user's account, or changes it to the new address that the user requested. The code works only
 * in a session of that account, so that its recipient can't be tricked into confirming a stranger's account.
 * @returns Failure link-invalid, too-many-requests
 */
export async function verifyEmail(
  deps: Pick<SessionDeps, 'db' | 'jobs' | 'settings' | 'now'>,
  { userId, sessionId }: SignedInUser,
  code: string,
  client: string,
): Promise<undefined | Failure> {
  const failure = await checkRateLimit(deps, 'code', { client });
  if (failure) return failure;
  const { db, settings, now } = deps;
  return inTransaction(db, async (tx) => {
    const match = { hash: hashSecret(code), userId };
    const newCode = await redeemCode(tx, { ...match, purpose: 'new-email' }, now());
    const redeemedCode = newCode ?? (await redeemCode(tx, { ...match, purpose: 'verify' }, now()));
    const lockedUser = redeemedCode && (await lockUser(tx, { id: userId }));
    const user = lockedUser && newCode ? await changeEmail(tx, deps, lockedUser, newCode.email) : lockedUser;
    if (!user || user.email !== redeemedCode?.email) return new Failure('link-invalid');
    await confirmEmail(tx, { user, sessionId, adminEmails: settings.adminEmails, now: now() });
    return undefined;
  }).catch((error: unknown) => {
    // Another account took the address concurrently.
    if (isUniqueViolation(error, 'users_email_key')) return new Failure('link-invalid');
    throw error;
  });
}

type Confirmation = {
  /** The locked row. */
  readonly user: UserRow;
  /** The account's session in which the address was verified, if any. */
  readonly sessionId?: string | undefined;
  readonly adminEmails: readonly string[];
  /** The name entered by the owner of the address. */
  readonly name?: string;
  readonly now: Date;
};

/**
 * Verifies the account's address for its owner, then grants the roles that were pending for the address.
 *
 * A stranger may have signed up with an unverified address. Linked Google accounts and sessions are therefore removed,
 * except the session in which the owner verified the address. Without such a session, the password and name are removed too.
 */
export async function confirmEmail(
  tx: Transaction<Tables>,
  { user, sessionId, adminEmails, name = '', now }: Confirmation,
): Promise<void> {
  const { id: userId, email } = user;
  if (!user.email_verified) {
    const isLoggedIn = sessionId !== undefined;
    await deleteAccounts(tx, userId, { keepPassword: isLoggedIn });
    await endSessions(tx, userId, { except: sessionId });
    await markVerified(tx, userId, isLoggedIn ? undefined : name);
  }
  await grantPendingClaims(tx, { userId, email }, adminEmails, now);
}
