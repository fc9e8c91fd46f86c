import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import type { Tables, UsersTable } from '#server/db/tables.ts';

/** The way of signing in that has a password; its account is named after the person. */
const PASSWORD = 'credential';
const GOOGLE = 'google';

export type Person = Pick<Selectable<UsersTable>, 'id' | 'email' | 'email_verified'>;
const PERSON = ['users.id', 'users.email', 'users.email_verified'] as const;

/** @param email in small letters */
export function personByEmail(db: Kysely<Tables>, email: string): Promise<Person | undefined> {
  return db.selectFrom('users').select(PERSON).where('email', '=', email).executeTakeFirst();
}

export function personById(db: Kysely<Tables>, id: string): Promise<Person | undefined> {
  return db.selectFrom('users').select(PERSON).where('id', '=', id).executeTakeFirst();
}

/** Whoever proves or changes how this person signs in has to wait until the transaction ends. */
export function lockedPerson(
  tx: Transaction<Tables>,
  by: { readonly id: string } | { readonly email: string },
): Promise<Person | undefined> {
  const people = tx.selectFrom('users').select(PERSON);
  const one = 'id' in by ? people.where('id', '=', by.id) : people.where('email', '=', by.email);
  return one.forNoKeyUpdate().executeTakeFirst();
}

/** Adds a person whose address is not proven, unless somebody has it. @returns whether the person is new */
export async function addPerson(
  tx: Transaction<Tables>,
  { id, email, name }: { readonly id: string; readonly email: string; readonly name: string },
): Promise<boolean> {
  const added = await tx
    .insertInto('users')
    .values({ id, email, display_name: name })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returning('id')
    .executeTakeFirst();
  return added !== undefined;
}

/** Notes that the address is proven. @param name what the person is called from now on; nothing to leave it */
export async function markVerified(tx: Transaction<Tables>, id: string, name: string | undefined): Promise<void> {
  await tx
    .updateTable('users')
    .set({ email_verified: true, updated_at: sql`now()`, ...(name === undefined ? {} : { display_name: name }) })
    .where('id', '=', id)
    .execute();
}

/** Names a person who has no name yet. */
export async function nameNameless(tx: Transaction<Tables>, id: string, name: string): Promise<void> {
  await tx
    .updateTable('users')
    .set({ display_name: name, updated_at: sql`now()` })
    .where('id', '=', id)
    .where('display_name', '=', '')
    .execute();
}

export async function passwordHashOf(db: Kysely<Tables>, userId: string): Promise<string | undefined> {
  const account = await db
    .selectFrom('accounts')
    .select('password')
    .where('user_id', '=', userId)
    .where('provider_id', '=', PASSWORD)
    .executeTakeFirst();
  return account?.password ?? undefined;
}

/**
 * The one person of an address, and the hash of the password, where there are any. Looking for nobody costs the store
 * what looking for somebody does, so that the time tells nobody whether there is an account (decisions §4): it reads the
 * next person by address in place of the one that is not there, and that one is not told.
 */
export async function passwordByEmail(
  db: Kysely<Tables>,
  email: string,
): Promise<{ readonly userId: string; readonly hash: string | null } | undefined> {
  const { rows } = await sql<{ userId: string; email: string; hash: string | null }>`
    select near.id as "userId", near.email, accounts.password as hash
    from (
      (select id, email from users where email >= ${email} order by email limit 1)
      union all (select id, email from users order by email limit 1)
      limit 1
    ) near
    left join accounts on accounts.user_id = near.id and accounts.provider_id = ${PASSWORD}`.execute(db);
  const [nearest] = rows;
  return nearest?.email === email ? { userId: nearest.userId, hash: nearest.hash } : undefined;
}

export async function setPassword(tx: Transaction<Tables>, id: string, userId: string, hash: string): Promise<void> {
  await tx
    .insertInto('accounts')
    .values({ id, user_id: userId, provider_id: PASSWORD, account_id: userId, password: hash })
    .onConflict((conflict) =>
      conflict.columns(['provider_id', 'account_id']).doUpdateSet({ password: hash, updated_at: sql`now()` }),
    )
    .execute();
}

/** Whose account at Google this is. */
export async function ownerOfGoogle(db: Kysely<Tables>, subject: string): Promise<string | undefined> {
  const account = await db
    .selectFrom('accounts')
    .select('user_id')
    .where('provider_id', '=', GOOGLE)
    .where('account_id', '=', subject)
    .executeTakeFirst();
  return account?.user_id;
}

/** Lets a person sign in by this account at Google, and by no other: an address belongs to one at a time. */
export async function linkGoogle(tx: Transaction<Tables>, id: string, userId: string, subject: string): Promise<void> {
  await tx
    .deleteFrom('accounts')
    .where('user_id', '=', userId)
    .where('provider_id', '=', GOOGLE)
    .where('account_id', '!=', subject)
    .execute();
  await tx
    .insertInto('accounts')
    .values({ id, user_id: userId, provider_id: GOOGLE, account_id: subject })
    .onConflict((conflict) => conflict.columns(['provider_id', 'account_id']).doNothing())
    .execute();
}

/** Takes away every way of signing in that somebody has added; the password only if it is not to be kept. */
export async function deleteAccounts(tx: Transaction<Tables>, userId: string, keepPassword: boolean): Promise<void> {
  const all = tx.deleteFrom('accounts').where('user_id', '=', userId);
  await (keepPassword ? all.where('provider_id', '!=', PASSWORD) : all).execute();
}
