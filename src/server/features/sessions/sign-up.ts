import { Failure } from '#domain/failures.ts';
import { lengthOf, NAME_MAXIMUM } from '#domain/profile.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { limitAttempts } from '#server/features/rate-limits/limit-attempts.ts';
import { newId } from '#server/ids.ts';
import type { JobData } from '#server/jobs/jobs.ts';
import { newPasswordFailure } from './new-password.ts';
import { addPerson, setPassword } from './people.store.ts';
import type { SessionDeps } from './session-deps.ts';
import { keepSignUp, type SignUp, takeSignUp } from './sign-ups.store.ts';
import { typedEmail } from './typed-email.ts';

const KEPT_MS = 24 * 60 * 60_000;

export type SentSignUp = {
  readonly email: string;
  readonly password: string;
  readonly name: string;
  readonly returnTo?: string | undefined;
};

/**
 * Takes a sign-up. Whether the address has an account is looked up afterwards, in a job, so that nobody can tell it
 * from the answer, nor from the time that it takes (decisions §4).
 * @returns Failure no-email, invalid-email, name-too-long, password-too-short, -too-long, -too-common or
 * -is-address, too-many-requests
 */
export async function signUp(
  deps: SessionDeps,
  sent: SentSignUp,
  client: string,
): Promise<Record<string, never> | Failure> {
  const { db, identity, jobs, now } = deps;
  const email = typedEmail(sent.email);
  if (email instanceof Failure) return email;
  const refused =
    nameFailure(sent.name) ??
    newPasswordFailure(sent.password, email) ??
    (await limitAttempts(deps, 'mail', { email, client }));
  if (refused) return refused;
  const hash = await identity.hashPassword(sent.password);
  const signUpId = newId();
  const kept: SignUp = { email, hash, name: sent.name.trim(), returnTo: sent.returnTo };
  await inTransaction(db, async (tx) => {
    await keepSignUp(tx, signUpId, kept, new Date(now().getTime() + KEPT_MS));
    await jobs.enqueue(tx, 'sign-up', { signUpId });
  });
  return {};
}

/** A name may be left out. */
function nameFailure(name: string): Failure | undefined {
  return lengthOf(name) > NAME_MAXIMUM ? new Failure('name-too-long', { most: NAME_MAXIMUM }) : undefined;
}

/**
 * Makes the account that somebody signed up for, with an address to be proven. An account that is there already stays
 * as it is: its owner is told.
 */
export async function finishSignUp(
  { db, jobs }: Pick<SessionDeps, 'db' | 'jobs'>,
  { signUpId }: JobData['sign-up'],
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const kept = await takeSignUp(tx, signUpId);
    if (!kept) return;
    const { email, name, hash, returnTo } = kept;
    const userId = newId();
    if (await addPerson(tx, { id: userId, email, name })) {
      await setPassword(tx, newId(), userId, hash);
      await jobs.enqueue(tx, 'mail-session', { kind: 'verify', userId, returnTo });
    } else {
      await jobs.enqueue(tx, 'mail-session', { kind: 'known-address', email, returnTo });
    }
  });
}
