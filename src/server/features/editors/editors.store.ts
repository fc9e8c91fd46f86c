import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import type { OrgId, UserId } from '#domain/ids.ts';
import { ROLES, type Role } from '#domain/permissions.ts';
import type { Tables } from '#server/db/tables.ts';
import { INVITATIONS, type InvitationRow, TEAM_ROLES, type TeamRole } from '#server/db/team-roles.ts';

export type EditorRow = TeamRole & { readonly email: string; readonly photo_url: string | null };
export type RemovedEditorRow = Selectable<Tables['removed_editors']> & { readonly email: string };

/** Lists everyone with a role in an organization, oldest role first. */
export function listEditors(db: Kysely<Tables>, orgId: OrgId): Promise<EditorRow[]> {
  return selectEditors(db, orgId).orderBy('member.created_at').orderBy('member.user_id').execute();
}

export function findEditorById(db: Kysely<Tables>, orgId: OrgId, userId: UserId): Promise<EditorRow | undefined> {
  return selectEditors(db, orgId).where('member.user_id', '=', userId).executeTakeFirst();
}

/**
 * True if a person's name is shown. The name of a person who was added by email is hidden until the person has done
 * something in the organization, so that adding an address doesn't reveal its owner's name.
 */
const IS_NAME_VISIBLE = sql<boolean>`(member.display_name <> '' or exists (
  select from activities a
  where a.actor_id = member.user_id and a.org_id = member.org_id and a.created_at >= member.created_at))`;
const VISIBLE_NAME = sql<string>`case when ${IS_NAME_VISIBLE}
  then coalesce(nullif(member.display_name, ''), users.display_name) else '' end`;

function selectEditors(db: Kysely<Tables>, orgId: OrgId) {
  return db
    .selectFrom(TEAM_ROLES.as('member'))
    .innerJoin('users', 'users.id', 'member.user_id')
    .select(['member.org_id', 'member.user_id', 'member.role', 'member.created_at', 'users.email'])
    .select(VISIBLE_NAME.as('display_name'))
    .select(sql<string | null>`case when ${IS_NAME_VISIBLE} then users.photo_url end`.as('photo_url'))
    .where('member.org_id', '=', orgId);
}

/** Lists editors who were removed after a time and haven't been restored, latest first. */
export function listRemovedEditors(db: Kysely<Tables>, orgId: OrgId, after: Date): Promise<RemovedEditorRow[]> {
  return db
    .selectFrom('removed_editors as member')
    .innerJoin('users', 'users.id', 'member.user_id')
    .select(['member.org_id', 'member.user_id', 'member.created_at', 'member.removed_at', 'users.email'])
    .select(VISIBLE_NAME.as('display_name'))
    .where('member.org_id', '=', orgId)
    .where('member.removed_at', '>', after)
    .where(
      sql<boolean>`not exists (select from org_editors e
        where e.org_id = member.org_id and e.user_id = member.user_id and e.role = 'editor')`,
    )
    .orderBy('member.removed_at', 'desc')
    .execute();
}

/** Locks everyone with a role in an organization until the transaction ends. */
export async function lockTeam(tx: Transaction<Tables>, orgId: OrgId): Promise<TeamRole[]> {
  const team = tx.selectFrom('org_editors').select('user_id').where('org_id', '=', orgId);
  await team.orderBy('user_id').forUpdate().execute();
  return tx.selectFrom(TEAM_ROLES.as('member')).selectAll().where('org_id', '=', orgId).orderBy('user_id').execute();
}

/** Locks all editors of the organizations where a user is an editor until the transaction ends. */
export function lockFellowEditors(
  tx: Transaction<Tables>,
  userId: UserId,
): Promise<{ org_id: OrgId; user_id: UserId }[]> {
  const editors = tx.selectFrom('org_editors').where('role', '=', 'editor');
  return editors
    .select(['org_id', 'user_id'])
    .where('org_id', 'in', editors.select('org_id').where('user_id', '=', userId))
    .orderBy('org_id')
    .orderBy('user_id')
    .forUpdate()
    .execute();
}

/** The caller must hold the lock on the address. @returns false if the person already has a role in the organization */
export async function insertRole(tx: Transaction<Tables>, role: TeamRole): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('org_editors')
    .values(role)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/** Sets or removes (null) a person's role. The caller must hold the lock on the team. */
export async function setRole(
  tx: Transaction<Tables>,
  { org_id, user_id, display_name }: Pick<TeamRole, 'org_id' | 'user_id' | 'display_name'>,
  role: Role | null,
  startedAt: Date,
): Promise<void> {
  if (role === null) {
    await tx.deleteFrom('org_editors').where('org_id', '=', org_id).where('user_id', '=', user_id).execute();
    return;
  }
  await tx
    .insertInto('org_editors')
    .values({ org_id, user_id, display_name, role, created_at: startedAt })
    .onConflict((conflict) => conflict.columns(['org_id', 'user_id']).doUpdateSet({ role, created_at: startedAt }))
    .execute();
}

