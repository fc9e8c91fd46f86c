import type { Transaction } from 'kysely';
import { Failure } from '#domain/failures.ts';
import { mailedName } from '#domain/names.ts';
import { parsedEmail } from '#domain/profile.ts';
import { newId } from '#server/db/new-id.ts';
import type { Tables } from '#server/db/tables.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { UserRow } from '#server/entities/find-user.ts';
import { recordFailedLogin } from '#server/features/activity/record-activity.ts';
import { checkRateLimit, releaseRateLimit } from '#server/features/rate-limits/check-rate-limit.ts';
import type { GooglePerson } from '#server/gateways/identity/identity.ts';
import {
  addUser,
  linkGoogle,
  lockUser,
  nameUnnamedUser,
  passwordByEmail,
  passwordHashOf,
  userOfGoogle,
} from './accounts.store.ts';
import { redeemCode, usableCode } from './mailed-codes.store.ts';
import { type HalfLoggedIn, logIn } from './second-step.ts';
import { hashOfSecret } from './secrets.ts';
import type { Caller, OpenedSession, SessionDeps } from './session-lifecycle.ts';
import { confirmEmail } from './verify-email.ts';

/**
 * Opens a session with a password, or asks for the second step. An unknown address takes as long and gets the same answer (decisions §4).
 * @returns Failure no-email, invalid-email, wrong-credentials, too-many-requests
 */
export async function signInByPassword(
  deps: SessionDeps,
  sent: { readonly email: string; readonly password: string },
  caller: Caller,
): Promise<OpenedSession | HalfLoggedIn | Failure> {
  const email = parsedEmail(sent.email);
  if (email instanceof Failure) return email;
  const { client } = caller;
  const asker = { email, client, device: await caller.deviceOf(email) };
  const refused = await checkRateLimit(deps, 'password', asker);
  if (refused) return refused;
  const { db, identity } = deps;
  const found = await passwordByEmail(db.kysely, email);
  const hash = found?.hash ?? undefined;
  const isCorrect = await identity.verifyPassword(sent.password, hash);
  if (!isCorrect || !found) {
    await recordFailedLogin(db, found?.userId, client);
    return new Failure('wrong-credentials');
  }
  await releaseRateLimit(deps, 'password', asker);
  return inTransaction(db, async (tx) => {
    // A new password or a verified address may have ended all sessions meanwhile; this one must not survive that.
    const user = await lockUser(tx, { id: found.userId });
    const isUnchanged = user && (await passwordHashOf(tx, user.id)) === hash;
    if (!isUnchanged) return new Failure('wrong-credentials');
    return logIn(tx, deps, { user, by: 'password', caller });
  });
}

/**
 * Opens a session with the code of a sign-in link, once, for the address that it was mailed to. A new address gets an
 * account. The code verifies the address.
 * @returns Failure no-email, invalid-email, link-invalid, link-other-address, too-many-requests
 */
export async function signInByLink(
  deps: SessionDeps,
  sent: { readonly email: string; readonly code: string },
  caller: Caller,
): Promise<OpenedSession | HalfLoggedIn | Failure> {
  const email = parsedEmail(sent.email);
  if (email instanceof Failure) return email;
  const refused = await checkRateLimit(deps, 'code', { client: caller.client });
  if (refused) return refused;
  const { db, adminEmails, now } = deps;
  const link = { purpose: 'sign-in', hash: hashOfSecret(sent.code) } as const;
  return inTransaction(db, async (tx) => {
    if (!(await redeemCode(tx, { ...link, email }, now()))) {
      const isUsable = await usableCode(tx, link, now());
      return new Failure(isUsable ? 'link-other-address' : 'link-invalid');
    }
    const user = await lockedUserOf(tx, email);
    await confirmEmail(tx, { user, adminEmails, now: now() });
    return logIn(tx, deps, { user, by: 'mail', caller });
  });
}

/**
 * Opens a session for someone whom Google vouches for. A returning user is recognized by Google's id; anyone else by the
 * email address, but only if Google says that it is theirs, which verifies it.
 * @returns Failure no-email, invalid-email, email-unverified
 */
export async function signInByGoogle(
  deps: Pick<SessionDeps, 'db' | 'jobs' | 'adminEmails' | 'now'>,
  person: GooglePerson,
  caller: Caller,
): Promise<OpenedSession | HalfLoggedIn | Failure> {
  const email = parsedEmail(person.email);
  if (email instanceof Failure) return email;
  const { db, adminEmails, now } = deps;
  return inTransaction(db, async (tx) => {
    const returning = await returningUser(tx, person.subject);
    if (returning && !(person.emailVerified && returning.email === email)) {
      return logIn(tx, deps, { user: returning, by: 'google', caller });
    }
    if (!person.emailVerified) return new Failure('email-unverified');
    const user = returning ?? (await lockedUserOf(tx, email));
    await confirmEmail(tx, { user, adminEmails, now: now() });
    await linkGoogle(tx, newId(), user.id, person.subject);
    await nameUnnamedUser(tx, user.id, mailedName(person.name));
    return logIn(tx, deps, { user, by: 'google', caller });
  });
}

/** The user of an address, added if new. */
export async function lockedUserOf(tx: Transaction<Tables>, email: string): Promise<UserRow> {
  await addUser(tx, { id: newId(), email, name: '' });
  const user = await lockUser(tx, { email });
  if (!user) throw new Error('The account that was just added is missing.');
  return user;
}

async function returningUser(tx: Transaction<Tables>, subject: string): Promise<UserRow | undefined> {
  const id = await userOfGoogle(tx, subject);
  const user = id === undefined ? undefined : await lockUser(tx, { id });
  // The link to Google may have been removed before the lock, by someone who verified the address.
  return user && (await userOfGoogle(tx, subject)) === user.id ? user : undefined;
}
