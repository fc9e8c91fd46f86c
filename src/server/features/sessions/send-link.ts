import { Failure } from '#domain/failures.ts';
import type { Bearer } from '#domain/permissions.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { type Attempt, limitAttempts } from '#server/features/rate-limits/limit-attempts.ts';
import type { JobData } from '#server/jobs/jobs.ts';
import { personById } from './people.store.ts';
import type { SessionDeps } from './session-deps.ts';
import { typedEmail } from './typed-email.ts';

type Said = Record<string, never>;

/**
 * Asks for a mail with a link to sign in. With an address that has no account, using the link makes one.
 * @returns Failure no-email, invalid-email, too-many-requests
 */
export async function sendSignInLink(
  deps: SessionDeps,
  sent: { readonly email: string; readonly returnTo?: string | undefined },
  client: string,
): Promise<Said | Failure> {
  const email = typedEmail(sent.email);
  if (email instanceof Failure) return email;
  return mail(deps, { email, client }, { kind: 'sign-in', email, returnTo: sent.returnTo });
}

/**
 * Asks for a mail with a link to choose a new password, if the address has an account; the answer does not tell.
 * @returns Failure no-email, invalid-email, too-many-requests
 */
export async function sendPasswordReset(deps: SessionDeps, typed: string, client: string): Promise<Said | Failure> {
  const email = typedEmail(typed);
  if (email instanceof Failure) return email;
  return mail(deps, { email, client }, { kind: 'reset', email });
}

/**
 * Asks for a mail with a link that proves the address of somebody who is signed in.
 * @returns Failure too-many-requests
 */
export async function sendVerification(
  deps: SessionDeps,
  { userId }: Bearer,
  returnTo: string | undefined,
  client: string,
): Promise<Said | Failure> {
  const person = await personById(deps.db.kysely, userId);
  return mail(deps, { email: person?.email, client }, { kind: 'verify', userId, returnTo });
}

/** The same is written, whoever has the address. */
async function mail(deps: SessionDeps, attempt: Attempt, job: JobData['mail-session']): Promise<Said | Failure> {
  const refused = await limitAttempts(deps, 'mail', attempt);
  if (refused) return refused;
  const { db, jobs } = deps;
  await inTransaction(db, (tx) => jobs.enqueue(tx, 'mail-session', job));
  return {};
}
