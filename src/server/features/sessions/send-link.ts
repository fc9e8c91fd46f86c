import { Failure } from '#domain/failures.ts';
import type { Bearer } from '#domain/permissions.ts';
import { parsedEmail } from '#domain/profile.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { checkRateLimit, type RateLimited } from '#server/features/rate-limits/check-rate-limit.ts';
import type { JobData } from '#server/jobs/jobs.ts';
import { userById } from '#server/users/find-user.ts';
import type { SessionDeps } from './session-lifecycle.ts';

type Empty = Record<string, never>;

/**
 * Mails a sign-in link. Using it creates an account if the address has none.
 * @returns Failure no-email, invalid-email, too-many-requests
 */
export async function sendSignInLink(
  deps: SessionDeps,
  sent: { readonly email: string; readonly returnTo?: string | undefined },
  client: string,
): Promise<Empty | Failure> {
  const email = parsedEmail(sent.email);
  if (email instanceof Failure) return email;
  return enqueueMail(deps, { email, client }, { kind: 'sign-in', email, returnTo: sent.returnTo });
}

/**
 * Mails a link to choose a new password, if the address has an account; the answer does not say.
 * @returns Failure no-email, invalid-email, too-many-requests
 */
export async function sendPasswordReset(deps: SessionDeps, typed: string, client: string): Promise<Empty | Failure> {
  const email = parsedEmail(typed);
  if (email instanceof Failure) return email;
  return enqueueMail(deps, { email, client }, { kind: 'reset', email });
}

/**
 * Mails a link that verifies the address of the bearer.
 * @returns Failure too-many-requests
 */
export async function sendVerification(
  deps: SessionDeps,
  { userId }: Bearer,
  returnTo: string | undefined,
  client: string,
): Promise<Empty | Failure> {
  const user = await userById(deps.db.kysely, userId);
  return enqueueMail(deps, { email: user?.email, client }, { kind: 'verify', userId, returnTo });
}

async function enqueueMail(
  deps: SessionDeps,
  limited: RateLimited,
  job: JobData['mail-session'],
): Promise<Empty | Failure> {
  const refused = await checkRateLimit(deps, 'mail', limited);
  if (refused) return refused;
  const { db, jobs } = deps;
  await inTransaction(db, (tx) => jobs.enqueue(tx, 'mail-session', job));
  return {};
}
