import { type Kysely, sql, type Transaction } from 'kysely';
import { DEFAULT_LANGUAGE, toStoredLanguage } from '#contract/languages.ts';
import type { UserId } from '#domain/ids.ts';
import type { Language } from '#messages';
import type { Tables } from '#server/db/tables.ts';
import type { UserRow } from '#server/entities/find-user.ts';

/** Providers of the `accounts` table. The account id of a password is the user's id. */
const PASSWORD_PROVIDER = 'credential';
const GOOGLE_PROVIDER = 'google';

/** @param email in lower case */
export function findUserByEmail(db: Kysely<Tables>, email: string): Promise<UserRow | undefined> {
  return db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst();
}

/** Locks the user's email address and sign-in methods until the transaction ends. */
export function lockUser(
  tx: Transaction<Tables>,
  key: { readonly id: string } | { readonly email: string },
): Promise<UserRow | undefined> {
  const users = tx.selectFrom('users').selectAll();
  const user = 'id' in key ? users.where('id', '=', key.id) : users.where('email', '=', key.email);
  return user.forNoKeyUpdate().executeTakeFirst();
}

type NewUser = {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly language?: Language | undefined;
};

/** Adds a user with an unverified address, unless the address already has a user. @returns whether it was added */
export async function insertUser(
  tx: Transaction<Tables>,
  { id, email, name, language = DEFAULT_LANGUAGE }: NewUser,
): Promise<boolean> {
  const newUser = await tx
    .insertInto('users')
    .values({ id, email, display_name: name, language: toStoredLanguage(language) })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returning('id')
    .executeTakeFirst();
  return newUser !== undefined;
}

/** @param name the new name; `undefined` keeps the current name */
export async function markVerified(tx: Transaction<Tables>, id: string, name: string | undefined): Promise<void> {
  await tx
    .updateTable('users')
    .set({ email_verified: true, updated_at: sql`now()` })
    .$if(name !== undefined, (user) => user.set({ display_name: name }))
    .where('id', '=', id)
    .execute();
}

/** Sets the user's address. The caller must hold the lock on the user. */
export async function saveEmail(tx: Transaction<Tables>, id: string, email: string): Promise<void> {
  await tx.updateTable('users').set({ email, updated_at: sql`now()` }).where('id', '=', id).execute();
}

export async function saveName(tx: Transaction<Tables>, id: string, name: string): Promise<void> {
  await tx.updateTable('users').set({ display_name: name, updated_at: sql`now()` }).where('id', '=', id).execute();
}

/** Sets the language of the user's future emails. */
export async function saveLanguage(tx: Transaction<Tables>, id: string, language: Language): Promise<void> {
  await tx
    .updateTable('users')
    .set({ language: toStoredLanguage(language) })
    .where('id', '=', id)
    .where('language', 'is distinct from', toStoredLanguage(language))
    .execute();
}

export async function nameUnnamedUser(tx: Transaction<Tables>, id: string, name: string): Promise<void> {
  await tx
    .updateTable('users')
    .set({ display_name: name, updated_at: sql`now()` })
    .where('id', '=', id)
    .where('display_name', '=', '')
    .execute();
}

export async function findPasswordHash(db: Kysely<Tables>, userId: UserId): Promise<string | undefined> {
  const account = await db
    .selectFrom('accounts')
    .select('password')
    .where('user_id', '=', userId)
    .where('provider_id', '=', PASSWORD_PROVIDER)
    .executeTakeFirst();
  return account?.password ?? undefined;
}

/**
 * Finds the user of an address, with the password hash if there is one. For an unknown address, the query reads another
 * user's row and ignores it, so that its duration doesn't reveal whether there is an account (decisions §4).
 */
export async function findPasswordByEmail(
  db: Kysely<Tables>,
  email: string,
): Promise<{ readonly userId: UserId; readonly hash: string | null } | undefined> {
  const { rows } = await sql<{ userId: UserId; email: string; hash: string | null }>`
    select near.id as "userId", near.email, accounts.password as hash
    from (
      (select id, email from users where email >= ${email} order by email limit 1)
      union all (select id, email from users order by email limit 1)
      limit 1
    ) near
    left join accounts on accounts.user_id = near.id and accounts.provider_id = ${PASSWORD_PROVIDER}`.execute(db);
  const [nearest] = rows;
  return nearest?.email === email ? { userId: nearest.userId, hash: nearest.hash } : undefined;
}

export async function setPassword(tx: Transaction<Tables>, id: string, userId: UserId, hash: string): Promise<void> {
  await tx
    .insertInto('accounts')
    .values({ id, user_id: userId, provider_id: PASSWORD_PROVIDER, account_id: userId, password: hash })
    .onConflict((conflict) =>
      conflict.columns(['provider_id', 'account_id']).doUpdateSet({ password: hash, updated_at: sql`now()` }),
    )
    .execute();
}

/** Invalidates the cookies that mark the user's browsers as known. */
export async function forgetBrowsers(tx: Transaction<Tables>, userId: UserId): Promise<void> {
  await tx
    .updateTable('users')
    .set({ known_browsers_version: sql`known_browsers_version + 1` })
    .where('id', '=', userId)
    .execute();
}

/** Finds the id of the user who signs in with this Google account. */
export async function findUserIdByGoogle(db: Kysely<Tables>, subject: string): Promise<string | undefined> {
  const account = await db
    .selectFrom('accounts')
    .select('user_id')
    .where('provider_id', '=', GOOGLE_PROVIDER)
    .where('account_id', '=', subject)
    .executeTakeFirst();
  return account?.user_id;
}

export async function hasGoogleAccount(db: Kysely<Tables>, userId: UserId): Promise<boolean> {
  const account = await db
    .selectFrom('accounts')
    .select('id')
    .where('provider_id', '=', GOOGLE_PROVIDER)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return account !== undefined;
}

/** Links the Google account to the user, and unlinks any other: a user has at most one. */
export async function linkGoogleAccount(
  tx: Transaction<Tables>,
  id: string,
  userId: UserId,
  subject: string,
): Promise<void> {
  await tx
    .deleteFrom('accounts')
    .where('user_id', '=', userId)
    .where('provider_id', '=', GOOGLE_PROVIDER)
    .where('account_id', '!=', subject)
    .execute();
  await tx
    .insertInto('accounts')
    .values({ id, user_id: userId, provider_id: GOOGLE_PROVIDER, account_id: subject })
    .onConflict((conflict) => conflict.columns(['provider_id', 'account_id']).doNothing())
    .execute();
}

/** Removes the user's sign-in methods. */
export async function deleteAccounts(
  tx: Transaction<Tables>,
  userId: UserId,
  { keepPassword }: { readonly keepPassword: boolean },
): Promise<void> {
  const deletion = tx.deleteFrom('accounts').where('user_id', '=', userId);
  await (keepPassword ? deletion.where('provider_id', '!=', PASSWORD_PROVIDER) : deletion).execute();
}
