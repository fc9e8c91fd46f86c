import type { Transaction } from 'kysely';
import { Failure } from '#domain/failures.ts';
import type { AuthenticationMethod } from '#domain/permissions.ts';
import { SECOND_STEP_MINUTES } from '#domain/second-factor.ts';
import type { Tables } from '#server/db/tables.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { findUserRow, type UserRow } from '#server/entities/find-user.ts';
import { recordFailedLogin } from '#server/features/activity/record-activity.ts';
import { checkRateLimit, refundRateLimit } from '#server/features/rate-limits/check-rate-limit.ts';
import {
  findSecondStep,
  needsSecondStep,
  redeemSecondFactor,
  type SecondFactorInput,
} from '#server/features/second-factors/check-second-factor.ts';
import { lockUser } from './accounts.store.ts';
import {
  endPendingLogin,
  findPendingLoginByHash,
  insertPendingLogin,
  type PendingLogin,
  setChallenge,
} from './pending-logins.store.ts';
import { generateSecret, hashSecret } from './secrets.ts';
import { sendSessionEmail } from './send-session-email.job.ts';
import { type Caller, type OpenedSession, openSession, type SessionDeps } from './session-lifecycle.ts';
import { deleteSessionByHash } from './sessions.store.ts';

/** Result for a user who has passed the first step of a login and must complete the second step. */
export type SecondStepRequired = {
  /** Stored in the cookie. The database contains only its hash. */
  readonly pendingLoginSecret: string;
};

type Login = {
  /** The user's row, locked and read before this login verified the address. */
  readonly user: UserRow;
  readonly authenticationMethod: AuthenticationMethod;
  readonly caller: Caller;
};

/** Opens a session for a user who has passed the first step, or requires the second step if the account has one. */
export async function logIn(
  tx: Transaction<Tables>,
  deps: Pick<SessionDeps, 'jobs' | 'now'>,
  login: Login,
): Promise<OpenedSession | SecondStepRequired> {
  const now = deps.now();
  if (!(await needsSecondStep(tx, deps, login.user)))
    return replaceSession(tx, deps, { ...login, secondFactorAt: null });
  const pendingLoginSecret = generateSecret();
  await insertPendingLogin(
    tx,
    {
      hash: hashSecret(pendingLoginSecret),
      user_id: login.user.id,
      authentication_method: login.authenticationMethod,
      challenge: null,
      expires_at: getExpiryTime(now),
    },
    now,
  );
  return { pendingLoginSecret };
}

/**
 * Opens a session and ends the browser's earlier one, even if it was another user's. A login in an unknown browser is
 * reported to the owner by email, unless it is the first login of the account.
 */
async function replaceSession(
  tx: Transaction<Tables>,
  { jobs, now }: Pick<SessionDeps, 'jobs' | 'now'>,
  { user, authenticationMethod, caller, secondFactorAt }: Login & { readonly secondFactorAt: Date | null },
): Promise<OpenedSession> {
  const { findDevice, previousSessionHash, client, browser, language } = caller;
  const previousUserId =
    previousSessionHash === undefined ? undefined : await deleteSessionByHash(tx, previousSessionHash);
  const isKnown = previousUserId === user.id || (await findDevice(user.email, tx)) !== undefined;
  if (user.email_verified && !isKnown) {
    const at = now().toISOString();
    await jobs.enqueue(tx, sendSessionEmail, { kind: 'new-device', userId: user.id, at, client, browser });
  }
  return openSession(tx, { client, browser, language, userId: user.id, authenticationMethod, secondFactorAt }, now());
}

/** @returns the second factors that the user of a pending login can use; null if no pending login is open */
export async function startSecondStep(deps: SessionDeps, secret: string | undefined) {
  const pendingLogin = await findPendingLogin(deps, secret);
  if (!pendingLogin?.user_id) return null;
  const step = await findSecondStep(deps, pendingLogin.user_id);
  if (step.passkey) await setChallenge(deps.db.kysely, pendingLogin.hash, step.passkey.challenge);
  return step;
}

