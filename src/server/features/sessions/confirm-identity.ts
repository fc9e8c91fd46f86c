import { randomInt } from 'node:crypto';
import type { Transaction } from 'kysely';
import { CONFIRMATION_CODE_DIGITS, CONFIRMATION_CODE_MINUTES } from '#domain/email-links.ts';
import { Failure } from '#domain/failures.ts';
import type { AuthenticationMethod, SignedInUser } from '#domain/permissions.ts';
import type { Tables } from '#server/db/tables.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { AppDeps } from '#server/deps.ts';
import { findUserRow, type UserRow } from '#server/entities/find-user.ts';
import { recordFailedLogin } from '#server/features/activity/record-activity.ts';
import { checkRateLimit, refundRateLimit } from '#server/features/rate-limits/check-rate-limit.ts';
import {
  findSecondStep,
  needsSecondStep,
  redeemSecondFactor,
  type SecondFactorInput,
} from '#server/features/second-factors/check-second-factor.ts';
import type { GooglePerson } from '#server/gateways/identity/identity.ts';
import { findPasswordHash, findUserIdByGoogle, hasGoogleAccount, lockUser } from './accounts.store.ts';
import { findUsableCode, insertCode, redeemCode } from './email-codes.store.ts';
import { generateSecret, hashSecret } from './secrets.ts';
import type { OpenedSession, SessionDeps } from './session-lifecycle.ts';
import { confirmSession, findSession } from './sessions.store.ts';

type Passkey = NonNullable<SecondFactorInput['passkey']>;

/**
 * Either a passkey, which covers both steps, or a first step: password, Google, or code, whichever is set first. A first step
 * also needs `secondFactor` if the account has a second step.
 */
type ConfirmationInput = {
  readonly passkey?: Passkey | undefined;
  readonly password?: string | undefined;
  /** Set if the user has just returned from Google. */
  readonly google?: true | undefined;
  readonly code?: string | undefined;
  readonly secondFactor?: SecondFactorInput | undefined;
};

/** Lists the methods that can confirm the user's identity, in the order in which the page offers them. */
export async function startConfirmation(deps: SessionDeps, caller: SignedInUser, client: string) {
  const { db, identity } = deps;
  const { userId, sessionId } = caller;
  const failure = await checkRateLimit(deps, 'code', { client });
  if (failure) return failure;
  const [user, session] = [await findUserRow(db.kysely, userId), await findSession(db.kysely, sessionId)];
  if (!user || !session) return new Failure('token-invalid');
  const { passkey, authenticator, recoveryCodes } = await findSecondStep(deps, userId);
  if (passkey)
    await saveConfirmation(deps, { ...caller, email: user.email }, hashPasskeyChallenge(caller, passkey.challenge));
  const isAvailable: Readonly<Record<AuthenticationMethod, boolean>> = {
    passkey: passkey !== null,
    password: (await findPasswordHash(db.kysely, userId)) !== undefined,
    google: identity.google !== undefined && (await hasGoogleAccount(db.kysely, userId)),
    mail: user.email_verified,
  };
  const methods = session.authentication_method === 'google' ? GOOGLE_FIRST : QUICKEST_FIRST;
  return {
    methods: methods.filter((method) => isAvailable[method]),
    passkey,
    secondFactor: passkey || authenticator ? { passkey: passkey !== null, authenticator, recoveryCodes } : null,
  };
}

const QUICKEST_FIRST = ['passkey', 'password', 'google', 'mail'] as const;
const GOOGLE_FIRST = ['google', 'passkey', 'password', 'mail'] as const;

/**
 * Confirms the identity of a session's user.
 *
 * It requires as much as a login: the second step if the account has one, or a passkey whose device has verified its
 * owner. The session continues with a new secret in the cookie.
 * @returns Failure wrong-password, code-invalid, wrong-code, wrong-recovery-code, passkey-rejected, google-unconfirmed,
 * token-invalid, too-many-requests
 */
