import type { Transaction } from 'kysely';
import { Failure } from '#domain/failures.ts';
import type { ProofBy } from '#domain/permissions.ts';
import { SECOND_STEP_MINUTES } from '#domain/second-factor.ts';
import type { Tables } from '#server/db/tables.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { type UserRow, userById } from '#server/entities/find-user.ts';
import { recordFailedLogin } from '#server/features/activity/record-activity.ts';
import { checkRateLimit, releaseRateLimit } from '#server/features/rate-limits/check-rate-limit.ts';
import {
  findSecondStep,
  needsSecondStep,
  redeemSecondFactor,
  type SecondFactorInput,
} from '#server/features/second-factors/check-second-factor.ts';
import { lockUser } from './accounts.store.ts';
import { endHalfLogin, type HalfLogin, halfLoginByHash, insertHalfLogin, setChallenge } from './half-logins.store.ts';
import { hashOfSecret, newSecret } from './secrets.ts';
import { sendSessionEmail } from './send-session-email.job.ts';
import { type Caller, type OpenedSession, openSession, type SessionDeps } from './session-lifecycle.ts';
import { deleteSessionByHash } from './sessions.store.ts';

/** The user has passed the first step of a login and must take the second. */
export type SecondStepRequired = {
  /** Goes into the cookie; only its hash is stored. */
  readonly halfSecret: string;
};

type Login = {
  /** The locked row, as it was before this login verified the address. */
  readonly user: UserRow;
  readonly provenBy: ProofBy;
  readonly caller: Caller;
};

/** Opens a session for a user who has passed the first step, or asks for the second step if the account has one. */
export async function logIn(
  tx: Transaction<Tables>,
  deps: Pick<SessionDeps, 'jobs' | 'now'>,
  login: Login,
): Promise<OpenedSession | SecondStepRequired> {
  const now = deps.now();
  if (!(await needsSecondStep(tx, deps, login.user)))
    return replaceSession(tx, deps, { ...login, secondFactorAt: null });
  const halfSecret = newSecret();
  await insertHalfLogin(
    tx,
    {
      hash: hashOfSecret(halfSecret),
      user_id: login.user.id,
      proven_by: login.provenBy,
      challenge: null,
      expires_at: expiryFrom(now),
    },
    now,
  );
  return { halfSecret };
}

/**
 * Opens a session and ends the browser's earlier one, even if it was another user's. A login in an unknown browser is
 * reported to the owner by email, unless it is the first login of the account.
 */
async function replaceSession(
  tx: Transaction<Tables>,
  { jobs, now }: Pick<SessionDeps, 'jobs' | 'now'>,
  { user, provenBy, caller, secondFactorAt }: Login & { readonly secondFactorAt: Date | null },
): Promise<OpenedSession> {
  const { deviceOf, formerSession, client, browser, language } = caller;
  const previousUserId = formerSession === undefined ? undefined : await deleteSessionByHash(tx, formerSession);
  const isKnown = previousUserId === user.id || (await deviceOf(user.email, tx)) !== undefined;
  if (user.email_verified && !isKnown) {
    const at = now().toISOString();
    await jobs.enqueue(tx, sendSessionEmail, { kind: 'new-device', userId: user.id, at, client, browser });
  }
  return openSession(tx, { client, browser, language, userId: user.id, provenBy, secondFactorAt }, now());
}

/** @returns the second factors that the user of a half login can use; null if no half login is open */
export async function startSecondStep(deps: SessionDeps, secret: string | undefined) {
  const halfLogin = await findHalfLogin(deps, secret);
  if (!halfLogin?.user_id) return null;
  const step = await findSecondStep(deps, halfLogin.user_id);
  if (step.passkey) await setChallenge(deps.db.kysely, halfLogin.hash, step.passkey.challenge);
  return step;
}

/**
 * Completes a half login with a second factor.
 * @returns Failure second-step-over, wrong-code, wrong-recovery-code, passkey-refused, too-many-requests
 */
