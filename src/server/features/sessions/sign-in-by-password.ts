import { Failure } from '#domain/failures.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { limitAttempts } from '#server/features/rate-limits/limit-attempts.ts';
import { type OpenedSession, replaceSession } from './open-session.ts';
import { lockedPerson, passwordByEmail, passwordHashOf } from './people.store.ts';
import type { Caller, SessionDeps } from './session-deps.ts';
import { typedEmail } from './typed-email.ts';

/**
 * Opens a session with a password. An unknown address costs the same, and is told the same (decisions §4).
 * @returns Failure no-email, invalid-email, wrong-credentials, too-many-requests
 */
export async function signInByPassword(
  deps: SessionDeps,
  sent: { readonly email: string; readonly password: string },
  { client, formerSession }: Caller,
): Promise<OpenedSession | Failure> {
  const email = typedEmail(sent.email);
  if (email instanceof Failure) return email;
  const refused = await limitAttempts(deps, 'password', { email, client });
  if (refused) return refused;
  const { db, identity, now } = deps;
  const found = await passwordByEmail(db.kysely, email);
  const hash = found?.hash ?? undefined;
  const right = await identity.verifyPassword(sent.password, hash);
  if (!right || !found) return new Failure('wrong-credentials');
  return inTransaction(db, async (tx) => {
    // Who proved the address or changed the password meanwhile has ended every session: this one must not come after.
    const person = await lockedPerson(tx, { id: found.userId });
    const stillTheSame = person && (await passwordHashOf(tx, person.id)) === hash;
    return stillTheSame ? replaceSession(tx, person.id, formerSession, now()) : new Failure('wrong-credentials');
  });
}
