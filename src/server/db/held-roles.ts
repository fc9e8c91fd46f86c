import { type Selectable, sql } from 'kysely';
import { ROLES, type Role } from '#domain/permissions.ts';
import type { InvitationsTable } from './tables.ts';

export type HeldRole = {
  readonly org_id: string;
  readonly user_id: string;
  readonly display_name: string;
  readonly role: Role;
  readonly created_at: Date;
  /** When an editor's role ends, because another editor took it away and nobody has objected. */
  readonly leaves_at: Date | null;
  /** The role that the editor has from then on, if any. */
  readonly becomes: Role | null;
};

const known = sql.join(ROLES.map((role) => sql.lit(role)));

/**
 * Everyone's role in each organization: an editor's is in `org_editors`, any other in `narrower_roles`, where the version
 * that knew editors only does not look. Roles that a later version added give nothing here.
 */
export const HELD_ROLES = sql<HeldRole>`(
  select org_id, user_id, display_name, role, created_at, leaves_at,
    case when becomes in (${known}) then becomes end as becomes from org_editors
  union all
  select org_id, user_id, display_name, role, created_at, null, null from narrower_roles where role in (${known})
)`;

export type InvitationRow = Omit<Selectable<InvitationsTable>, 'role'> & { readonly role: Role };

/** The open invitations to all roles, which are kept as the roles are. */
export const INVITATIONS = sql<InvitationRow>`(
  select id, org_id, email, invited_by, role, created_at from invitations
  union all
  select id, org_id, email, invited_by, role, created_at from narrower_invitations where role in (${known})
)`;
