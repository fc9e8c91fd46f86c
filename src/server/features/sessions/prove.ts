import { randomInt } from 'node:crypto';
import type { Transaction } from 'kysely';
import { Failure } from '#domain/failures.ts';
import { PROOF_CODE_DIGITS, PROOF_CODE_MINUTES } from '#domain/mailed-links.ts';
import type { Bearer, ProofBy } from '#domain/permissions.ts';
import type { Tables } from '#server/db/tables.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { AppDeps } from '#server/deps.ts';
import { recordFailedLogin } from '#server/features/activity/record-activity.ts';
import { checkRateLimit, releaseRateLimit } from '#server/features/rate-limits/check-rate-limit.ts';
import { lockUser, passwordHashOf } from './accounts.store.ts';
import { insertCode, redeemCode } from './mailed-codes.store.ts';
import { hashOfSecret, newSecret } from './secrets.ts';
import type { OpenedSession, SessionDeps } from './session-lifecycle.ts';
import { proveSession } from './sessions.store.ts';

/** One of them; the password counts where both are there. */
export type SentProof = { readonly password?: string | undefined; readonly code?: string | undefined };

/**
 * The person of a session proves again who they are, by the password or by a mailed code. The session stays, with another
 * secret in the cookie.
 * @returns Failure wrong-password, code-invalid, token-invalid, too-many-requests
 */
export async function prove(
  deps: SessionDeps,
  bearer: Bearer,
  { password, code = '' }: SentProof,
  client: string,
): Promise<OpenedSession | Failure> {
  const asker = { person: bearer.userId };
  const refused = await checkRateLimit(deps, 'proof', asker);
  if (refused) return refused;
  const proven =
    password === undefined ? await proveByCode(deps, bearer, code) : await proveByPassword(deps, bearer, password);
  if (proven instanceof Failure) await recordFailedLogin(deps.db, bearer.userId, client);
  else await releaseRateLimit(deps, 'proof', asker);
  return proven;
}

async function proveByPassword(
  { db, identity, now }: SessionDeps,
  bearer: Bearer,
  password: string,
): Promise<OpenedSession | Failure> {
  const hash = await passwordHashOf(db.kysely, bearer.userId);
  if (!(await identity.verifyPassword(password, hash))) return new Failure('wrong-password');
  return inTransaction(db, async (tx) => {
    const user = await lockUser(tx, { id: bearer.userId });
    // It may have been changed meanwhile.
    const isUnchanged = user && (await passwordHashOf(tx, user.id)) === hash;
    return isUnchanged ? markProven(tx, bearer, 'password', now()) : new Failure('wrong-password');
  });
}

function proveByCode({ db, now }: SessionDeps, bearer: Bearer, code: string): Promise<OpenedSession | Failure> {
  const sent = { purpose: 'proof', hash: hashOfCode(bearer, code), userId: bearer.userId } as const;
  return inTransaction(db, async (tx) => {
    const redeemed = await redeemCode(tx, sent, now());
    return redeemed ? markProven(tx, bearer, 'mail', now()) : new Failure('code-invalid');
  });
}

async function markProven(
  tx: Transaction<Tables>,
  { sessionId }: Pick<Bearer, 'sessionId'>,
  by: ProofBy,
  now: Date,
): Promise<OpenedSession | Failure> {
  const secret = newSecret();
  const isProven = await proveSession(tx, { id: sessionId, by, hash: hashOfSecret(secret) }, now);
  return isProven ? { id: sessionId, secret } : new Failure('token-invalid');
}

/** @returns a code with which the person of this session alone proves who they are, once */
export async function newProofCode(
  { db, now }: Pick<AppDeps, 'db' | 'now'>,
  to: { readonly sessionId: string; readonly userId: string; readonly email: string },
): Promise<string> {
  const code = String(randomInt(10 ** PROOF_CODE_DIGITS)).padStart(PROOF_CODE_DIGITS, '0');
  const expiresAt = new Date(now().getTime() + PROOF_CODE_MINUTES * 60_000);
  const { email, userId } = to;
  await insertCode(db.kysely, { purpose: 'proof', hash: hashOfCode(to, code), email, userId, expiresAt }, now());
  return code;
}

/** Two sessions may have the same digits. */
function hashOfCode({ sessionId }: { readonly sessionId: string }, code: string): string {
  return hashOfSecret([sessionId, code.replace(/\s/g, '')].join('\n'));
}
