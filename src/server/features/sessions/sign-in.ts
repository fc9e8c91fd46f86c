import type { Transaction } from 'kysely';
import { Failure } from '#domain/failures.ts';
import { makeEmailSafe } from '#domain/names.ts';
import { parseEmail } from '#domain/profile.ts';
import { newId } from '#server/db/new-id.ts';
import type { Tables } from '#server/db/tables.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { UserRow } from '#server/entities/find-user.ts';
import { recordFailedLogin } from '#server/features/activity/record-activity.ts';
import { checkRateLimit, refundRateLimit } from '#server/features/rate-limits/check-rate-limit.ts';
import type { GooglePerson } from '#server/gateways/identity/identity.ts';
import {
  findPasswordByEmail,
  findPasswordHash,
  findUserIdByGoogle,
  insertUser,
  linkGoogleAccount,
  lockUser,
  nameUnnamedUser,
} from './accounts.store.ts';
import { findUsableCode, redeemCode } from './email-codes.store.ts';
import { logIn, type SecondStepRequired } from './second-step.ts';
import { hashSecret } from './secrets.ts';
import type { Caller, OpenedSession, SessionDeps } from './session-lifecycle.ts';
import { confirmEmail } from './verify-email.ts';

/**
 * Opens a session with a password, or requires the second step. An unknown address gets the same response in the same
 * time (decisions §4).
 * @returns Failure no-email, invalid-email, wrong-credentials, too-many-requests
 */
export async function signInWithPassword(
  deps: SessionDeps,
  input: { readonly email: string; readonly password: string },
  caller: Caller,
): Promise<OpenedSession | SecondStepRequired | Failure> {
  const email = parseEmail(input.email);
  if (email instanceof Failure) return email;
  const { client } = caller;
  const requester = { email, client, device: await caller.findDevice(email) };
  const failure = await checkRateLimit(deps, 'password', requester);
  if (failure) return failure;
  const { db, identity } = deps;
  const account = await findPasswordByEmail(db.kysely, email);
  const hash = account?.hash ?? undefined;
  const isCorrect = await identity.verifyPassword(input.password, hash);
  if (!isCorrect || !account) {
    await recordFailedLogin(db, account?.userId, client);
    return new Failure('wrong-credentials');
  }
  await refundRateLimit(deps, 'password', requester);
  return inTransaction(db, async (tx) => {
    // A password change or an address verification may have ended all sessions since the check. If so, don't open a new
    // session.
    const user = await lockUser(tx, { id: account.userId });
    const isUnchanged = user && (await findPasswordHash(tx, user.id)) === hash;
    if (!isUnchanged) return new Failure('wrong-credentials');
    return logIn(tx, deps, { user, authenticationMethod: 'password', caller });
  });
}

/**
 * Opens a session with the code of a sign-in link, which works once and only for the address it was emailed to. The code
 * verifies the address. A new address gets an account.
 * @returns Failure no-email, invalid-email, link-invalid, link-other-address, too-many-requests
 */
export async function signInWithLink(
  deps: SessionDeps,
  input: { readonly email: string; readonly code: string },
  caller: Caller,
): Promise<OpenedSession | SecondStepRequired | Failure> {
  const email = parseEmail(input.email);
  if (email instanceof Failure) return email;
  const failure = await checkRateLimit(deps, 'code', { client: caller.client });
  if (failure) return failure;
  const { db, settings, now } = deps;
  const link = { purpose: 'sign-in', hash: hashSecret(input.code) } as const;
  return inTransaction(db, async (tx) => {
    if (!(await redeemCode(tx, { ...link, email }, now()))) {
      const isUsable = await findUsableCode(tx, link, now());
      return new Failure(isUsable ? 'link-other-address' : 'link-invalid');
    }
    const user = await findOrAddUser(tx, email);
    await confirmEmail(tx, { user, adminEmails: settings.adminEmails, now: now() });
    return logIn(tx, deps, { user, authenticationMethod: 'mail', caller });
  });
}

/**
 * Opens a session for a person authenticated by Google. A returning user is recognized by Google's id, anyone else by the
 * email address if Google has verified it.
 * @returns Failure no-email, invalid-email, email-unverified
 */
export async function signInWithGoogle(
  deps: Pick<SessionDeps, 'db' | 'jobs' | 'settings' | 'now'>,
  person: GooglePerson,
  caller: Caller,
): Promise<OpenedSession | SecondStepRequired | Failure> {
  const email = parseEmail(person.email);
  if (email instanceof Failure) return email;
  const { db, settings, now } = deps;
  return inTransaction(db, async (tx) => {
    const existingUser = await findUserByGoogle(tx, person.subject);
    if (existingUser && !(person.emailVerified && existingUser.email === email)) {
      return logIn(tx, deps, { user: existingUser, authenticationMethod: 'google', caller });
    }
    if (!person.emailVerified) return new Failure('email-unverified');
    const user = existingUser ?? (await findOrAddUser(tx, email));
    await confirmEmail(tx, { user, adminEmails: settings.adminEmails, now: now() });
    await linkGoogleAccount(tx, newId(), user.id, person.subject);
    await nameUnnamedUser(tx, user.id, makeEmailSafe(person.name));
    return logIn(tx, deps, { user, authenticationMethod: 'google', caller });
  });
}

/** Finds or adds the user with this address, and locks the user. */
export async function findOrAddUser(tx: Transaction<Tables>, email: string): Promise<UserRow> {
  await insertUser(tx, { id: newId(), email, name: '' });
  const user = await lockUser(tx, { email });
  if (!user) throw new Error('The new account is missing.');
  return user;
}

async function findUserByGoogle(tx: Transaction<Tables>, subject: string): Promise<UserRow | undefined> {
  const id = await findUserIdByGoogle(tx, subject);
  const user = id === undefined ? undefined : await lockUser(tx, { id });
  // Verifying the address may have unlinked the Google account before the lock.
  return user && (await findUserIdByGoogle(tx, subject)) === user.id ? user : undefined;
}
