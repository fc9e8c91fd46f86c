import type { Transaction } from 'kysely';
import { Failure } from '#domain/failures.ts';
import type { Tables } from '#server/db/tables.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { limitAttempts } from '#server/features/rate-limits/limit-attempts.ts';
import { newId } from '#server/ids.ts';
import { redeemCode } from './mailed-codes.store.ts';
import { type OpenedSession, replaceSession } from './open-session.ts';
import { addPerson, lockedPerson, type Person } from './people.store.ts';
import { proveAddress } from './prove-address.ts';
import { hashOfSecret } from './secrets.ts';
import type { Caller, SessionDeps } from './session-deps.ts';
import { typedEmail } from './typed-email.ts';

/**
 * Opens a session with the code of a mailed link, once, for the address that it was mailed to; an account is made where
 * there is none. That the code came back proves the address.
 * @returns Failure no-email, invalid-email, link-invalid, too-many-requests
 */
export async function signInByLink(
  deps: SessionDeps,
  sent: { readonly email: string; readonly code: string },
  { client, formerSession }: Caller,
): Promise<OpenedSession | Failure> {
  const email = typedEmail(sent.email);
  if (email instanceof Failure) return email;
  const refused = await limitAttempts(deps, 'code', { client });
  if (refused) return refused;
  const { db, adminEmails, now } = deps;
  return inTransaction(db, async (tx) => {
    const code = await redeemCode(tx, { purpose: 'sign-in', hash: hashOfSecret(sent.code), email }, now());
    if (!code) return new Failure('link-invalid');
    const person = await personOf(tx, email);
    await proveAddress(tx, { person, adminEmails });
    return replaceSession(tx, person.id, formerSession, now());
  });
}

/** The person of an address, locked; made where there is none. */
export async function personOf(tx: Transaction<Tables>, email: string): Promise<Person> {
  await addPerson(tx, { id: newId(), email, name: '' });
  const person = await lockedPerson(tx, { email });
  if (!person) throw new Error('The account that was just made is gone.');
  return person;
}