/**
 * Completes a pending login with a second factor.
 * @returns Failure second-step-over, wrong-code, wrong-recovery-code, passkey-rejected, too-many-requests
 */
export async function finishSecondStep(
  deps: SessionDeps,
  secret: string | undefined,
  input: SecondFactorInput,
  caller: Caller,
): Promise<OpenedSession | Failure> {
  const { db } = deps;
  const pendingLogin = await findPendingLogin(deps, secret);
  const user = pendingLogin?.user_id ? await findUserRow(db.kysely, pendingLogin.user_id) : undefined;
  if (!pendingLogin || !user) return new Failure('second-step-over');
  const requester = { userId: user.id, client: caller.client, device: await caller.findDevice(user.email) };
  const action = input.recoveryCode === undefined ? 'second-step' : 'recovery-code';
  const failure = await checkRateLimit(deps, action, requester);
  if (failure) return failure;
  const session = await redeemPendingLogin(deps, pendingLogin, input, caller);
  if (session instanceof Failure) await recordFailedLogin(db, user.id, caller.client);
  else await refundRateLimit(deps, action, requester);
  return session;
}

/** Starts a login with any passkey of this site. @returns the challenge; Failure too-many-requests */
export async function startPasskeyLogin(deps: SessionDeps, client: string) {
  const { db, identity, now } = deps;
  const failure = await checkRateLimit(deps, 'code', { client });
  if (failure) return failure;
  const options = await identity.passkeys.requestOptions({ userVerification: 'required' });
  const pendingLoginSecret = generateSecret();
  await insertPendingLogin(
    db.kysely,
    {
      hash: hashSecret(pendingLoginSecret),
      user_id: null,
      authentication_method: null,
      challenge: options.challenge,
      expires_at: getExpiryTime(now()),
    },
    now(),
  );
  return { options, pendingLoginSecret };
}

/**
 * Opens a session with a passkey. It covers both steps, because the device has verified its owner.
 * @returns Failure second-step-over, passkey-rejected, too-many-requests
 */
export async function signInWithPasskey(
  deps: SessionDeps,
  secret: string | undefined,
  passkey: { readonly id: string },
  caller: Caller,
): Promise<OpenedSession | Failure> {
  const failure = await checkRateLimit(deps, 'code', { client: caller.client });
  if (failure) return failure;
  const pendingLogin = await findPendingLogin(deps, secret);
  if (!pendingLogin || pendingLogin.user_id !== null) return new Failure('second-step-over');
  const session = await redeemPendingLogin(deps, pendingLogin, { passkey }, caller);
  if (session instanceof Failure) await recordFailedLogin(deps.db, undefined, caller.client);
  return session;
}

function redeemPendingLogin(
  deps: SessionDeps,
  pendingLogin: PendingLogin,
  input: SecondFactorInput,
  caller: Caller,
): Promise<OpenedSession | Failure> {
  const { db, now } = deps;
  return inTransaction(db, async (tx) => {
    if (pendingLogin.user_id) await lockUser(tx, { id: pendingLogin.user_id });
    const userId = await redeemSecondFactor(tx, deps, {
      userId: pendingLogin.user_id ?? undefined,
      input,
      passkeyRequest: {
        challenge: pendingLogin.challenge,
        userVerification: pendingLogin.user_id ? 'preferred' : 'required',
      },
    });
    if (userId instanceof Failure) return userId;
    const user = await lockUser(tx, { id: userId });
    // Another response or a new password may have ended the pending login.
    if (!(user && (await endPendingLogin(tx, pendingLogin.hash, now())))) return new Failure('second-step-over');
    const authenticationMethod = pendingLogin.authentication_method ?? 'passkey';
    return replaceSession(tx, deps, { user, authenticationMethod, caller, secondFactorAt: now() });
  });
}

async function findPendingLogin(
  { db, now }: SessionDeps,
  secret: string | undefined,
): Promise<PendingLogin | undefined> {
  return secret === undefined ? undefined : findPendingLoginByHash(db.kysely, hashSecret(secret), now());
}

function getExpiryTime(now: Date): Date {
  return new Date(now.getTime() + SECOND_STEP_MINUTES * 60_000);
}
