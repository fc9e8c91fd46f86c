import type { Transaction } from 'kysely';
import type { Tables } from '#server/db/tables.ts';
import { claimWhatWaits } from '#server/features/users/claim-what-waits.ts';
import { endSessions } from '#server/users/end-sessions.ts';
import { deleteAccounts, markVerified, type Person } from './people.store.ts';

export type Proof = {
  /** The person, locked. */
  readonly person: Person;
  /** The session in which the proof was given, where that was one of this very account. */
  readonly ownSession?: string | undefined;
  /** The addresses of admins that the configuration names. */
  readonly adminEmails: readonly string[];
};

/**
 * Somebody has shown that the address is theirs. If that was open until now, another may have signed up with it: all
 * that was put into the account before dies (password, linked accounts, sessions, name), unless the proof was given in
 * a session of the account itself, which then alone lives on. Then what waited for the proof is handed over.
 */
export async function proveAddress(tx: Transaction<Tables>, { person, ownSession, adminEmails }: Proof): Promise<void> {
  const { id: userId, email } = person;
  if (!person.email_verified) {
    const own = ownSession !== undefined;
    await deleteAccounts(tx, userId, own);
    await endSessions(tx, userId, { except: ownSession });
    await markVerified(tx, userId, own ? undefined : '');
  }
  await claimWhatWaits(tx, { userId, email }, adminEmails);
}
