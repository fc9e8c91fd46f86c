import { type Kysely, type SqlBool, sql, type Transaction } from 'kysely';
import type { UserId } from '#domain/ids.ts';
import type { ProofBy } from '#domain/permissions.ts';
import type { Tables } from '#server/db/tables.ts';
import type { StoredPasskey } from '#server/gateways/identity/identity.ts';

export type OwnPasskey = StoredPasskey & {
  readonly name: string;
  readonly createdAt: Date;
  readonly usedAt: Date | null;
};

export type OwnSecondFactors = {
  readonly passkeys: readonly OwnPasskey[];
  readonly authenticatorSince: Date | undefined;
  readonly recoveryCodesLeft: number;
  /** When an admin's removal takes effect. */
  readonly endsAt: Date | null;
};

const PASSKEY = [
  'id',
  'public_key as publicKey',
  'counter',
  'transports',
  'name',
  'created_at as createdAt',
  'used_at as usedAt',
] as const;

export async function secondFactorsOf(db: Kysely<Tables>, userId: UserId): Promise<OwnSecondFactors> {
  const user = await db
    .selectFrom('users')
    .leftJoin('authenticators', 'authenticators.user_id', 'users.id')
    .leftJoin('recovery_codes', 'recovery_codes.user_id', 'users.id')
    .select(['authenticators.created_at as since', 'users.second_factor_ends_at as endsAt'])
    .select(sql<number>`coalesce(jsonb_array_length(recovery_codes.hashes), 0)`.as('left'))
    .where('users.id', '=', userId)
    .executeTakeFirst();
  return {
    passkeys: await passkeysOf(db, userId),
    authenticatorSince: user?.since ?? undefined,
    recoveryCodesLeft: user?.left ?? 0,
    endsAt: user?.endsAt ?? null,
  };
}

