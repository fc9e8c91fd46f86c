import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import type { Tables } from '#server/db/tables.ts';

/** A login that has passed its first step, or that is waiting for a passkey. */
export type PendingLogin = Pick<
  Selectable<Tables['pending_logins']>,
  'hash' | 'user_id' | 'authentication_method' | 'challenge'
>;

const PENDING_LOGIN_COLUMNS = ['hash', 'user_id', 'authentication_method', 'challenge'] as const;

export async function insertPendingLogin(
  db: Kysely<Tables>,
  pendingLogin: PendingLogin & { readonly expires_at: Date },
  now: Date,
): Promise<void> {
  await db
    .insertInto('pending_logins')
    .values({ ...pendingLogin, created_at: now })
    .execute();
}

export function findPendingLoginByHash(db: Kysely<Tables>, hash: string, now: Date): Promise<PendingLogin | undefined> {
  return db
    .selectFrom('pending_logins')
    .select(PENDING_LOGIN_COLUMNS)
    .where('hash', '=', hash)
    .where('expires_at', '>', now)
    .executeTakeFirst();
}

export async function setChallenge(db: Kysely<Tables>, hash: string, challenge: string): Promise<void> {
  await db.updateTable('pending_logins').set({ challenge }).where('hash', '=', hash).execute();
}

/** Ends a pending login. @returns whether it was still open; only one of several concurrent calls succeeds */
export async function endPendingLogin(tx: Transaction<Tables>, hash: string, now: Date): Promise<boolean> {
  const pendingLogin = await tx
    .updateTable('pending_logins')
    .set({ expires_at: sql`created_at` })
    .where('hash', '=', hash)
    .where('expires_at', '>', now)
    .returning('hash')
    .executeTakeFirst();
  return pendingLogin !== undefined;
}

export async function deleteExpiredPendingLogins(db: Kysely<Tables>, now: Date): Promise<void> {
  await db.deleteFrom('pending_logins').where('expires_at', '<=', now).execute();
}
