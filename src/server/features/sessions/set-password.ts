import type { Transaction } from 'kysely';
import { Failure } from '#domain/failures.ts';
import type { Bearer } from '#domain/permissions.ts';
import type { Tables } from '#server/db/tables.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { limitAttempts } from '#server/features/rate-limits/limit-attempts.ts';
import { newId } from '#server/ids.ts';
import { endSessions } from '#server/users/end-sessions.ts';
import { deleteCodesOf, goodCode, redeemCode } from './mailed-codes.store.ts';
import { newPasswordFailure } from './new-password.ts';
import { type OpenedSession, openSession } from './open-session.ts';
import { lockedPerson, passwordHashOf, personById, setPassword } from './people.store.ts';
import { proveAddress } from './prove-address.ts';
import { hashOfSecret } from './secrets.ts';
import type { SessionDeps } from './session-deps.ts';

/**
 * Chooses a new password with the code of a mailed link, which proves the address too. Every session ends.
 * @returns Failure password-too-short, -too-long, -too-common or -is-address, link-invalid, too-many-requests
 */
export async function resetPassword(
  deps: SessionDeps,
  sent: { readonly code: string; readonly password: string },
  client: string,
): Promise<Record<string, never> | Failure> {
  const { db, identity, adminEmails, now } = deps;
  const refused = newPasswordFailure(sent.password) ?? (await limitAttempts(deps, 'code', { client }));
  if (refused) return refused;
  const code = { purpose: 'reset', hash: hashOfSecret(sent.code) } as const;
  // Before the hashing, which is dear; what counts is asked below.
  const good = await goodCode(db.kysely, code, now());
  if (!good) return new Failure('link-invalid');
  const guessable = newPasswordFailure(sent.password, good.email);
  if (guessable) return guessable;
  const hash = await identity.hashPassword(sent.password);
  return inTransaction(db, async (tx) => {
    const redeemed = await redeemCode(tx, code, now());
    const person = redeemed?.user_id && (await lockedPerson(tx, { id: redeemed.user_id }));
    if (!person || person.email !== redeemed.email) return new Failure('link-invalid');
    await proveAddress(tx, { person, adminEmails });
    await takeNewPassword(deps, tx, person.id, hash);
    return {};
  });
}

/**
 * Changes the password of somebody who is signed in, who tells the present one if there is one. Every session ends, and
 * a new one is opened for the changer.
 * @returns Failure password-too-short, -too-long, -too-common or -is-address, wrong-credentials, too-many-requests
 */
export async function changePassword(
  deps: SessionDeps,
  { userId }: Bearer,
  sent: { readonly current?: string | undefined; readonly password: string },
  client: string,
): Promise<OpenedSession | Failure> {
  const { db, identity, now } = deps;
  const email = (await personById(db.kysely, userId))?.email;
  const refused =
    newPasswordFailure(sent.password, email) ?? (await limitAttempts(deps, 'password', { email, client }));
  if (refused) return refused;
  const former = await passwordHashOf(db.kysely, userId);
  if (former !== undefined && !(await identity.verifyPassword(sent.current ?? '', former))) {
    return new Failure('wrong-credentials');
  }
  const hash = await identity.hashPassword(sent.password);
  return inTransaction(db, async (tx) => {
    const person = await lockedPerson(tx, { id: userId });
    // Somebody else was faster; what was proven above is not true any more.
    if (!person || (await passwordHashOf(tx, userId)) !== former) return new Failure('wrong-credentials');
    await takeNewPassword(deps, tx, userId, hash);
    return openSession(tx, userId, now());
  });
}

/** With a new password whatever was opened with the old one dies, and its owner is told. */
async function takeNewPassword(
  { jobs, now }: Pick<SessionDeps, 'jobs' | 'now'>,
  tx: Transaction<Tables>,
  userId: string,
  hash: string,
): Promise<void> {
  await setPassword(tx, newId(), userId, hash);
  await endSessions(tx, userId);
  await deleteCodesOf(tx, userId, 'reset');
  await jobs.enqueue(tx, 'mail-session', { kind: 'password-changed', userId, changedAt: now().toISOString() });
}