/** Changes a person's name in the roles that show it. */
export async function renameEditor(tx: Transaction<Tables>, userId: UserId, name: string): Promise<void> {
  for (const table of ['org_editors', 'removed_editors'] as const) {
    await tx
      .updateTable(table)
      .set({ display_name: name })
      .where('user_id', '=', userId)
      .where('display_name', '!=', '')
      .execute();
  }
}

export async function saveRemoval(
  tx: Transaction<Tables>,
  { org_id, user_id, display_name, created_at }: TeamRole,
  removedAt: Date,
): Promise<void> {
  await tx
    .insertInto('removed_editors')
    .values({ org_id, user_id, display_name, created_at, removed_at: removedAt })
    .onConflict((conflict) =>
      conflict.columns(['org_id', 'user_id']).doUpdateSet({ display_name, created_at, removed_at: removedAt }),
    )
    .execute();
}

/** Deletes and returns a removal that happened after a time. */
export function consumeRemoval(
  tx: Transaction<Tables>,
  { orgId, userId }: { readonly orgId: OrgId; readonly userId: UserId },
  after: Date,
): Promise<Selectable<Tables['removed_editors']> | undefined> {
  return tx
    .deleteFrom('removed_editors')
    .where('org_id', '=', orgId)
    .where('user_id', '=', userId)
    .where('removed_at', '>', after)
    .returningAll()
    .executeTakeFirst();
}

/** @param time inclusive */
export async function deleteRemovalsUntil(db: Kysely<Tables>, time: Date): Promise<void> {
  await db.deleteFrom('removed_editors').where('removed_at', '<=', time).execute();
}

/** Lists an organization's invitations, oldest first. */
export function listInvitations(db: Kysely<Tables>, orgId: OrgId): Promise<InvitationRow[]> {
  return db
    .selectFrom(INVITATIONS.as('invitation'))
    .selectAll()
    .where('org_id', '=', orgId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

/** Finds an invitation with its inviter. The inviter's fields are null if the account was deleted. */
export function findInvitationById(db: Kysely<Tables>, orgId: OrgId, id: string) {
  return db
    .selectFrom(INVITATIONS.as('invitation'))
    .leftJoin('users', 'users.id', 'invitation.invited_by')
    .selectAll('invitation')
    .select(['users.display_name as inviter_name', 'users.email as inviter_email'])
    .where('invitation.org_id', '=', orgId)
    .where('invitation.id', '=', id)
    .executeTakeFirst();
}

/** Finds an invitation in any organization, with the organization's name and the inviter. */
export function findInvitation(db: Kysely<Tables>, id: string) {
  return db
    .selectFrom(INVITATIONS.as('invitation'))
    .innerJoin('orgs', 'orgs.id', 'invitation.org_id')
    .leftJoin('users', 'users.id', 'invitation.invited_by')
    .selectAll('invitation')
    .select(['orgs.name as org_name', 'users.display_name as inviter_name', 'users.email as inviter_email'])
    .where('invitation.id', '=', id)
    .executeTakeFirst();
}

/** Saves an invitation, replacing any earlier one for the same address and organization. */
export async function saveInvitation(tx: Transaction<Tables>, invitation: InvitationRow): Promise<void> {
  await consumeInvitations(tx, invitation.email, invitation.org_id);
  await tx.insertInto('invitations').values(invitation).execute();
}

/** @returns whether the invitation existed */
export async function deleteInvitation(db: Kysely<Tables>, orgId: OrgId, id: string): Promise<boolean> {
  const invitation = db.deleteFrom('invitations').where('org_id', '=', orgId).where('id', '=', id);
  const { numDeletedRows } = await invitation.executeTakeFirst();
  return numDeletedRows > 0n;
}

type DeletedInvitation = { readonly org_id: OrgId; readonly role: Role; readonly created_at: Date };

/** Deletes and returns an address's invitations: to one organization, or to all if `orgId` is omitted. */
export async function consumeInvitations(
  tx: Transaction<Tables>,
  address: string,
  orgId?: OrgId,
): Promise<DeletedInvitation[]> {
  const deletion = tx.deleteFrom('invitations').where('email', '=', address).where('role', 'in', ROLES);
  const query = orgId === undefined ? deletion : deletion.where('org_id', '=', orgId);
  const invitations = await query.returning(['org_id', 'role', 'created_at']).execute();
  // Every transaction locks organizations in this order.
  return invitations.toSorted((a, b) => (a.org_id < b.org_id ? -1 : 1));
}

/** @param time inclusive */
export async function deleteInvitationsUntil(db: Kysely<Tables>, time: Date): Promise<void> {
  await db.deleteFrom('invitations').where('created_at', '<=', time).execute();
}
