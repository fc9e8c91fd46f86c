import { type Kysely, sql } from 'kysely';
import type { UserId } from '#domain/ids.ts';
import type { OrgRoles } from '#domain/permissions.ts';
import type { Tables } from '#server/db/tables.ts';
import { TEAM_ROLES } from '#server/db/team-roles.ts';
import type { BrowserAccount } from './cookies.ts';

export type SessionOwner = {
  readonly userId: UserId;
  readonly email: string;
  readonly emailVerified: boolean;
  readonly admin: boolean;
  readonly roles: OrgRoles;
  readonly authenticatedAt: Date;
  readonly secondFactor: boolean;
  /** The user's organizations that require a second factor. */
  readonly secondFactorOrgs: readonly string[];
};

/** Finds the owner of a session. @returns undefined if the session has ended */
export function findSessionOwner(db: Kysely<Tables>, sessionId: string, now: Date): Promise<SessionOwner | undefined> {
  return db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select([
      'users.id as userId',
      'users.email',
      'users.email_verified as emailVerified',
      'users.admin',
      'sessions.authenticated_at as authenticatedAt',
      sql<boolean>`sessions.second_factor_at is not null`.as('secondFactor'),
      sql<OrgRoles>`(
        select coalesce(jsonb_object_agg(org_id, role), '{}') from ${TEAM_ROLES} as member where member.user_id = users.id
      )`.as('roles'),
      sql<string[]>`(
        select coalesce(jsonb_agg(member.org_id order by member.org_id), '[]') from ${TEAM_ROLES} as member
          join orgs on orgs.id = member.org_id and orgs.editors_need_second_factor
        where member.user_id = users.id
      )`.as('secondFactorOrgs'),
    ])
    .where('sessions.id', '=', sessionId)
    .where('sessions.expires_at', '>', now)
    .where('sessions.max_expires_at', '>', now)
    .executeTakeFirst();
}

export function findBrowserAccount(db: Kysely<Tables>, email: string): Promise<BrowserAccount | undefined> {
  return db
    .selectFrom('users')
    .select(['id', 'known_browsers_version as knownBrowserVersion'])
    .where('email', '=', email.toLowerCase())
    .executeTakeFirst();
}

/** Returns the stored secret with this name. If it doesn't exist, stores `value` for all processes. */
export async function getOrCreateSecret(db: Kysely<Tables>, name: string, value: string): Promise<string> {
  await db
    .insertInto('program_secrets')
    .values({ name, value })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const existingSecret = await findSecret(db, name);
  if (existingSecret === undefined) throw new Error(`The secret ${name} is missing.`);
  return existingSecret;
}

export async function findSecret(db: Kysely<Tables>, name: string): Promise<string | undefined> {
  const row = await db.selectFrom('program_secrets').select('value').where('name', '=', name).executeTakeFirst();
  return row?.value;
}
