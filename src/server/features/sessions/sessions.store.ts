import type { Insertable, Kysely, Selectable, Transaction } from 'kysely';
import type { UserId } from '#domain/ids.ts';
import type { AuthenticationMethod } from '#domain/permissions.ts';
import type { Tables } from '#server/db/tables.ts';

export type SessionRow = Pick<Selectable<Tables['sessions']>, 'id' | 'expires_at' | 'max_expires_at' | 'used_at'>;

/** @param session `token` is the hash of the secret in the cookie */
export async function insertSession(
  tx: Transaction<Tables>,
  session: Omit<Insertable<Tables['sessions']>, 'created_at' | 'updated_at' | 'used_at' | 'authenticated_at'>,
  now: Date,
): Promise<void> {
  await tx
    .insertInto('sessions')
    .values({ ...session, created_at: now, updated_at: now, used_at: now, authenticated_at: now })
    .execute();
}

export function findSessionByHash(db: Kysely<Tables>, hash: string, now: Date): Promise<SessionRow | undefined> {
  return db
    .selectFrom('sessions')
    .select(['id', 'expires_at', 'max_expires_at', 'used_at'])
    .where('token', '=', hash)
    .where('expires_at', '>', now)
    .where('max_expires_at', '>', now)
    .executeTakeFirst();
}

type Confirmation = {
  readonly id: string;
  readonly authenticationMethod: AuthenticationMethod;
  /** Hash of the session's new secret. */
  readonly hash: string;
  readonly hasSecondFactor: boolean;
};

/**
 * Records that the user has confirmed their identity, and replaces the session's secret.
 * @returns whether the session is still open
 */
export async function confirmSession(
  tx: Transaction<Tables>,
  { id, authenticationMethod, hash, hasSecondFactor }: Confirmation,
  now: Date,
): Promise<boolean> {
  const row = await tx
    .updateTable('sessions')
    .set({
      authenticated_at: now,
      authentication_method: authenticationMethod,
      token: hash,
      used_at: now,
      updated_at: now,
    })
    .$if(hasSecondFactor, (session) => session.set({ second_factor_at: now }))
    .where('id', '=', id)
    .where('expires_at', '>', now)
    .where('max_expires_at', '>', now)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

export function findSession(db: Kysely<Tables>, id: string): Promise<Selectable<Tables['sessions']> | undefined> {
  return db.selectFrom('sessions').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Finds the address of the session's user, if verified. */
export async function findVerifiedEmail(db: Kysely<Tables>, sessionId: string): Promise<string | undefined> {
  const user = await db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select('users.email')
    .where('sessions.id', '=', sessionId)
    .where('users.email_verified', '=', true)
    .executeTakeFirst();
  return user?.email;
}

export async function recordSessionUse(db: Kysely<Tables>, id: string, now: Date): Promise<void> {
  await db.updateTable('sessions').set({ used_at: now }).where('id', '=', id).execute();
}

/** Extends a session that hasn't ended. */
export async function extendSession(db: Kysely<Tables>, id: string, expiresAt: Date, now: Date): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ expires_at: expiresAt, updated_at: now })
    .where('id', '=', id)
    .where('expires_at', '>', now)
    .execute();
}

/** @returns the id of the session's user */
export async function deleteSessionByHash(db: Kysely<Tables>, hash: string): Promise<string | undefined> {
  const row = await db.deleteFrom('sessions').where('token', '=', hash).returning('user_id').executeTakeFirst();
  return row?.user_id;
}

export async function deleteSession(db: Kysely<Tables>, id: string): Promise<void> {
  await db.deleteFrom('sessions').where('id', '=', id).execute();
}

/** Lists a user's open sessions, most recently used first. */
export function listSessions(db: Kysely<Tables>, userId: UserId, now: Date) {
  return db
    .selectFrom('sessions')
    .select(['id', 'name', 'ip_address', 'created_at', 'used_at'])
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .where('max_expires_at', '>', now)
    .orderBy('used_at', 'desc')
    .orderBy('id')
    .execute();
}

type UserSession = { readonly id: string; readonly userId: UserId };

/** @returns whether the user has this session */
export async function setSessionName(
  db: Kysely<Tables>,
  { id, userId, name }: UserSession & { readonly name: string },
): Promise<boolean> {
  const row = await db
    .updateTable('sessions')
    .set({ name })
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** @returns whether the user had this session */
export async function deleteUserSession(db: Kysely<Tables>, { id, userId }: UserSession): Promise<boolean> {
  const row = await db
    .deleteFrom('sessions')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

export async function deleteExpiredSessions(db: Kysely<Tables>, now: Date): Promise<void> {
  await db
    .deleteFrom('sessions')
    .where((row) => row.or([row('expires_at', '<=', now), row('max_expires_at', '<=', now)]))
    .execute();
}
