import { randomInt } from 'node:crypto';
import type { Transaction } from 'kysely';
import { Failure } from '#domain/failures.ts';
import { PROOF_CODE_DIGITS, PROOF_CODE_MINUTES } from '#domain/mailed-links.ts';
import type { Bearer, ProofBy } from '#domain/permissions.ts';
import type { Tables } from '#server/db/tables.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { AppDeps } from '#server/deps.ts';
import { type UserRow, userById } from '#server/entities/find-user.ts';
import { recordFailedLogin } from '#server/features/activity/record-activity.ts';
import { checkRateLimit, releaseRateLimit } from '#server/features/rate-limits/check-rate-limit.ts';
import {
  needsSecondStep,
  redeemSecondFactor,
  type SentFactor,
  secondStepOf,
} from '#server/features/second-factors/check-second-factor.ts';
import type { GooglePerson } from '#server/gateways/identity/identity.ts';
import { hasGoogle, lockUser, passwordHashOf, userOfGoogle } from './accounts.store.ts';
import { insertCode, redeemCode, usableCode } from './mailed-codes.store.ts';
import { hashOfSecret, newSecret } from './secrets.ts';
import type { OpenedSession, SessionDeps } from './session-lifecycle.ts';
import { proveSession, sessionById } from './sessions.store.ts';

type Passkey = NonNullable<SentFactor['passkey']>;

/** A passkey alone is both steps in one. Otherwise one of the others, the first that is there, with the second step. */
export type SentProof = {
  readonly passkey?: Passkey | undefined;
  readonly password?: string | undefined;
  /** Whether the person came back from Google just now. */
  readonly google?: true | undefined;
  readonly code?: string | undefined;
  /** Where the account has a second step. */
  readonly second?: SentFactor | undefined;
};

/** How the bearer can prove who they are: as they log in, the quickest first, and nothing that they don't have. */
export async function startProof(deps: SessionDeps, bearer: Bearer, client: string) {
  const { db, identity } = deps;
  const { userId, sessionId } = bearer;
  const refused = await checkRateLimit(deps, 'code', { client });
  if (refused) return refused;
  const [user, session] = [await userById(db.kysely, userId), await sessionById(db.kysely, sessionId)];
  if (!user || !session) return new Failure('token-invalid');
  const { passkey, authenticator, recoveryCodes } = await secondStepOf(deps, userId);
  if (passkey) await keepProof(deps, { ...bearer, email: user.email }, passkeyProof(bearer, passkey.challenge));
  const has: Readonly<Record<ProofBy, boolean>> = {
    passkey: passkey !== null,
    password: (await passwordHashOf(db.kysely, userId)) !== undefined,
    google: identity.google !== undefined && (await hasGoogle(db.kysely, userId)),
    mail: user.email_verified,
  };
  const first = session.proven_by === 'google' ? (['google'] as const) : [];
  const ways = [...first, ...QUICKEST_FIRST.filter((way) => !first.some((each) => each === way))];
  return {
    ways: ways.filter((way) => has[way]),
    passkey,
    second: passkey || authenticator ? { passkey: passkey !== null, authenticator, recoveryCodes } : null,
  };
}

const QUICKEST_FIRST = ['passkey', 'password', 'google', 'mail'] as const;

/**
 * The person of a session proves again who they are, by nothing weaker than what their login needs: with the second step
 * where the account has one, or by a passkey whose device has checked its owner. The session stays, with another secret in
 * the cookie.
 * @returns Failure wrong-password, code-invalid, wrong-code, wrong-recovery-code, passkey-refused, google-unproven,
 * token-invalid, too-many-requests
 */
export async function prove(
  deps: SessionDeps,
  bearer: Bearer,
  sent: SentProof,
  client: string,
): Promise<OpenedSession | Failure> {
  const [asker, stepAsker] = [{ person: bearer.userId }, { person: bearer.userId, device: bearer.sessionId }];
  const refused =
    (await checkRateLimit(deps, 'proof', asker)) ??
    (sent.second && (await checkRateLimit(deps, 'second-step', stepAsker)));
  if (refused) return refused;
  const proven = await (sent.passkey ? proveByPasskey(deps, bearer, sent.passkey) : proveAsAtLogin(deps, bearer, sent));
  if (proven instanceof Failure) {
    await recordFailedLogin(deps.db, bearer.userId, client);
  } else {
    await releaseRateLimit(deps, 'proof', asker);
    if (sent.second) await releaseRateLimit(deps, 'second-step', stepAsker);
  }
  return proven;
}

function proveByPasskey(deps: SessionDeps, bearer: Bearer, passkey: Passkey): Promise<OpenedSession | Failure> {
  return inTransaction(deps.db, async (tx) => {
    await lockUser(tx, { id: bearer.userId });
    const shown = await redeem(tx, deps, bearer, { passkey }, 'required');
    return shown instanceof Failure ? shown : markProven(tx, deps, bearer, { by: 'passkey', hasShown: true });
  });
}

