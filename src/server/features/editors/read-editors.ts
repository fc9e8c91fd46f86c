import type { Kysely } from 'kysely';
import type { ResponseBody } from '#contract/schemas.ts';
import { removalCutoff } from '#domain/editor-terms.ts';
import type { OrgId, UserId } from '#domain/ids.ts';
import { type Action, type Role, roleCan } from '#domain/permissions.ts';
import type { Tables } from '#server/db/tables.ts';
import type { AppDeps } from '#server/deps.ts';
import { presentEditor, presentInvitation, presentRemovedEditor } from './editors.present.ts';
import { findEditorById, listEditors, listInvitations, listRemovedEditors } from './editors.store.ts';

/**
 * Reads an organization's team.
 * @param callerId set if the caller may see only the editors and themselves
 */
export async function readEditors(
  { db, now }: Pick<AppDeps, 'db' | 'now'>,
  orgId: OrgId,
  callerId?: string,
): Promise<ResponseBody<'readEditors'>> {
  const team = await listEditors(db.kysely, orgId);
  if (callerId !== undefined) {
    const visibleTeam = team.filter(({ role, user_id }) => role === 'editor' || user_id === callerId);
    return { editors: visibleTeam.map(presentEditor), invitations: [], removed: [] };
  }
  const [invitations, removedEditors] = await Promise.all([
    listInvitations(db.kysely, orgId),
    listRemovedEditors(db.kysely, orgId, removalCutoff(now())),
  ]);
  return {
    editors: team.map(presentEditor),
    invitations: invitations.map(presentInvitation),
    removed: removedEditors.map(presentRemovedEditor),
  };
}

/** Lists the ids of team members whose role allows an action. They get the emails about it. */
export async function listUserIdsWithPermission(db: Kysely<Tables>, orgId: OrgId, action: Action): Promise<string[]> {
  const team = await listEditors(db, orgId);
  return team.filter(({ role }) => roleCan(role, action)).map(({ user_id }) => user_id);
}

/** Finds a person's role in an organization. @returns undefined if they have none */
export async function findRoleInOrg(db: Kysely<Tables>, orgId: OrgId, userId: UserId): Promise<Role | undefined> {
  return (await findEditorById(db, orgId, userId))?.role;
}
