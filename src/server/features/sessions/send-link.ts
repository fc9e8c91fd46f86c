import { Failure } from '#domain/failures.ts';
import type { SignedInUser } from '#domain/permissions.ts';
import { parseEmail } from '#domain/profile.ts';
import type { Language } from '#messages';
import { inTransaction } from '#server/db/transaction.ts';
import { findUserRow } from '#server/entities/find-user.ts';
import { reserveEmailSlot } from '#server/features/rate-limits/email-pace.ts';
import { type SessionEmailPayload, sendSessionEmail } from './send-session-email.job.ts';
import type { Caller, SessionDeps } from './session-lifecycle.ts';

type Empty = Record<string, never>;
type EmailRequester = Pick<Caller, 'client' | 'findDevice'> & {
  /** Language of the page and the email. */
  readonly language: Language;
};

/**
 * Emails a sign-in link. Using it creates an account if the address has none.
 * @returns Failure no-email, invalid-email, too-many-requests
 */
export async function sendSignInLink(
  deps: SessionDeps,
  input: { readonly email: string; readonly returnTo?: string | undefined },
  requester: EmailRequester,
): Promise<Empty | Failure> {
  const email = parseEmail(input.email);
  if (email instanceof Failure) return email;
  return enqueueEmail(deps, { email, requester }, { kind: 'sign-in', email, returnTo: input.returnTo });
}

/**
 * Emails a link to choose a new password if the address has an account. The response is the same for any address.
 * @returns Failure no-email, invalid-email, too-many-requests
 */
export async function sendPasswordReset(
  deps: SessionDeps,
  address: string,
  requester: EmailRequester,
): Promise<Empty | Failure> {
  const email = parseEmail(address);
  if (email instanceof Failure) return email;
  return enqueueEmail(deps, { email, requester }, { kind: 'reset', email });
}

/**
 * Emails a link that verifies the user's address.
 * @returns Failure token-invalid, too-many-requests
 */
export async function sendVerification(
  deps: SessionDeps,
  { userId }: SignedInUser,
  returnTo: string | undefined,
  requester: EmailRequester,
): Promise<Empty | Failure> {
  const user = await findUserRow(deps.db.kysely, userId);
  if (!user) return new Failure('token-invalid');
  return enqueueEmail(deps, { email: user.email, requester }, { kind: 'verify', userId, returnTo });
}

/**
 * Emails a code that the user enters to confirm their identity.
 * @returns Failure token-invalid, email-unverified, too-many-requests
 */
export async function sendConfirmationCode(
  deps: SessionDeps,
  { userId, sessionId }: SignedInUser,
  { client, language }: Omit<EmailRequester, 'findDevice'>,
): Promise<Empty | Failure> {
  const user = await findUserRow(deps.db.kysely, userId);
  if (!user) return new Failure('token-invalid');
  // An unverified address may belong to a stranger: don't email it, because a code sent there proves nothing.
  if (!user.email_verified) return new Failure('email-unverified');
  const requester = { client, language, findDevice: async () => `user ${userId}` };
  return enqueueEmail(deps, { email: user.email, requester }, { kind: 'confirmation', userId, sessionId });
}

async function enqueueEmail(
  deps: SessionDeps,
  { email, requester }: { readonly email: string; readonly requester: EmailRequester },
  payload: SessionEmailPayload,
): Promise<Empty | Failure> {
  const rateLimitKeys = { email, client: requester.client, device: await requester.findDevice(email) };
  const slot = await reserveEmailSlot(deps, payload.kind, rateLimitKeys);
  if (slot instanceof Failure) return slot;
  const { db, jobs } = deps;
  const job = { ...payload, language: requester.language };
  if (!slot.isQueued) await inTransaction(db, (tx) => jobs.enqueue(tx, sendSessionEmail, job, slot.sendAt));
  return {};
}
