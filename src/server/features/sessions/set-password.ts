import type { Transaction } from 'kysely';
import { Failure } from '#domain/failures.ts';
import type { UserId } from '#domain/ids.ts';
import { type Bearer, isRecentProof } from '#domain/permissions.ts';
import { newId } from '#server/db/new-id.ts';
import type { Tables } from '#server/db/tables.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { endSessions } from '#server/entities/end-sessions.ts';
import { userById } from '#server/entities/find-user.ts';
import { checkRateLimit, releaseRateLimit } from '#server/features/rate-limits/check-rate-limit.ts';
import { secondStepOf } from '#server/features/second-factors/check-second-factor.ts';
import { forgetBrowsers, lockUser, passwordHashOf, setPassword } from './accounts.store.ts';
import { deleteCodesOf, redeemCode, usableCode } from './mailed-codes.store.ts';
import { newPasswordFailure } from './new-password.ts';
import { hashOfSecret } from './secrets.ts';
import { sendSessionEmail } from './send-session-email.job.ts';
import { type LoginPlace, type OpenedSession, openSession, type SessionDeps } from './session-lifecycle.ts';
import { sessionById } from './sessions.store.ts';
import { confirmEmail } from './verify-email.ts';

/**
 * Sets a new password with the code of a mailed link, which also verifies the address. Ends all sessions.
 * @returns the address; Failure password-too-short, -too-long, -too-common or -is-address, link-invalid, too-many-requests
 */
export async function resetPassword(
  deps: SessionDeps,
  sent: { readonly code: string; readonly password: string },
  client: string,
): Promise<{ readonly email: string } | Failure> {
  const { db, identity, adminEmails, now } = deps;
  const refused = newPasswordFailure(sent.password) ?? (await checkRateLimit(deps, 'code', { client }));
  if (refused) return refused;
  const code = { purpose: 'reset', hash: hashOfSecret(sent.code) } as const;
  // Hashing is expensive: a wrong code does not get that far.
  const usable = await usableCode(db.kysely, code, now());
  if (!usable) return new Failure('link-invalid');
  const tooEasy = newPasswordFailure(sent.password, usable.email);
  if (tooEasy) return tooEasy;
  const hash = await identity.hashPassword(sent.password);
  return inTransaction(db, async (tx) => {
    const redeemed = await redeemCode(tx, code, now());
    const user = redeemed?.user_id && (await lockUser(tx, { id: redeemed.user_id }));
    if (!user || user.email !== redeemed.email) return new Failure('link-invalid');
    await confirmEmail(tx, { user, adminEmails, now: now() });
    await replacePassword(deps, tx, user.id, hash);
    return { email: user.email };
  });
}

/**
 * Changes the bearer's password, who proves who they are by the current one or, if there is none, by a mail of the last 5
 * minutes. With a second step the current password alone is no proof. Ends all sessions and opens a new one.
 * @returns Failure password-too-short, -too-long, -too-common or -is-address, wrong-credentials, proof-required,
 * mail-proof-required, too-many-requests
 */
export async function changePassword(
  deps: SessionDeps,
  { userId, sessionId }: Bearer,
  sent: { readonly current?: string | undefined; readonly password: string },
  place: LoginPlace,
): Promise<OpenedSession | Failure> {
  const { db, identity, now } = deps;
  const email = (await userById(db.kysely, userId))?.email;
  // Guesses at the login must not keep a person from changing the password.
  const asker = { email, client: place.client, device: `user ${userId}` };
  const current = await passwordHashOf(db.kysely, userId);
  const before = await sessionById(db.kysely, sessionId);
  const provenBy = before && isRecentProof(before.proven_at, now()) ? before.proven_by : null;
  const { passkey, authenticator } = await secondStepOf(deps, userId);
  const unproven = (passkey || authenticator) && provenBy === null ? new Failure('proof-required') : undefined;
  const refused =
    newPasswordFailure(sent.password, email) ?? unproven ?? (await checkRateLimit(deps, 'password', asker));
  if (refused) return refused;
  if (current === undefined && provenBy !== 'mail') return new Failure('mail-proof-required');
  if (current !== undefined && !(await identity.verifyPassword(sent.current ?? '', current))) {
    return new Failure('wrong-credentials');
  }
  await releaseRateLimit(deps, 'password', asker);
  const hash = await identity.hashPassword(sent.password);
  return inTransaction(db, async (tx) => {
    const user = await lockUser(tx, { id: userId });
    // Another change came first, so that what was checked above no longer holds.
    if (!user || (await passwordHashOf(tx, userId)) !== current) return new Failure('wrong-credentials');
    await replacePassword(deps, tx, userId, hash);
    const by = current === undefined ? 'mail' : 'password';
    const { name: browser = place.browser, second_factor_at: secondFactorAt = null } = before ?? {};
    return openSession(tx, { ...place, browser, userId, by, secondFactorAt }, now());
  });
}

/** Everything opened with the old password ends, and the owner gets a mail. */
async function replacePassword(
  { jobs, now }: Pick<SessionDeps, 'jobs' | 'now'>,
  tx: Transaction<Tables>,
  userId: UserId,
  hash: string,
): Promise<void> {
  await setPassword(tx, newId(), userId, hash);
  await endSessions(tx, userId);
  await forgetBrowsers(tx, userId);
  await deleteCodesOf(tx, userId, 'reset');
  await jobs.enqueue(tx, sendSessionEmail, { kind: 'password-changed', userId, changedAt: now().toISOString() });
}
