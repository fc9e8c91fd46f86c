import type { Kysely, Transaction } from 'kysely';
import { type NarrowerRole, ROLES, type Role } from '#domain/permissions.ts';
import { HELD_ROLES, type HeldRole, INVITATIONS, type InvitationRow } from '#server/db/held-roles.ts';
import type { Tables } from '#server/db/tables.ts';

export type EditorRow = HeldRole & { readonly email: string; readonly photo_url: string | null };

/** Everyone with a role in an organization, the earliest first. */
export function editorsOf(db: Kysely<Tables>, orgId: string): Promise<EditorRow[]> {
  return editors(db, orgId).orderBy('held.created_at').orderBy('held.user_id').execute();
}

export function editorById(db: Kysely<Tables>, orgId: string, userId: string): Promise<EditorRow | undefined> {
  return editors(db, orgId).where('held.user_id', '=', userId).executeTakeFirst();
}

function editors(db: Kysely<Tables>, orgId: string) {
  return db
    .selectFrom(HELD_ROLES.as('held'))
    .innerJoin('users', 'users.id', 'held.user_id')
    .selectAll('held')
    .select(['users.email', 'users.photo_url'])
    .where('held.org_id', '=', orgId);
}

export type TeamMember = Pick<EditorRow, 'user_id' | 'display_name' | 'role' | 'leaves_at' | 'becomes'>;

/** Everyone with a role in an organization, locked until the transaction ends. */
export async function lockedTeam(tx: Transaction<Tables>, orgId: string): Promise<TeamMember[]> {
  const team = tx.selectFrom('org_editors').select('user_id').where('org_id', '=', orgId);
  await team.orderBy('user_id').forUpdate().execute();
  return tx
    .selectFrom(HELD_ROLES.as('held'))
    .select(['user_id', 'display_name', 'role', 'leaves_at', 'becomes'])
    .where('org_id', '=', orgId)
    .orderBy('user_id')
    .execute();
}

/** All editors of the organizations where a user is an editor, locked until the transaction ends. */
export function lockedFellowEditors(
  tx: Transaction<Tables>,
  userId: string,
): Promise<{ org_id: string; user_id: string }[]> {
  const editors = tx.selectFrom('org_editors').where('role', '=', 'editor');
  return editors
    .select(['org_id', 'user_id'])
    .where('org_id', 'in', editors.select('org_id').where('user_id', '=', userId))
    .orderBy('org_id')
    .orderBy('user_id')
    .forUpdate()
    .execute();
}

/** A role in an organization, as it is given to a person. */
export type GivenRole = Pick<EditorRow, 'org_id' | 'user_id' | 'display_name' | 'role'> & {
  readonly created_at?: Date;
};

/** Call it with the person's address locked. @returns whether the person had no role there yet */
export async function insertRole(tx: Transaction<Tables>, given: GivenRole): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('org_editors')
    .values(given)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/** @param at null to stay */
export async function setLeaving(
  tx: Transaction<Tables>,
  { orgId, userId }: { readonly orgId: string; readonly userId: string },
  at: Date | null,
  becomes: NarrowerRole | null = null,
): Promise<void> {
  const one = tx.updateTable('org_editors').where('org_id', '=', orgId).where('user_id', '=', userId);
  await one.where('role', '=', 'editor').set({ leaves_at: at, becomes }).execute();
}

/** Replaces a role from a moment on; null takes it away. Call it with the team and the person's address locked. */
export async function setRole(
  tx: Transaction<Tables>,
  orgId: string,
  { user_id, display_name, role: from }: TeamMember,
  role: Role | null,
  at: Date,
): Promise<void> {
  if (from !== 'editor' && role && role !== 'editor') {
    const narrower = tx.updateTable('org_editors').where('org_id', '=', orgId).where('user_id', '=', user_id);
    await narrower.set({ role, created_at: at }).execute();
    return;
  }
  await tx.deleteFrom('org_editors').where('org_id', '=', orgId).where('user_id', '=', user_id).execute();
  if (role) await insertRole(tx, { org_id: orgId, user_id, display_name, role, created_at: at });
}

/** An organization's invitations, the earliest first. */
export function invitationsOf(db: Kysely<Tables>, orgId: string): Promise<InvitationRow[]> {
  return db
    .selectFrom(INVITATIONS.as('invited'))
    .selectAll()
    .where('org_id', '=', orgId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

/** An invitation with its inviter, unless that account is gone. */
export function invitationById(db: Kysely<Tables>, orgId: string, id: string) {
  return db
    .selectFrom(INVITATIONS.as('invited'))
    .leftJoin('users', 'users.id', 'invited.invited_by')
    .selectAll('invited')
    .select(['users.display_name as inviter_name', 'users.email as inviter_email'])
    .where('invited.org_id', '=', orgId)
    .where('invited.id', '=', id)
    .executeTakeFirst();
}

export function findInvitation(tx: Transaction<Tables>, id: string): Promise<InvitationRow | undefined> {
  return tx.selectFrom(INVITATIONS.as('invited')).selectAll().where('id', '=', id).executeTakeFirst();
}

/** Replaces the address's earlier invitation, if any, as of the same moment. */
export async function saveInvitation(tx: Transaction<Tables>, invitation: InvitationRow): Promise<void> {
  await takeInvitations(tx, invitation.email, invitation.org_id);
  await tx.insertInto('invitations').values(invitation).execute();
}

/** @returns whether there was one */
export async function deleteInvitation(db: Kysely<Tables>, orgId: string, id: string): Promise<boolean> {
  const invitation = db.deleteFrom('invitations').where('org_id', '=', orgId).where('id', '=', id);
  const { numDeletedRows } = await invitation.executeTakeFirst();
  return numDeletedRows > 0n;
}

type TakenInvitation = { readonly org_id: string; readonly role: Role; readonly created_at: Date };

/** Deletes an address's invitations, by default to all organizations. @returns what they invited to */
export async function takeInvitations(
  tx: Transaction<Tables>,
  address: string,
  orgId?: string,
): Promise<TakenInvitation[]> {
  const all = tx.deleteFrom('invitations').where('email', '=', address).where('role', 'in', ROLES);
  const theirs = orgId === undefined ? all : all.where('org_id', '=', orgId);
  const taken = await theirs.returning(['org_id', 'role', 'created_at']).execute();
  // In the order in which every transaction locks organizations.
  return taken.toSorted((one, other) => (one.org_id < other.org_id ? -1 : 1));
}

/** @param at invitations made then, or before, are deleted */
export async function deleteInvitationsUntil(db: Kysely<Tables>, at: Date): Promise<void> {
  await db.deleteFrom('invitations').where('created_at', '<=', at).execute();
}