export async function confirmIdentity(
  deps: SessionDeps,
  caller: SignedInUser,
  input: ConfirmationInput,
  client: string,
): Promise<OpenedSession | Failure> {
  const requester = { userId: caller.userId };
  const stepRequester = { userId: caller.userId, device: caller.sessionId };
  const failure =
    (await checkRateLimit(deps, 'confirmation', requester)) ??
    (input.secondFactor && (await checkRateLimit(deps, 'second-step', stepRequester)));
  if (failure) return failure;
  const session = input.passkey
    ? await confirmByPasskey(deps, caller, input.passkey)
    : await confirmInTwoSteps(deps, caller, input);
  if (session instanceof Failure) {
    await recordFailedLogin(deps.db, caller.userId, client);
  } else {
    await refundRateLimit(deps, 'confirmation', requester);
    if (input.secondFactor) await refundRateLimit(deps, 'second-step', stepRequester);
  }
  return session;
}

function confirmByPasskey(deps: SessionDeps, caller: SignedInUser, passkey: Passkey): Promise<OpenedSession | Failure> {
  return inTransaction(deps.db, async (tx) => {
    await lockUser(tx, { id: caller.userId });
    const userId = await redeemFactor(tx, deps, caller, { passkey }, 'required');
    if (userId instanceof Failure) return userId;
    return recordConfirmation(tx, deps, caller, { authenticationMethod: 'passkey', hasSecondFactor: true });
  });
}

async function confirmInTwoSteps(
  deps: SessionDeps,
  caller: SignedInUser,
  input: ConfirmationInput,
): Promise<OpenedSession | Failure> {
  const { db, identity } = deps;
  const { password, secondFactor = {} } = input;
  const hash = password === undefined ? undefined : await findPasswordHash(db.kysely, caller.userId);
  if (password !== undefined && !(await identity.verifyPassword(password, hash))) return new Failure('wrong-password');
  return inTransaction(db, async (tx) => {
    const user = await lockUser(tx, { id: caller.userId });
    if (!user) return new Failure('token-invalid');
    const authenticationMethod = getFirstStepMethod(input);
    const failure = await firstStepFailure(tx, deps, caller, { ...input, authenticationMethod, hash });
    if (failure) return failure;
    const hasSecondFactor = await needsSecondStep(tx, deps, user);
    const userId = hasSecondFactor ? await redeemFactor(tx, deps, caller, secondFactor, 'preferred') : undefined;
    if (userId instanceof Failure) return userId;
    // Use up a correct code only if the second step is correct, too.
    if (authenticationMethod !== 'password')
      await redeemCode(tx, toCodeMatch(caller, { ...input, authenticationMethod }), deps.now());
    return recordConfirmation(tx, deps, caller, { authenticationMethod, hasSecondFactor });
  });
}

function getFirstStepMethod({ password, google }: ConfirmationInput) {
  if (password !== undefined) return 'password';
  return google ? 'google' : 'mail';
}

type FirstStep = Pick<ConfirmationInput, 'code'> & { readonly authenticationMethod: 'password' | 'google' | 'mail' };

async function firstStepFailure(
  tx: Transaction<Tables>,
  { now }: Pick<SessionDeps, 'now'>,
  caller: SignedInUser,
  { hash, ...input }: FirstStep & { readonly hash: string | undefined },
): Promise<Failure | undefined> {
  if (input.authenticationMethod === 'password') {
    // The password may have changed since it was verified.
    return (await findPasswordHash(tx, caller.userId)) === hash ? undefined : new Failure('wrong-password');
  }
  if (await findUsableCode(tx, toCodeMatch(caller, input), now())) return undefined;
  return new Failure(input.authenticationMethod === 'google' ? 'google-unconfirmed' : 'code-invalid');
}

function toCodeMatch(caller: SignedInUser, { authenticationMethod, code = '' }: FirstStep) {
  const hash = authenticationMethod === 'google' ? hashGoogleConfirmation(caller) : hashConfirmationCode(caller, code);
  return { purpose: 'confirmation', hash, userId: caller.userId } as const;
}

