import { type Kysely, type SqlBool, sql, type Transaction } from 'kysely';
import type { UserId } from '#domain/ids.ts';
import type { AuthenticationMethod } from '#domain/permissions.ts';
import type { Tables } from '#server/db/tables.ts';
import type { StoredPasskey } from '#server/gateways/identity/identity.ts';

type NamedPasskey = StoredPasskey & {
  readonly name: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
};

type UserSecondFactors = {
  readonly passkeys: readonly NamedPasskey[];
  readonly authenticatorAddedAt: Date | undefined;
  readonly recoveryCodeCount: number;
  /** When an admin's removal of the second step takes effect. */
  readonly removalAt: Date | null;
};

const PASSKEY_COLUMNS = [
  'id',
  'public_key as publicKey',
  'counter',
  'transports',
  'name',
  'created_at as createdAt',
  'used_at as lastUsedAt',
] as const;

export async function findSecondFactors(db: Kysely<Tables>, userId: UserId): Promise<UserSecondFactors> {
  const user = await db
    .selectFrom('users')
    .leftJoin('authenticators', 'authenticators.user_id', 'users.id')
    .leftJoin('recovery_codes', 'recovery_codes.user_id', 'users.id')
    .select(['authenticators.created_at as authenticatorAddedAt', 'users.second_factor_removal_at as removalAt'])
    .select(sql<number>`coalesce(jsonb_array_length(recovery_codes.hashes), 0)`.as('recoveryCodeCount'))
    .where('users.id', '=', userId)
    .executeTakeFirst();
  return {
    passkeys: await listPasskeys(db, userId),
    authenticatorAddedAt: user?.authenticatorAddedAt ?? undefined,
    recoveryCodeCount: user?.recoveryCodeCount ?? 0,
    removalAt: user?.removalAt ?? null,
  };
}

