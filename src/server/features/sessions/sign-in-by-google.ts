import type { Transaction } from 'kysely';
import { Failure } from '#domain/failures.ts';
import { NAME_MAXIMUM } from '#domain/profile.ts';
import type { Tables } from '#server/db/tables.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { GooglePerson } from '#server/gateways/identity/identity.ts';
import { newId } from '#server/ids.ts';
import { type OpenedSession, replaceSession } from './open-session.ts';
import { linkGoogle, lockedPerson, nameNameless, ownerOfGoogle } from './people.store.ts';
import { proveAddress } from './prove-address.ts';
import type { SessionDeps } from './session-deps.ts';
import { personOf } from './sign-in-by-link.ts';
import { typedEmail } from './typed-email.ts';

/**
 * Opens a session for a person whom Google vouches for. Who came by Google before is known by Google's own name for
 * them; anybody else by the address, but only if Google says that it is theirs, which proves it.
 * @returns Failure no-email, invalid-email, email-unverified
 */
export async function signInByGoogle(
  { db, adminEmails, now }: Pick<SessionDeps, 'db' | 'adminEmails' | 'now'>,
  told: GooglePerson,
  formerSession: string | undefined,
): Promise<OpenedSession | Failure> {
  const email = typedEmail(told.email);
  if (email instanceof Failure) return email;
  return inTransaction(db, async (tx) => {
    const known = await knownPerson(tx, told.subject);
    if (known && !(told.emailVerified && known.email === email))
      return replaceSession(tx, known.id, formerSession, now());
    if (!told.emailVerified) return new Failure('email-unverified');
    const person = known ?? (await personOf(tx, email));
    await proveAddress(tx, { person, adminEmails });
    await linkGoogle(tx, newId(), person.id, told.subject);
    await nameNameless(tx, person.id, nameFrom(told));
    return replaceSession(tx, person.id, formerSession, now());
  });
}

/** What no person types does not get into the database. */
function nameFrom({ name }: GooglePerson): string {
  return name
    .replace(/\p{Cc}/gu, ' ')
    .trim()
    .slice(0, NAME_MAXIMUM);
}

/** The person who came by this account at Google before, locked. */
async function knownPerson(tx: Transaction<Tables>, subject: string) {
  const id = await ownerOfGoogle(tx, subject);
  const person = id === undefined ? undefined : await lockedPerson(tx, { id });
  // Somebody who proved the address meanwhile may have taken the way by Google away.
  return person && (await ownerOfGoogle(tx, subject)) === person.id ? person : undefined;
}
