import { type Kysely, type RawBuilder, type Selectable, sql, type Transaction } from 'kysely';
import { parseLanguage } from '#contract/languages.ts';
import type { UserId } from '#domain/ids.ts';
import type { Actor } from '#domain/permissions.ts';
import type { Language } from '#messages';
import type { Tables } from '#server/db/tables.ts';

export type UserRow = Selectable<Tables['users']>;

/** The fields of a user that other features use. */
export type UserFacts = {
  readonly userId: UserId;
  readonly email: string;
  readonly displayName: string;
  /** Language for emails to the user. */
  readonly language: Language;
};

/** A user's name, or the email address if there is no name. @param users table or its alias */
export function selectUserName(users = 'users'): RawBuilder<string | null> {
  return sql`coalesce(nullif(${sql.ref(`${users}.display_name`)}, ''), ${sql.ref(`${users}.email`)})`;
}

export function findUserRow(db: Kysely<Tables>, id: string): Promise<UserRow | undefined> {
  return db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst();
}

/** The caller, if signed in with a verified email address, which ownership requires (decisions §4). */
export async function findVerifiedUser(db: Kysely<Tables>, actor: Actor): Promise<UserFacts | undefined> {
  return actor.kind === 'user' && actor.emailVerified ? toUserFacts(await findUserRow(db, actor.userId)) : undefined;
}

/** Finds the user who has verified this email address. */
export async function findAddressOwner(db: Kysely<Tables>, email: string): Promise<UserFacts | undefined> {
  const row = await db
    .selectFrom('users')
    .selectAll()
    .where('email', '=', email.toLowerCase())
    .where('email_verified', '=', true)
    .executeTakeFirst();
  return toUserFacts(row);
}

/**
 * Locks an email address until the transaction ends, so that its verification doesn't miss an invitation or a story
 * that is saved at the same time.
 * @param address in lowercase
 */
export async function lockAddress(tx: Transaction<Tables>, address: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`address:${address}`}, 0))`.execute(tx);
}

/** Lists the ids of admins whose email addresses are verified. */
export async function listVerifiedAdminIds(db: Kysely<Tables>): Promise<string[]> {
  const rows = await db
    .selectFrom('users')
    .select('id')
    .where('admin', '=', true)
    .where('email_verified', '=', true)
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id);
}

function toUserFacts(row: UserRow | undefined): UserFacts | undefined {
  if (!row) return undefined;
  return {
    userId: row.id,
    email: row.email,
    displayName: row.display_name,
    language: parseLanguage(row.language),
  };
}
