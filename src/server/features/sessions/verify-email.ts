import type { Transaction } from 'kysely';
import { Failure } from '#domain/failures.ts';
import type { Bearer } from '#domain/permissions.ts';
import type { Tables } from '#server/db/tables.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { endSessions } from '#server/entities/end-sessions.ts';
import type { UserRow } from '#server/entities/find-user.ts';
import { checkRateLimit } from '#server/features/rate-limits/check-rate-limit.ts';
import { grantPending } from '#server/features/users/refresh-claims.ts';
import { deleteAccounts, lockUser, markVerified } from './accounts.store.ts';
import { redeemCode } from './mailed-codes.store.ts';
import { hashOfSecret } from './secrets.ts';
import type { SessionDeps } from './session-lifecycle.ts';

/**
 * Verifies the address of the account that someone is logged in to. The code alone does nothing: otherwise its recipient
 * could be tricked into confirming a stranger's sign-up.
 * @returns Failure link-invalid, too-many-requests
 */
export async function verifyEmail(
  deps: Pick<SessionDeps, 'db' | 'adminEmails' | 'now'>,
  { userId, sessionId }: Bearer,
  code: string,
  client: string,
): Promise<undefined | Failure> {
  const refused = await checkRateLimit(deps, 'code', { client });
  if (refused) return refused;
  const { db, adminEmails, now } = deps;
  return inTransaction(db, async (tx) => {
    const redeemed = await redeemCode(tx, { purpose: 'verify', hash: hashOfSecret(code), userId }, now());
    const user = redeemed && (await lockUser(tx, { id: userId }));
    if (!user || user.email !== redeemed.email) return new Failure('link-invalid');
    await confirmEmail(tx, { user, ownSession: sessionId, adminEmails, now: now() });
    return undefined;
  });
}

export type Confirmation = {
  /** Locked. */
  readonly user: UserRow;
  /** The session of this very account in which the address was verified, if any. */
  readonly ownSession?: string | undefined;
  readonly adminEmails: readonly string[];
  /** What the owner of the address wants to be called. */
  readonly name?: string;
  readonly now: Date;
};

/**
 * Someone has shown that they own the account's address. If it was unverified, a stranger may have signed up with it:
 * password, linked accounts, sessions and name are removed, unless the address was verified in a session of the account,
 * which then is the only one to survive. Then the user gets what was waiting for the address.
 */
export async function confirmEmail(
  tx: Transaction<Tables>,
  { user, ownSession, adminEmails, name = '', now }: Confirmation,
): Promise<void> {
  const { id: userId, email } = user;
  if (!user.email_verified) {
    const isOwn = ownSession !== undefined;
    await deleteAccounts(tx, userId, { keepPassword: isOwn });
    await endSessions(tx, userId, { except: ownSession });
    await markVerified(tx, userId, isOwn ? undefined : name);
  }
  await grantPending(tx, { userId, email }, adminEmails, now);
}
