import { type Selectable, sql } from 'kysely';
import { ROLES } from '#domain/permissions.ts';
import type { Tables } from './tables.ts';

export type TeamRole = Selectable<Tables['org_editors']>;
export type InvitationRow = Selectable<Tables['invitations']>;

const supportedRoles = sql.join(ROLES.map((role) => sql.lit(role)));

/** Everyone's role in each organization, without roles that only later versions of the program support. */
export const TEAM_ROLES = sql<TeamRole>`(
  select org_id, user_id, display_name, role, created_at from org_editors where role in (${supportedRoles})
)`;

/** Open invitations, without roles that only later versions of the program support. */
export const INVITATIONS = sql<InvitationRow>`(
  select id, org_id, email, invited_by, role, created_at from invitations where role in (${supportedRoles})
)`;