export function passkeysOf(db: Kysely<Tables>, userId: UserId): Promise<OwnPasskey[]> {
  return db
    .selectFrom('passkeys')
    .select(PASSKEY)
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

export function passkeyById(
  db: Kysely<Tables>,
  id: string,
): Promise<(OwnPasskey & { readonly userId: UserId }) | undefined> {
  return db
    .selectFrom('passkeys')
    .select([...PASSKEY, 'user_id as userId'])
    .where('id', '=', id)
    .executeTakeFirst();
}

/** @returns whether it is new */
export async function insertPasskey(
  tx: Transaction<Tables>,
  userId: UserId,
  { id, publicKey, counter, transports }: StoredPasskey,
  name: string,
  now: Date,
): Promise<boolean> {
  const inserted = await tx
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
  return inserted !== undefined;
}

/** @returns whether the counter was what the answer was checked against: of two uses of one answer, one is refused */
export async function notePasskeyUse(
  tx: Transaction<Tables>,
  { id, counter }: StoredPasskey,
  newCounter: number,
  now: Date,
): Promise<boolean> {
  const used = await tx
    .updateTable('passkeys')
    .set({ counter: newCounter, used_at: now })
    .where('id', '=', id)
    .where('counter', '=', counter)
    .returning('id')
    .executeTakeFirst();
  return used !== undefined;
}

export async function deletePasskey(tx: Transaction<Tables>, userId: UserId, id: string): Promise<boolean> {
  const deleted = await tx
    .deleteFrom('passkeys')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst();
  return deleted !== undefined;
}

export async function authenticatorKey(db: Kysely<Tables>, userId: UserId): Promise<string | undefined> {
  const row = await db.selectFrom('authenticators').select('key').where('user_id', '=', userId).executeTakeFirst();
  return row?.key;
}

/** @returns whether there was none yet */
export async function insertAuthenticator(
  tx: Transaction<Tables>,
  authenticator: { readonly userId: UserId; readonly key: string; readonly step: number },
  now: Date,
): Promise<boolean> {
  const { userId, key, step } = authenticator;
  const inserted = await tx
    .insertInto('authenticators')
    .values({ user_id: userId, key, last_step: step, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning('user_id')
    .executeTakeFirst();
  return inserted !== undefined;
}

/** Uses up the code of a step and all before it. @returns whether it was not used yet */
export async function takeStep(tx: Transaction<Tables>, userId: UserId, step: number): Promise<boolean> {
  const used = await tx
    .updateTable('authenticators')
    .set({ last_step: step })
    .where('user_id', '=', userId)
    .where('last_step', '<', step)
    .returning('user_id')
    .executeTakeFirst();
  return used !== undefined;
}

export async function deleteAuthenticator(tx: Transaction<Tables>, userId: UserId): Promise<boolean> {
  const deleted = await tx
    .deleteFrom('authenticators')
    .where('user_id', '=', userId)
    .returning('user_id')
    .executeTakeFirst();
  return deleted !== undefined;
}

/** In place of the former ones. */
export async function replaceRecoveryCodes(
  tx: Transaction<Tables>,
  userId: UserId,
  hashes: readonly string[],
  now: Date,
): Promise<void> {
  const made = { hashes: JSON.stringify(hashes), created_at: now };
  await tx
    .insertInto('recovery_codes')
    .values({ user_id: userId, ...made })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(made))
    .execute();
}

/** Uses up a code. @returns how many are left; undefined if there is no such code, or no longer */
export async function takeRecoveryCode(
  tx: Transaction<Tables>,
  userId: UserId,
  hash: string,
): Promise<number | undefined> {
  const { rows } = await sql<{ left: number }>`
    update recovery_codes set hashes = hashes - ${hash}::text
    where user_id = ${userId} and hashes ? ${hash}::text
    returning jsonb_array_length(hashes) as left`.execute(tx);
  return rows[0]?.left;
}

export async function hasSecondFactor(db: Kysely<Tables>, userId: UserId): Promise<boolean> {
  const { rows } = await sql<{ has: boolean }>`
    select exists (select from passkeys where user_id = ${userId})
      or exists (select from authenticators where user_id = ${userId}) as has`.execute(db);
  return rows[0]?.has === true;
}

/** Also the codes for a lost device. */
export async function deleteSecondFactors(tx: Transaction<Tables>, userId: UserId): Promise<void> {
  await tx.deleteFrom('passkeys').where('user_id', '=', userId).execute();
  await tx.deleteFrom('authenticators').where('user_id', '=', userId).execute();
  await tx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
  await setRemoval(tx, userId, null);
}

/** @returns whether that changed anything */
export async function setRemoval(tx: Transaction<Tables>, userId: UserId, endsAt: Date | null): Promise<boolean> {
  const changed = await tx
    .updateTable('users')
    .set({ second_factor_ends_at: endsAt })
    .where('id', '=', userId)
    .where(sql<SqlBool>`second_factor_ends_at is distinct from ${endsAt}`)
    .returning('id')
    .executeTakeFirst();
  return changed !== undefined;
}

/** Whether a second factor was shown in the person's sessions. @param only the one session; by default all */
export async function markSessions(
  tx: Transaction<Tables>,
  userId: UserId,
  secondFactorAt: Date | null,
  only?: string,
): Promise<void> {
  const all = tx.updateTable('sessions').set({ second_factor_at: secondFactorAt }).where('user_id', '=', userId);
  await (only === undefined ? all : all.where('id', '=', only)).execute();
}

export type SessionProof = {
  readonly hasShown: boolean;
  readonly provenAt: Date;
  readonly provenBy: ProofBy;
};

/** What was shown in a session. Undefined once it has ended. */
export async function proofIn(
  db: Kysely<Tables>,
  { userId, sessionId }: { readonly userId: UserId; readonly sessionId: string },
): Promise<SessionProof | undefined> {
  const session = await db
    .selectFrom('sessions')
    .select(['second_factor_at', 'proven_at as provenAt', 'proven_by as provenBy'])
    .where('id', '=', sessionId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return session && { ...session, hasShown: session.second_factor_at !== null };
}

/** Until the transaction ends, nobody else changes the second step. */
export async function lockUser(tx: Transaction<Tables>, userId: UserId): Promise<void> {
  await tx.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().executeTakeFirst();
}
