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
  needsSecondStep,
  redeemSecondFactor,
  type SentFactor,
  secondStepOf,
} from '#server/features/second-factors/check-second-factor.ts';
import { lockUser } from './accounts.store.ts';
import { type HalfLogin, halfLoginByHash, insertHalfLogin, setChallenge, takeHalfLogin } from './half-logins.store.ts';
import { hashOfSecret, newSecret } from './secrets.ts';
import { sendSessionEmail } from './send-session-email.job.ts';
import { type Caller, type OpenedSession, openSession, type SessionDeps } from './session-lifecycle.ts';
import { deleteSessionByHash } from './sessions.store.ts';

/** The first step was right, and opens nothing without the second. */
export type HalfLoggedIn = {
  /** Goes into the cookie; only its hash is stored. */
  readonly halfSecret: string;
};

export type LogIn = {
  /** Locked, and as it was before this login proved the address. */
  readonly user: UserRow;
  readonly by: ProofBy;
  readonly caller: Caller;
};

/** Opens a session for someone who has proven who they are, or asks for the second step where they have one. */
export async function logIn(
  tx: Transaction<Tables>,
  deps: Pick<SessionDeps, 'jobs' | 'now'>,
  login: LogIn,
): Promise<OpenedSession | HalfLoggedIn> {
  const now = deps.now();
  if (!(await needsSecondStep(tx, deps, login.user))) return enter(tx, deps, { ...login, secondFactorAt: null });
  const halfSecret = newSecret();
  const half = { hash: hashOfSecret(halfSecret), user_id: login.user.id, proven_by: login.by, challenge: null };
  await insertHalfLogin(tx, { ...half, expires_at: expiryFrom(now) }, now);
  return { halfSecret };
}

/**
 * Opens a session in place of the browser's earlier one, even another user's. If the browser is new to someone whose
 * address was proven before, they are told by mail; the first login of an account is no news.
 */
async function enter(
  tx: Transaction<Tables>,
  { jobs, now }: Pick<SessionDeps, 'jobs' | 'now'>,
  { user, by, caller, secondFactorAt }: LogIn & { readonly secondFactorAt: Date | null },
): Promise<OpenedSession> {
  const { deviceOf, formerSession, client, browser, language } = caller;
  const former = formerSession === undefined ? undefined : await deleteSessionByHash(tx, formerSession);
  const isKnown = former === user.id || (await deviceOf(user.email, tx)) !== undefined;
  if (user.email_verified && !isKnown) {
    const at = now().toISOString();
    await jobs.enqueue(tx, sendSessionEmail, { kind: 'new-device', userId: user.id, at, client, browser });
  }
  return openSession(tx, { client, browser, language, userId: user.id, by, secondFactorAt }, now());
}

/** What the person of a half login can use as the second step; null where none waits for it. */
export async function startSecondStep(deps: SessionDeps, secret: string | undefined) {
  const half = await halfLogin(deps, secret);
  if (!half?.user_id) return null;
  const step = await secondStepOf(deps, half.user_id);
  if (step.passkey) await setChallenge(deps.db.kysely, half.hash, step.passkey.challenge);
  return step;
}

/**
 * Opens the session of a half login with its second step.
 * @returns Failure second-step-over, wrong-code, wrong-recovery-code, passkey-refused, too-many-requests
 */
export async function finishSecondStep(
  deps: SessionDeps,
  secret: string | undefined,
  sent: SentFactor,
  caller: Caller,
): Promise<OpenedSession | Failure> {
  const { db } = deps;
  const half = await halfLogin(deps, secret);
  const user = half?.user_id ? await userById(db.kysely, half.user_id) : undefined;
  if (!half || !user) return new Failure('second-step-over');
  const asker = { person: user.id, client: caller.client, device: await caller.deviceOf(user.email) };
  const action = sent.recoveryCode === undefined ? 'second-step' : 'recovery-code';
  const refused = await checkRateLimit(deps, action, asker);
  if (refused) return refused;
  const opened = await finish(deps, half, sent, caller);
  if (opened instanceof Failure) await recordFailedLogin(db, user.id, caller.client);
  else await releaseRateLimit(deps, action, asker);
  return opened;
}

/** What any passkey of this site is asked. @returns Failure too-many-requests */
export async function startPasskeyLogin(deps: SessionDeps, client: string) {
  const { db, identity, now } = deps;
  const refused = await checkRateLimit(deps, 'code', { client });
  if (refused) return refused;
  const options = await identity.passkeys.requestOptions({ userVerification: 'required' });
  const halfSecret = newSecret();
  const half = { hash: hashOfSecret(halfSecret), user_id: null, proven_by: null, challenge: options.challenge };
  await insertHalfLogin(db.kysely, { ...half, expires_at: expiryFrom(now()) }, now());
  return { options, halfSecret };
}

/**
 * Opens a session with a passkey, whose device has checked that it is its owner: both steps in one.
 * @returns Failure second-step-over, passkey-refused, too-many-requests
 */
export async function signInByPasskey(
  deps: SessionDeps,
  secret: string | undefined,
  passkey: { readonly id: string },
  caller: Caller,
): Promise<OpenedSession | Failure> {
  const refused = await checkRateLimit(deps, 'code', { client: caller.client });
  if (refused) return refused;
  const half = await halfLogin(deps, secret);
  if (!half || half.user_id !== null) return new Failure('second-step-over');
  const opened = await finish(deps, half, { passkey }, caller);
  if (opened instanceof Failure) await recordFailedLogin(deps.db, undefined, caller.client);
  return opened;
}

function finish(
  deps: SessionDeps,
  half: HalfLogin,
  sent: SentFactor,
  caller: Caller,
): Promise<OpenedSession | Failure> {
  const { db, now } = deps;
  return inTransaction(db, async (tx) => {
    if (half.user_id) await lockUser(tx, { id: half.user_id });
    const userVerification = half.user_id ? 'preferred' : 'required';
    const asked = { challenge: half.challenge, userVerification } as const;
    const userId = await redeemSecondFactor(tx, deps, { userId: half.user_id ?? undefined, sent, asked });
    if (userId instanceof Failure) return userId;
    const user = await lockUser(tx, { id: userId });
    // It ended meanwhile: by another answer, or by a new password.
    if (!(user && (await takeHalfLogin(tx, half.hash, now())))) return new Failure('second-step-over');
    return enter(tx, deps, { user, by: half.proven_by ?? 'passkey', caller, secondFactorAt: now() });
  });
}

async function halfLogin({ db, now }: SessionDeps, secret: string | undefined): Promise<HalfLogin | undefined> {
  return secret === undefined ? undefined : halfLoginByHash(db.kysely, hashOfSecret(secret), now());
}

function expiryFrom(now: Date): Date {
  return new Date(now.getTime() + SECOND_STEP_MINUTES * 60_000);
}