async function proveAsAtLogin(deps: SessionDeps, bearer: Bearer, sent: SentProof): Promise<OpenedSession | Failure> {
  const { db, identity } = deps;
  const { password, second = {} } = sent;
  const hash = password === undefined ? undefined : await passwordHashOf(db.kysely, bearer.userId);
  if (password !== undefined && !(await identity.verifyPassword(password, hash))) return new Failure('wrong-password');
  return inTransaction(db, async (tx) => {
    const user = await lockUser(tx, { id: bearer.userId });
    if (!user) return new Failure('token-invalid');
    const by = firstStepOf(sent);
    const refused = await firstStepFailure(tx, deps, bearer, { ...sent, by, hash });
    if (refused) return refused;
    const hasStep = await needsSecondStep(tx, deps, user);
    const shown = hasStep ? await redeem(tx, deps, bearer, second, 'preferred') : undefined;
    if (shown instanceof Failure) return shown;
    // A code that was right is used up only once the second step is right as well.
    if (by !== 'password') await redeemCode(tx, proofOf(bearer, { ...sent, by }), deps.now());
    return markProven(tx, deps, bearer, { by, hasShown: hasStep });
  });
}

function firstStepOf({ password, google }: SentProof) {
  if (password !== undefined) return 'password';
  return google ? 'google' : 'mail';
}

type FirstStep = Pick<SentProof, 'code'> & { readonly by: 'password' | 'google' | 'mail' };

async function firstStepFailure(
  tx: Transaction<Tables>,
  { now }: Pick<SessionDeps, 'now'>,
  bearer: Bearer,
  { hash, ...sent }: FirstStep & { readonly hash: string | undefined },
): Promise<Failure | undefined> {
  if (sent.by === 'password') {
    // It may have been changed meanwhile.
    return (await passwordHashOf(tx, bearer.userId)) === hash ? undefined : new Failure('wrong-password');
  }
  if (await usableCode(tx, proofOf(bearer, sent), now())) return undefined;
  return new Failure(sent.by === 'google' ? 'google-unproven' : 'code-invalid');
}

function proofOf(bearer: Bearer, { by, code = '' }: FirstStep) {
  const hash = by === 'google' ? googleProof(bearer) : hashOfCode(bearer, code);
  return { purpose: 'proof', hash, userId: bearer.userId } as const;
}

/** Each challenge works once, and only in the session that it is for. */
async function redeem(
  tx: Transaction<Tables>,
  deps: SessionDeps,
  bearer: Bearer,
  sent: SentFactor,
  userVerification: 'required' | 'preferred',
): Promise<string | Failure> {
  const { userId } = bearer;
  const answered = sent.passkey && deps.identity.passkeys.challengeIn(sent.passkey);
  const asked = answered === undefined ? undefined : { purpose: 'proof', hash: passkeyProof(bearer, answered), userId };
  const isAsked = asked && (await redeemCode(tx, { ...asked, purpose: 'proof' }, deps.now()));
  const challenge = isAsked ? (answered ?? null) : null;
  return redeemSecondFactor(tx, deps, { userId, sent, asked: { challenge, userVerification } });
}

async function markProven(
  tx: Transaction<Tables>,
  { now }: Pick<SessionDeps, 'now'>,
  { sessionId }: Pick<Bearer, 'sessionId'>,
  { by, hasShown }: { readonly by: ProofBy; readonly hasShown: boolean },
): Promise<OpenedSession | Failure> {
  const secret = newSecret();
  const isProven = await proveSession(tx, { id: sessionId, by, hash: hashOfSecret(secret), hasShown }, now());
  return isProven ? { id: sessionId, secret } : new Failure('token-invalid');
}

type Of = Pick<Bearer, 'sessionId' | 'userId'>;

/** @returns a code with which the person of this session alone proves who they are, once */
export async function newProofCode(
  deps: Pick<AppDeps, 'db' | 'now'>,
  to: Of & Pick<UserRow, 'email'>,
): Promise<string> {
  const code = String(randomInt(10 ** PROOF_CODE_DIGITS)).padStart(PROOF_CODE_DIGITS, '0');
  await keepProof(deps, to, hashOfCode(to, code));
  return code;
}

/**
 * Somebody came back from Google to prove who they are, which the next proof of the session may say, once.
 * @returns whether it is the account of the session's person
 */
export async function keepGoogleProof(
  deps: Pick<AppDeps, 'db' | 'now'>,
  person: GooglePerson,
  sessionId: string,
): Promise<boolean> {
  const { kysely } = deps.db;
  const session = await sessionById(kysely, sessionId);
  const user = session && (await userById(kysely, session.user_id));
  if (!user || (await userOfGoogle(kysely, person.subject)) !== user.id) return false;
  const of = { sessionId, userId: user.id, email: user.email };
  await keepProof(deps, of, googleProof(of));
  return true;
}

async function keepProof(
  { db, now }: Pick<AppDeps, 'db' | 'now'>,
  { email, userId }: Of & Pick<UserRow, 'email'>,
  hash: string,
): Promise<void> {
  const expiresAt = new Date(now().getTime() + PROOF_CODE_MINUTES * 60_000);
  await insertCode(db.kysely, { purpose: 'proof', hash, email, userId, expiresAt }, now());
}

/** Two sessions may have the same digits. */
function hashOfCode({ sessionId }: Pick<Of, 'sessionId'>, code: string): string {
  return hashOfSecret([sessionId, code.replace(/\s/g, '')].join('\n'));
}

// Nobody can type these as a code, which has no line breaks.
function passkeyProof({ sessionId }: Pick<Of, 'sessionId'>, challenge: string): string {
  return hashOfSecret([sessionId, 'passkey', challenge].join('\n'));
}

function googleProof({ sessionId }: Pick<Of, 'sessionId'>): string {
  return hashOfSecret([sessionId, 'google', ''].join('\n'));
}
