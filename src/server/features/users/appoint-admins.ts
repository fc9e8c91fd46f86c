import { Failure } from '#domain/failures.ts';
import { emailFailure } from '#domain/profile.ts';
import type { Database } from '#server/db/connection.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { AppDeps } from '#server/deps.ts';
import { newId } from '#server/ids.ts';
import { type Admin, admins, keepAdmin, makeAdmins, userOfAddress } from './admins.store.ts';
import { setAdmin } from './set-admin.ts';

/** Whoever was made an admin by address, and whether it is proven: before that an admin has no power. */
export type Appointed = { readonly email: string; readonly verified: boolean };

/**
 * Makes the person of an address an admin. An address that nobody has may be named too (decisions §4: the first admin).
 * @returns Failure no-email, invalid-email
 */
export async function appointAdmin(db: Database, typed: string): Promise<Appointed | Failure> {
  const email = addressOf(typed);
  if (email instanceof Failure) return email;
  return inTransaction(db, async (tx) => {
    await keepAdmin(tx, newId(), email);
    const user = await userOfAddress(tx, email);
    return { email, verified: user?.verified ?? false };
  });
}

/**
 * Takes the admin's power from the person of an address, and ends that person's sessions.
 * @returns Failure no-email, invalid-email, user-not-found, last-admin
 */
export async function dismissAdmin(db: Database, typed: string): Promise<Appointed | Failure> {
  const email = addressOf(typed);
  if (email instanceof Failure) return email;
  const user = await userOfAddress(db.kysely, email);
  if (!user) return new Failure('user-not-found');
  const changed = await setAdmin(db, user.id, false);
  return changed instanceof Failure ? changed : { email, verified: user.verified };
}

/** Everybody who is an admin, or will be one once the address is proven. */
export function listAdmins(db: Database): Promise<readonly Admin[]> {
  return admins(db.kysely);
}

/** At the start: whom the configuration names is an admin, if the address is proven. The others become one by the proof. */
export function appointConfiguredAdmins({ db, adminEmails }: Pick<AppDeps, 'db' | 'adminEmails'>): Promise<void> {
  return makeAdmins(db.kysely, adminEmails);
}

function addressOf(typed: string): string | Failure {
  return emailFailure(typed) ?? typed.trim().toLowerCase();
}
