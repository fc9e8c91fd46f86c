import type { Kysely } from 'kysely';
import type { ResponseBody } from '#contract/schemas.ts';
import { lastEndedRemoval } from '#domain/editor-terms.ts';
import type { OrgId, UserId } from '#domain/ids.ts';
import { type Action, type Role, roleCan } from '#domain/permissions.ts';
import type { Tables } from '#server/db/tables.ts';
import type { AppDeps } from '#server/deps.ts';
import { presentEditor, presentInvitation, presentRemoved } from './editors.present.ts';
import { editorById, editorsOf, invitationsOf, removedEditorsOf } from './editors.store.ts';

/**
 * Reads an organization's team.
 * @param ownId id of a caller with a narrower role, who sees only the editors and themselves
 */
export async function readEditors(
  { db, now }: Pick<AppDeps, 'db' | 'now'>,
  orgId: OrgId,
  ownId?: string,
): Promise<ResponseBody<'readEditors'>> {
  const team = await editorsOf(db.kysely, orgId);
  if (ownId !== undefined) {
    const visible = team.filter(({ role, user_id }) => role === 'editor' || user_id === ownId);
    return { editors: visible.map(presentEditor), invitations: [], removed: [] };
  }
  const [invitations, removed] = await Promise.all([
    invitationsOf(db.kysely, orgId),
    removedEditorsOf(db.kysely, orgId, lastEndedRemoval(now())),
  ]);
  return {
    editors: team.map(presentEditor),
    invitations: invitations.map(presentInvitation),
    removed: removed.map(presentRemoved),
  };
}

/** Ids of an organization's team members whose role allows an action; they get the emails about it. */
export async function usersWhoMay(db: Kysely<Tables>, orgId: OrgId, action: Action): Promise<string[]> {
  const team = await editorsOf(db, orgId);
  return team.filter(({ role }) => roleCan(role, action)).map(({ user_id }) => user_id);
}

/** A person's role in an organization; undefined for everyone else. */
export async function roleInOrg(db: Kysely<Tables>, orgId: OrgId, userId: UserId): Promise<Role | undefined> {
  return (await editorById(db, orgId, userId))?.role;
}
