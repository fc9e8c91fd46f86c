import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import type { Tables } from '#server/db/tables.ts';

/** A login that has passed its first step, or that has been asked for a passkey. */
export type HalfLogin = Pick<Selectable<Tables['half_logins']>, 'hash' | 'user_id' | 'proven_by' | 'challenge'>;

const HALF_LOGIN = ['hash', 'user_id', 'proven_by', 'challenge'] as const;

export async function insertHalfLogin(
  db: Kysely<Tables>,
  halfLogin: HalfLogin & { readonly expires_at: Date },
  now: Date,
): Promise<void> {
  await db
    .insertInto('half_logins')
    .values({ ...halfLogin, created_at: now })
    .execute();
}

export function halfLoginByHash(db: Kysely<Tables>, hash: string, now: Date): Promise<HalfLogin | undefined> {
  return db
    .selectFrom('half_logins')
    .select(HALF_LOGIN)
    .where('hash', '=', hash)
    .where('expires_at', '>', now)
    .executeTakeFirst();
}

export async function setChallenge(db: Kysely<Tables>, hash: string, challenge: string): Promise<void> {
  await db.updateTable('half_logins').set({ challenge }).where('hash', '=', hash).execute();
}

/** Ends a half login. @returns whether it was still open; only one of several concurrent calls succeeds */
export async function endHalfLogin(tx: Transaction<Tables>, hash: string, now: Date): Promise<boolean> {
  const halfLogin = await tx
    .updateTable('half_logins')
    .set({ expires_at: sql`created_at` })
    .where('hash', '=', hash)
    .where('expires_at', '>', now)
    .returning('hash')
    .executeTakeFirst();
  return halfLogin !== undefined;
}

export async function deleteExpiredHalfLogins(db: Kysely<Tables>, now: Date): Promise<void> {
  await db.deleteFrom('half_logins').where('expires_at', '<=', now).execute();
}