/** Redeems a second factor. A passkey's challenge works once, and only in the session it was issued for. */
async function redeemFactor(
  tx: Transaction<Tables>,
  deps: SessionDeps,
  caller: SignedInUser,
  input: SecondFactorInput,
  userVerification: 'required' | 'preferred',
): Promise<string | Failure> {
  const { userId } = caller;
  const signedChallenge = input.passkey && deps.identity.passkeys.readChallenge(input.passkey);
  const challenge =
    signedChallenge !== undefined && (await redeemChallenge(tx, deps, caller, signedChallenge))
      ? signedChallenge
      : null;
  return redeemSecondFactor(tx, deps, { userId, input, passkeyRequest: { challenge, userVerification } });
}

/** @returns whether the challenge was issued for this session and hasn't been used */
async function redeemChallenge(
  tx: Transaction<Tables>,
  { now }: Pick<SessionDeps, 'now'>,
  caller: SignedInUser,
  challenge: string,
): Promise<boolean> {
  const match = {
    purpose: 'confirmation',
    hash: hashPasskeyChallenge(caller, challenge),
    userId: caller.userId,
  } as const;
  return (await redeemCode(tx, match, now())) !== undefined;
}

async function recordConfirmation(
  tx: Transaction<Tables>,
  { now }: Pick<SessionDeps, 'now'>,
  { sessionId }: Pick<SignedInUser, 'sessionId'>,
  {
    authenticationMethod,
    hasSecondFactor,
  }: { readonly authenticationMethod: AuthenticationMethod; readonly hasSecondFactor: boolean },
): Promise<OpenedSession | Failure> {
  const secret = generateSecret();
  const confirmation = { id: sessionId, authenticationMethod, hash: hashSecret(secret), hasSecondFactor };
  return (await confirmSession(tx, confirmation, now())) ? { id: sessionId, secret } : new Failure('token-invalid');
}

type SessionUser = Pick<SignedInUser, 'sessionId' | 'userId'> & Pick<UserRow, 'email'>;

/** Creates a single-use code that the session's user can enter to confirm their identity. */
export async function createConfirmationCode(
  deps: Pick<AppDeps, 'db' | 'now'>,
  sessionUser: SessionUser,
): Promise<string> {
  const code = String(randomInt(10 ** CONFIRMATION_CODE_DIGITS)).padStart(CONFIRMATION_CODE_DIGITS, '0');
  await saveConfirmation(deps, sessionUser, hashConfirmationCode(sessionUser, code));
  return code;
}

/**
 * Records that the session's user has just authenticated with Google. One confirmation of the session can use it.
 * @returns whether the Google account belongs to the session's user
 */
export async function saveGoogleConfirmation(
  deps: Pick<AppDeps, 'db' | 'now'>,
  person: GooglePerson,
  sessionId: string,
): Promise<boolean> {
  const { kysely } = deps.db;
  const session = await findSession(kysely, sessionId);
  const user = session && (await findUserRow(kysely, session.user_id));
  if (!user || (await findUserIdByGoogle(kysely, person.subject)) !== user.id) return false;
  const sessionUser = { sessionId, userId: user.id, email: user.email };
  await saveConfirmation(deps, sessionUser, hashGoogleConfirmation(sessionUser));
  return true;
}

async function saveConfirmation(
  { db, now }: Pick<AppDeps, 'db' | 'now'>,
  { email, userId }: SessionUser,
  hash: string,
): Promise<void> {
  const expiresAt = new Date(now().getTime() + CONFIRMATION_CODE_MINUTES * 60_000);
  await insertCode(db.kysely, { purpose: 'confirmation', hash, email, userId, expiresAt }, now());
}

/** Includes the session id, because two sessions may get the same digits. */
function hashConfirmationCode({ sessionId }: Pick<SignedInUser, 'sessionId'>, code: string): string {
  return hashSecret([sessionId, code.replace(/\s/g, '')].join('\n'));
}

// The line breaks keep a typed code from ever matching these hashes.
function hashPasskeyChallenge({ sessionId }: Pick<SignedInUser, 'sessionId'>, challenge: string): string {
  return hashSecret([sessionId, 'passkey', challenge].join('\n'));
}

function hashGoogleConfirmation({ sessionId }: Pick<SignedInUser, 'sessionId'>): string {
  return hashSecret([sessionId, 'google', ''].join('\n'));
}
