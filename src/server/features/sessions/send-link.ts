import { Failure } from '#domain/failures.ts';
import type { Bearer } from '#domain/permissions.ts';
import { parsedEmail } from '#domain/profile.ts';
import type { Language } from '#messages';
import { inTransaction } from '#server/db/transaction.ts';
import { userById } from '#server/entities/find-user.ts';
import { mailTurn } from '#server/features/rate-limits/mail-pace.ts';
import { type SessionEmailPayload, sendSessionEmail } from './send-session-email.job.ts';
import type { Caller, SessionDeps } from './session-lifecycle.ts';

type Empty = Record<string, never>;
type From = Pick<Caller, 'client' | 'deviceOf'> & {
  /** Of the page that asks, and so of the mail. */
  readonly language: Language;
};

/**
 * Mails a sign-in link. Using it creates an account if the address has none.
 * @returns Failure no-email, invalid-email, too-many-requests
 */
export async function sendSignInLink(
  deps: SessionDeps,
  sent: { readonly email: string; readonly returnTo?: string | undefined },
  from: From,
): Promise<Empty | Failure> {
  const email = parsedEmail(sent.email);
  if (email instanceof Failure) return email;
  return enqueueMail(deps, { email, from }, { kind: 'sign-in', email, returnTo: sent.returnTo });
}

/**
 * Mails a link to choose a new password, if the address has an account; the answer does not say.
 * @returns Failure no-email, invalid-email, too-many-requests
 */
export async function sendPasswordReset(deps: SessionDeps, typed: string, from: From): Promise<Empty | Failure> {
  const email = parsedEmail(typed);
  if (email instanceof Failure) return email;
  return enqueueMail(deps, { email, from }, { kind: 'reset', email });
}

/**
 * Mails a link that verifies the address of the bearer.
 * @returns Failure token-invalid, too-many-requests
 */
export async function sendVerification(
  deps: SessionDeps,
  { userId }: Bearer,
  returnTo: string | undefined,
  from: From,
): Promise<Empty | Failure> {
  const user = await userById(deps.db.kysely, userId);
  if (!user) return new Failure('token-invalid');
  return enqueueMail(deps, { email: user.email, from }, { kind: 'verify', userId, returnTo });
}

/**
 * Mails a code to the bearer, who proves by it who they are.
 * @returns Failure token-invalid, email-unverified, too-many-requests
 */
export async function sendProofCode(
  deps: SessionDeps,
  { userId, sessionId }: Bearer,
  { client, language }: Omit<From, 'deviceOf'>,
): Promise<Empty | Failure> {
  const user = await userById(deps.db.kysely, userId);
  if (!user) return new Failure('token-invalid');
  // Otherwise a stranger's address would get mails, and prove nothing.
  if (!user.email_verified) return new Failure('email-unverified');
  const from = { client, language, deviceOf: async () => `user ${userId}` };
  return enqueueMail(deps, { email: user.email, from }, { kind: 'proof', userId, sessionId });
}

async function enqueueMail(
  deps: SessionDeps,
  { email, from }: { readonly email: string; readonly from: From },
  asked: SessionEmailPayload,
): Promise<Empty | Failure> {
  const asker = { email, client: from.client, device: await from.deviceOf(email) };
  const turn = await mailTurn(deps, asked.kind, asker);
  if (turn instanceof Failure) return turn;
  const { db, jobs } = deps;
  const job = { ...asked, language: from.language };
  if (!turn.isQueued) await inTransaction(db, (tx) => jobs.enqueue(tx, sendSessionEmail, job, turn.at));
  return {};
}
