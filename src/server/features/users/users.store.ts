import { type Kysely, type SqlBool, sql, type Transaction } from 'kysely';
import type { OrgId, UserId } from '#domain/ids.ts';
import type { OrgRoles, Role } from '#domain/permissions.ts';
import type { Database } from '#server/db/connection.ts';
import { type PageRequest, readPage } from '#server/db/keyset.ts';
import type { Tables } from '#server/db/tables.ts';
import { TEAM_ROLES } from '#server/db/team-roles.ts';
import type { UserRow } from '#server/entities/find-user.ts';

/** Locks the user's row until the transaction ends. */
export function lockUser(tx: Transaction<Tables>, id: string): Promise<UserRow | undefined> {
  return tx.selectFrom('users').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
}

export async function findRoles(db: Kysely<Tables>, userId: UserId): Promise<OrgRoles> {
  const rows = await db
    .selectFrom(TEAM_ROLES.as('user_roles'))
    .select(['org_id', 'role'])
    .where('user_id', '=', userId)
    .orderBy('org_id')
    .execute();
  return Object.fromEntries(rows.map(({ org_id, role }) => [org_id, role]));
}

type NamedRole = { readonly user_id: UserId; readonly org_id: OrgId; readonly org_name: string; readonly role: Role };

/** Finds users' roles, with the names of their organizations. */
export function findNamedRoles(db: Kysely<Tables>, userIds: readonly UserId[]): Promise<NamedRole[]> {
  return (
    db
      .selectFrom(TEAM_ROLES.as('user_roles'))
      .innerJoin('orgs', 'orgs.id', 'user_roles.org_id')
      .select(['user_roles.user_id', 'user_roles.org_id', 'orgs.name as org_name'])
      // TEAM_ROLES contains only supported roles.
      .select(sql<Role>`user_roles.role`.as('role'))
      .where(sql<SqlBool>`user_roles.user_id = any(${userIds})`)
      .orderBy('orgs.name')
      .orderBy('orgs.id')
      .execute()
  );
}

/** @param text part of a name or address; '' matches all users */
export function findUsers(db: Database, page: PageRequest, text: string): Promise<UserRow[]> {
  const users = db.kysely.selectFrom('users').selectAll();
  const pattern = `%${text.replace(/[\\%_]/g, '\\$&')}%`;
  const matches = users.where((row) => row.or([row('email', 'ilike', pattern), row('display_name', 'ilike', pattern)]));
  return readPage(text === '' ? users : matches, 'users', page);
}

/** Returns each user's sign-in providers and second factors, which are "passkey" and "authenticator". */
export async function findLoginMethods(db: Kysely<Tables>, userIds: readonly string[]): Promise<Map<string, string[]>> {
  const { rows } = await sql<{ user_id: UserId; methods: string[] }>`
    select user_id, array_agg(distinct method order by method) as methods
    from (
      select user_id, provider_id as method from accounts
      union all select user_id, 'passkey' from passkeys
      union all select user_id, 'authenticator' from authenticators
    ) login_methods
    where user_id = any(${userIds}) group by user_id`.execute(db);
  return new Map(rows.map(({ user_id, methods }) => [user_id, methods]));
}

/** Locks the admins with a verified address until the transaction ends. @returns their ids */
export async function lockAdmins(tx: Transaction<Tables>): Promise<string[]> {
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

export async function setAdminRole(tx: Transaction<Tables>, id: string, admin: boolean): Promise<void> {
  await tx.updateTable('users').set({ admin, updated_at: sql`now()` }).where('id', '=', id).execute();
}

export type Admin = { readonly email: string; readonly name: string; readonly verified: boolean };

/** Lists all admins by address, including those with an unverified address. */
export function listAllAdmins(db: Kysely<Tables>): Promise<Admin[]> {
  return db
    .selectFrom('users')
    .select(['email', 'display_name as name', 'email_verified as verified'])
    .where('admin', '=', true)
    .orderBy('email')
    .execute();
}

export function findUserByAddress(
  db: Kysely<Tables>,
  email: string,
): Promise<{ readonly id: string; readonly verified: boolean } | undefined> {
  return db
    .selectFrom('users')
    .select(['id', 'email_verified as verified'])
    .where('email', '=', email)
    .executeTakeFirst();
}

/** Makes the user with this address an admin, and adds the user if needed. @returns the id; undefined if already an admin */
export async function addAdmin(tx: Transaction<Tables>, id: string, email: string): Promise<string | undefined> {
  const newAdmin = await tx
    .insertInto('users')
    .values({ id, email, admin: true })
    .onConflict((conflict) =>
      conflict.column('email').doUpdateSet({ admin: true, updated_at: sql`now()` }).where('users.admin', '=', false),
    )
    .returning('id')
    .executeTakeFirst();
  return newAdmin?.id;
}

/** Makes users with these addresses admins if their address is verified. */
export async function makeAdmins(db: Kysely<Tables>, emails: readonly string[]): Promise<void> {
  if (emails.length === 0) return;
  await db
    .updateTable('users')
    .set({ admin: true, updated_at: sql`now()` })
    .where('email', 'in', emails)
    .where('email_verified', '=', true)
    .where('admin', '=', false)
    .execute();
}
