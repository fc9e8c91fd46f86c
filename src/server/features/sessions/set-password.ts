import type { Transaction } from 'kysely';
import { Failure } from '#domain/failures.ts';
import type { UserId } from '#domain/ids.ts';
import { isRecentConfirmation, type SignedInUser } from '#domain/permissions.ts';
import { newId } from '#server/db/new-id.ts';
import type { Tables } from '#server/db/tables.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { endSessions } from '#server/entities/end-sessions.ts';
import { findUserRow } from '#server/entities/find-user.ts';
import { checkRateLimit, refundRateLimit } from '#server/features/rate-limits/check-rate-limit.ts';
import { findSecondStep } from '#server/features/second-factors/check-second-factor.ts';
import { findPasswordHash, forgetBrowsers, lockUser, setPassword } from './accounts.store.ts';
import { deleteUserCodes, findUsableCode, redeemCode } from './email-codes.store.ts';
import { newPasswordFailure } from './new-password.ts';
import { hashSecret } from './secrets.ts';
import { sendSessionEmail } from './send-session-email.job.ts';
import { type LoginClient, type OpenedSession, openSession, type SessionDeps } from './session-lifecycle.ts';
import { findSession } from './sessions.store.ts';
import { confirmEmail } from './verify-email.ts';

/**
 * Sets a new password using the code from an emailed link, which also verifies the address. Ends all sessions.
 * @returns the address; Failure password-too-short, -too-long, -too-common or -is-email, link-invalid, too-many-requests
 */
export async function resetPassword(
  deps: SessionDeps,
  input: { readonly code: string; readonly password: string },
  client: string,
): Promise<{ readonly email: string } | Failure> {
  const { db, identity, settings, now } = deps;
  const failure = newPasswordFailure(input.password) ?? (await checkRateLimit(deps, 'code', { client }));
  if (failure) return failure;
  const code = { purpose: 'reset', hash: hashSecret(input.code) } as const;
  // Hashing is expensive, so reject wrong codes first.
  const usableCode = await findUsableCode(db.kysely, code, now());
  if (!usableCode) return new Failure('link-invalid');
  const passwordFailure = newPasswordFailure(input.password, usableCode.email);
  if (passwordFailure) return passwordFailure;
  const hash = await identity.hashPassword(input.password);
  return inTransaction(db, async (tx) => {
    const redeemedCode = await redeemCode(tx, code, now());
    const user = redeemedCode?.user_id && (await lockUser(tx, { id: redeemedCode.user_id }));
    if (!user || user.email !== redeemedCode.email) return new Failure('link-invalid');
    await confirmEmail(tx, { user, adminEmails: settings.adminEmails, now: now() });
    await replacePassword(deps, tx, user.id, hash);
    return { email: user.email };
  });
}

/**
 * Changes the signed-in user's password, ends all sessions, and opens a new one.
 * The user must enter the current password. A user without a password must have recently confirmed their identity with
 * an emailed code. If the account has a second step, a recent confirmation is required too.
 * @returns Failure password-too-short, -too-long, -too-common or -is-email, wrong-credentials, confirmation-required,
 * email-confirmation-required, too-many-requests
 */
export async function changePassword(
  deps: SessionDeps,
  { userId, sessionId }: SignedInUser,
  input: { readonly current?: string | undefined; readonly password: string },
  loginClient: LoginClient,
): Promise<OpenedSession | Failure> {
  const { db, identity, now } = deps;
  const email = (await findUserRow(db.kysely, userId))?.email;
  // Attempts are counted separately from logins, so that failed logins don't block a password change.
  const requester = { email, client: loginClient.client, device: `user ${userId}` };
  const currentHash = await findPasswordHash(db.kysely, userId);
  const session = await findSession(db.kysely, sessionId);
  const recentMethod =
    session && isRecentConfirmation(session.authenticated_at, now()) ? session.authentication_method : null;
  const { passkey, authenticator } = await findSecondStep(deps, userId);
  const confirmationFailure =
    (passkey || authenticator) && recentMethod === null ? new Failure('confirmation-required') : undefined;
  const failure =
    newPasswordFailure(input.password, email) ??
    confirmationFailure ??
    (await checkRateLimit(deps, 'password', requester));
  if (failure) return failure;
  if (currentHash === undefined && recentMethod !== 'mail') return new Failure('email-confirmation-required');
  if (currentHash !== undefined && !(await identity.verifyPassword(input.current ?? '', currentHash))) {
    return new Failure('wrong-credentials');
  }
  await refundRateLimit(deps, 'password', requester);
  const hash = await identity.hashPassword(input.password);
  return inTransaction(db, async (tx) => {
    const user = await lockUser(tx, { id: userId });
    // The password may have changed since it was verified.
    if (!user || (await findPasswordHash(tx, userId)) !== currentHash) return new Failure('wrong-credentials');
    await replacePassword(deps, tx, userId, hash);
    const authenticationMethod = currentHash === undefined ? 'mail' : 'password';
    const { name: browser = loginClient.browser, second_factor_at: secondFactorAt = null } = session ?? {};
    return openSession(tx, { ...loginClient, browser, userId, authenticationMethod, secondFactorAt }, now());
  });
}

/** Sets the new password, ends all sessions, and emails the owner. */
async function replacePassword(
  { jobs, now }: Pick<SessionDeps, 'jobs' | 'now'>,
  tx: Transaction<Tables>,
  userId: UserId,
  hash: string,
): Promise<void> {
  await setPassword(tx, newId(), userId, hash);
  await endSessions(tx, userId);
  await forgetBrowsers(tx, userId);
  await deleteUserCodes(tx, userId, 'reset');
  await jobs.enqueue(tx, sendSessionEmail, { kind: 'password-changed', userId, changedAt: now().toISOString() });
}
