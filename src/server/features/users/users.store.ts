import { type Kysely, sql, type Transaction } from 'kysely';
import type { Database } from '#server/db/connection.ts';
import { type Page, readPage } from '#server/db/keyset.ts';
import type { Tables } from '#server/db/tables.ts';
import type { UserRow } from '#server/users/find-user.ts';

/** Reads a person whom nobody else can change, or read in this way, until the transaction ends. */
export function lockedUser(tx: Transaction<Tables>, id: string): Promise<UserRow | undefined> {
  return tx.selectFrom('users').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
}

/** The organisations that a person edits. */
export async function organizationsEditedBy(db: Kysely<Tables>, userId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('org_editors')
    .select('org_id')
    .where('user_id', '=', userId)
    .orderBy('org_id')
    .execute();
  return rows.map(({ org_id }) => org_id);
}

/** People newest first or oldest first, of those whose name or address has this text in it. */
export function usersPage(db: Database, page: Page, text: string): Promise<UserRow[]> {
  const all = db.kysely.selectFrom('users').selectAll();
  // What the database would take for a sign of its own is meant as it stands.
  const pattern = `%${text.replace(/[\\%_]/g, '\\$&')}%`;
  const found = all.where((row) => row.or([row('email', 'ilike', pattern), row('display_name', 'ilike', pattern)]));
  return readPage(text === '' ? all : found, 'users', page);
}

/** The ways of signing in that people have used. */
export async function providersOf(db: Kysely<Tables>, userIds: readonly string[]): Promise<Map<string, string[]>> {
  if (userIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('accounts')
    .select(['user_id', sql<string[]>`array_agg(distinct provider_id order by provider_id)`.as('providers')])
    .where('user_id', 'in', userIds)
    .groupBy('user_id')
    .execute();
  return new Map(rows.map(({ user_id, providers }) => [user_id, providers]));
}

/** The admins whose power is real, none of whom can lose it by another way until the transaction ends. */
export async function lockedAdmins(tx: Transaction<Tables>): Promise<string[]> {
  const rows = await tx
    .selectFrom('users')
    .select('id')
    .where('admin', '=', true)
    .where('email_verified', '=', true)
    .orderBy('id')
    .forUpdate()
    .execute();
  return rows.map(({ id }) => id);
}

export async function changeAdmin(tx: Transaction<Tables>, id: string, admin: boolean): Promise<void> {
  await tx.updateTable('users').set({ admin, updated_at: sql`now()` }).where('id', '=', id).execute();
}