export async function finishSecondStep(
  deps: SessionDeps,
  secret: string | undefined,
  input: SecondFactorInput,
  caller: Caller,
): Promise<OpenedSession | Failure> {
  const { db } = deps;
  const halfLogin = await findHalfLogin(deps, secret);
  const user = halfLogin?.user_id ? await userById(db.kysely, halfLogin.user_id) : undefined;
  if (!halfLogin || !user) return new Failure('second-step-over');
  const requester = { person: user.id, client: caller.client, device: await caller.deviceOf(user.email) };
  const action = input.recoveryCode === undefined ? 'second-step' : 'recovery-code';
  const failure = await checkRateLimit(deps, action, requester);
  if (failure) return failure;
  const session = await finish(deps, halfLogin, input, caller);
  if (session instanceof Failure) await recordFailedLogin(db, user.id, caller.client);
  else await releaseRateLimit(deps, action, requester);
  return session;
}

/** @returns a challenge for any passkey of this site; Failure too-many-requests */
export async function startPasskeyLogin(deps: SessionDeps, client: string) {
  const { db, identity, now } = deps;
  const failure = await checkRateLimit(deps, 'code', { client });
  if (failure) return failure;
  const options = await identity.passkeys.requestOptions({ userVerification: 'required' });
  const halfSecret = newSecret();
  await insertHalfLogin(
    db.kysely,
    {
      hash: hashOfSecret(halfSecret),
      user_id: null,
      proven_by: null,
      challenge: options.challenge,
      expires_at: expiryFrom(now()),
    },
    now(),
  );
  return { options, halfSecret };
}

/**
 * Opens a session with a passkey. It covers both steps, because the device has verified its owner.
 * @returns Failure second-step-over, passkey-refused, too-many-requests
 */
export async function signInByPasskey(
  deps: SessionDeps,
  secret: string | undefined,
  passkey: { readonly id: string },
  caller: Caller,
): Promise<OpenedSession | Failure> {
  const failure = await checkRateLimit(deps, 'code', { client: caller.client });
  if (failure) return failure;
  const halfLogin = await findHalfLogin(deps, secret);
  if (!halfLogin || halfLogin.user_id !== null) return new Failure('second-step-over');
  const session = await finish(deps, halfLogin, { passkey }, caller);
  if (session instanceof Failure) await recordFailedLogin(deps.db, undefined, caller.client);
  return session;
}

function finish(
  deps: SessionDeps,
  halfLogin: HalfLogin,
  input: SecondFactorInput,
  caller: Caller,
): Promise<OpenedSession | Failure> {
  const { db, now } = deps;
  return inTransaction(db, async (tx) => {
    if (halfLogin.user_id) await lockUser(tx, { id: halfLogin.user_id });
    const userId = await redeemSecondFactor(tx, deps, {
      userId: halfLogin.user_id ?? undefined,
      input,
      passkeyRequest: {
        challenge: halfLogin.challenge,
        userVerification: halfLogin.user_id ? 'preferred' : 'required',
      },
    });
    if (userId instanceof Failure) return userId;
    const user = await lockUser(tx, { id: userId });
    // Another response or a new password may have ended the half login.
    if (!(user && (await endHalfLogin(tx, halfLogin.hash, now())))) return new Failure('second-step-over');
    const provenBy = halfLogin.proven_by ?? 'passkey';
    return replaceSession(tx, deps, { user, provenBy, caller, secondFactorAt: now() });
  });
}

async function findHalfLogin({ db, now }: SessionDeps, secret: string | undefined): Promise<HalfLogin | undefined> {
  return secret === undefined ? undefined : halfLoginByHash(db.kysely, hashOfSecret(secret), now());
}

function expiryFrom(now: Date): Date {
  return new Date(now.getTime() + SECOND_STEP_MINUTES * 60_000);
}