export function listPasskeys(db: Kysely<Tables>, userId: UserId): Promise<NamedPasskey[]> {
  return db
    .selectFrom('passkeys')
    .select(PASSKEY_COLUMNS)
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

export function findPasskey(
  db: Kysely<Tables>,
  id: string,
): Promise<(NamedPasskey & { readonly userId: UserId }) | undefined> {
  return db
    .selectFrom('passkeys')
    .select([...PASSKEY_COLUMNS, 'user_id as userId'])
    .where('id', '=', id)
    .executeTakeFirst();
}

/** @returns whether the passkey is new */
export async function insertPasskey(
  tx: Transaction<Tables>,
  userId: UserId,
  { id, publicKey, counter, transports }: StoredPasskey,
  name: string,
  now: Date,
): Promise<boolean> {
  const newRow = await tx
    .insertInto('passkeys')
    .values({
      id,
      user_id: userId,
      public_key: publicKey,
      counter,
      name,
      created_at: now,
      transports: JSON.stringify(transports),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return newRow !== undefined;
}

/** Records a use. @returns false if the counter has changed since the check, because a response can't be used twice */
export async function recordPasskeyUse(
  tx: Transaction<Tables>,
  { id, counter }: StoredPasskey,
  newCounter: number,
  now: Date,
): Promise<boolean> {
  const row = await tx
    .updateTable('passkeys')
    .set({ counter: newCounter, used_at: now })
    .where('id', '=', id)
    .where('counter', '=', counter)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

export async function deletePasskey(tx: Transaction<Tables>, userId: UserId, id: string): Promise<boolean> {
  const row = await tx
    .deleteFrom('passkeys')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

export async function findAuthenticatorKey(db: Kysely<Tables>, userId: UserId): Promise<string | undefined> {
  const row = await db.selectFrom('authenticators').select('key').where('user_id', '=', userId).executeTakeFirst();
  return row?.key;
}

/** @returns whether the authenticator was added; a user has at most one */
export async function insertAuthenticator(
  tx: Transaction<Tables>,
  authenticator: { readonly userId: UserId; readonly key: string; readonly timeStep: number },
  now: Date,
): Promise<boolean> {
  const { userId, key, timeStep } = authenticator;
  const newRow = await tx
    .insertInto('authenticators')
    .values({ user_id: userId, key, last_step: timeStep, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning('user_id')
    .executeTakeFirst();
  return newRow !== undefined;
}

/** Uses up a time step's code and all earlier codes. @returns whether the code was still unused */
export async function consumeTimeStep(tx: Transaction<Tables>, userId: UserId, step: number): Promise<boolean> {
  const row = await tx
    .updateTable('authenticators')
    .set({ last_step: step })
    .where('user_id', '=', userId)
    .where('last_step', '<', step)
    .returning('user_id')
    .executeTakeFirst();
  return row !== undefined;
}

export async function deleteAuthenticator(tx: Transaction<Tables>, userId: UserId): Promise<void> {
  await tx.deleteFrom('authenticators').where('user_id', '=', userId).execute();
}

export async function replaceRecoveryCodes(
  tx: Transaction<Tables>,
  userId: UserId,
  hashes: readonly string[],
  now: Date,
): Promise<void> {
  const codes = { hashes: JSON.stringify(hashes), created_at: now };
  await tx
    .insertInto('recovery_codes')
    .values({ user_id: userId, ...codes })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(codes))
    .execute();
}

/** Uses up a code. @returns the number of codes left; undefined if the code is wrong or already used */
export async function consumeRecoveryCode(
  tx: Transaction<Tables>,
  userId: UserId,
  hash: string,
): Promise<number | undefined> {
  const { rows } = await sql<{ remaining: number }>`
    update recovery_codes set hashes = hashes - ${hash}::text
    where user_id = ${userId} and hashes ? ${hash}::text
    returning jsonb_array_length(hashes) as remaining`.execute(tx);
  return rows[0]?.remaining;
}

export async function hasSecondFactor(db: Kysely<Tables>, userId: UserId): Promise<boolean> {
  const { rows } = await sql<{ exists: boolean }>`
    select exists (select from passkeys where user_id = ${userId})
      or exists (select from authenticators where user_id = ${userId}) as exists`.execute(db);
  return rows[0]?.exists === true;
}

/** Deletes the user's second factors and recovery codes. */
export async function deleteSecondFactors(tx: Transaction<Tables>, userId: UserId): Promise<void> {
  await tx.deleteFrom('passkeys').where('user_id', '=', userId).execute();
  await tx.deleteFrom('authenticators').where('user_id', '=', userId).execute();
  await tx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
  await setRemovalTime(tx, userId, null);
}

/** Sets when an admin's removal of the second step takes effect. @param removalAt null cancels the removal */
export async function setRemovalTime(tx: Transaction<Tables>, userId: UserId, removalAt: Date | null): Promise<void> {
  await tx
    .updateTable('users')
    .set({ second_factor_removal_at: removalAt })
    .where('id', '=', userId)
    .where(sql<SqlBool>`second_factor_removal_at is distinct from ${removalAt}`)
    .execute();
}

/** Records when a second factor was used in one session or, without `sessionId`, in all sessions of the user. */
export async function setSecondFactorTime(
  tx: Transaction<Tables>,
  { userId, sessionId }: { readonly userId: UserId; readonly sessionId?: string },
  secondFactorAt: Date | null,
): Promise<void> {
  const sessions = tx.updateTable('sessions').set({ second_factor_at: secondFactorAt }).where('user_id', '=', userId);
  await (sessionId === undefined ? sessions : sessions.where('id', '=', sessionId)).execute();
}

type SessionAuthentication = {
  readonly hasSecondFactor: boolean;
  readonly authenticatedAt: Date;
  readonly authenticationMethod: AuthenticationMethod;
};

/** Returns how a session's user has confirmed their identity; undefined if the session has ended. */
export async function readSessionAuthentication(
  db: Kysely<Tables>,
  { userId, sessionId }: { readonly userId: UserId; readonly sessionId: string },
): Promise<SessionAuthentication | undefined> {
  const session = await db
    .selectFrom('sessions')
    .select([
      'second_factor_at',
      'authenticated_at as authenticatedAt',
      'authentication_method as authenticationMethod',
    ])
    .where('id', '=', sessionId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return session && { ...session, hasSecondFactor: session.second_factor_at !== null };
}

/** Locks the user's second step until the transaction ends. */
export async function lockUser(tx: Transaction<Tables>, userId: UserId): Promise<void> {
  await tx.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().executeTakeFirst();
}
