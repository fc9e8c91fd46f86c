import type { Kysely, Selectable, Transaction } from 'kysely';
import type { SessionsTable, Tables } from '#server/db/tables.ts';

export type SessionRow = Pick<Selectable<SessionsTable>, 'id' | 'user_id' | 'expires_at'>;

/** @param session `hash` is of the secret in the cookie */
export async function insertSession(
  tx: Transaction<Tables>,
  session: { readonly id: string; readonly userId: string; readonly hash: string; readonly expiresAt: Date },
  now: Date,
): Promise<void> {
  await tx
    .insertInto('sessions')
    .values({
      id: session.id,
      user_id: session.userId,
      token: session.hash,
      expires_at: session.expiresAt,
      created_at: now,
      updated_at: now,
    })
    .execute();
}

export function sessionByHash(db: Kysely<Tables>, hash: string, now: Date): Promise<SessionRow | undefined> {
  return db
    .selectFrom('sessions')
    .select(['id', 'user_id', 'expires_at'])
    .where('token', '=', hash)
    .where('expires_at', '>', now)
    .executeTakeFirst();
}

/** The address of the session's user, if proven. */
export async function verifiedEmailOf(db: Kysely<Tables>, sessionId: string): Promise<string | undefined> {
  const user = await db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select('users.email')
    .where('sessions.id', '=', sessionId)
    .where('users.email_verified', '=', true)
    .executeTakeFirst();
  return user?.email;
}

/** Does nothing once the session has ended. */
export async function extendSession(db: Kysely<Tables>, id: string, expiresAt: Date, now: Date): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ expires_at: expiresAt, updated_at: now })
    .where('id', '=', id)
    .where('expires_at', '>', now)
    .execute();
}

export async function deleteSessionByHash(db: Kysely<Tables>, hash: string): Promise<void> {
  await db.deleteFrom('sessions').where('token', '=', hash).execute();
}

export async function deleteSession(db: Kysely<Tables>, id: string): Promise<void> {
  await db.deleteFrom('sessions').where('id', '=', id).execute();
}

export async function deleteExpiredSessions(db: Kysely<Tables>, now: Date): Promise<void> {
  await db.deleteFrom('sessions').where('expires_at', '<=', now).execute();
}
