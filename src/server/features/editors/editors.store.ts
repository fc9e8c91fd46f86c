import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import { ROLES, type Role } from '#domain/permissions.ts';
import { HELD_ROLES, type HeldRole, INVITATIONS, type InvitationRow } from '#server/db/held-roles.ts';
import type { Tables } from '#server/db/tables.ts';

export type EditorRow = HeldRole & { readonly email: string; readonly photo_url: string | null };
export type RemovedEditorRow = Selectable<Tables['removed_editors']> & { readonly email: string };

/** Everyone with a role in an organization, the earliest first. */
export function editorsOf(db: Kysely<Tables>, orgId: string): Promise<EditorRow[]> {
  return editors(db, orgId).orderBy('held.created_at').orderBy('held.user_id').execute();
}

export function editorById(db: Kysely<Tables>, orgId: string, userId: string): Promise<EditorRow | undefined> {
  return editors(db, orgId).where('held.user_id', '=', userId).executeTakeFirst();
}

/**
 * Whether a person may be shown by name: someone added by email is only after doing something in the organization, so that
 * adding an address does not reveal whose it is.
 */
const SHOWS_NAME = sql<boolean>`(held.display_name <> '' or exists (
  select from activities a where a.actor_id = held.user_id and a.org_id = held.org_id and a.created_at >= held.created_at))`;
const SHOWN_NAME = sql<string>`case when ${SHOWS_NAME}
  then coalesce(nullif(held.display_name, ''), users.display_name) else '' end`;

function editors(db: Kysely<Tables>, orgId: string) {
  return db
    .selectFrom(HELD_ROLES.as('held'))
    .innerJoin('users', 'users.id', 'held.user_id')
    .select(['held.org_id', 'held.user_id', 'held.role', 'held.created_at', 'users.email'])
    .select(SHOWN_NAME.as('display_name'))
    .select(sql<string | null>`case when ${SHOWS_NAME} then users.photo_url end`.as('photo_url'))
    .where('held.org_id', '=', orgId);
}

/** Everyone who lost the role of an editor after a moment and doesn't have it again, the latest first. */
export function removedEditorsOf(db: Kysely<Tables>, orgId: string, after: Date): Promise<RemovedEditorRow[]> {
  return db
    .selectFrom('removed_editors as held')
    .innerJoin('users', 'users.id', 'held.user_id')
    .select(['held.org_id', 'held.user_id', 'held.created_at', 'held.removed_at', 'users.email'])
    .select(SHOWN_NAME.as('display_name'))
    .where('held.org_id', '=', orgId)
    .where('held.removed_at', '>', after)
    .where(
      sql<boolean>`not exists (select from org_editors now
        where now.org_id = held.org_id and now.user_id = held.user_id and now.role = 'editor')`,
    )
    .orderBy('held.removed_at', 'desc')
    .execute();
}

/** Everyone with a role in an organization, locked until the transaction ends. */
export async function lockedTeam(tx: Transaction<Tables>, orgId: string): Promise<HeldRole[]> {
  const team = tx.selectFrom('org_editors').select('user_id').where('org_id', '=', orgId);
  await team.orderBy('user_id').forUpdate().execute();
  return tx.selectFrom(HELD_ROLES.as('held')).selectAll().where('org_id', '=', orgId).orderBy('user_id').execute();
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

/** Call it with the person's address locked. @returns whether the person had no role there yet */
export async function insertRole(tx: Transaction<Tables>, given: HeldRole): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('org_editors')
    .values(given)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/** Gives a role since a moment in place of any other; null takes it away. Call it with the team locked. */
export async function setRole(
  tx: Transaction<Tables>,
  { org_id, user_id, display_name }: Pick<HeldRole, 'org_id' | 'user_id' | 'display_name'>,
  role: Role | null,
  since: Date,
): Promise<void> {
  if (role === null) {
    await tx.deleteFrom('org_editors').where('org_id', '=', org_id).where('user_id', '=', user_id).execute();
    return;
  }
  await tx
    .insertInto('org_editors')
    .values({ org_id, user_id, display_name, role, created_at: since })
    .onConflict((conflict) => conflict.columns(['org_id', 'user_id']).doUpdateSet({ role, created_at: since }))
    .execute();
}

export async function saveRemoval(
  tx: Transaction<Tables>,
  { org_id, user_id, display_name, created_at }: HeldRole,
  at: Date,
): Promise<void> {
  await tx
    .insertInto('removed_editors')
    .values({ org_id, user_id, display_name, created_at, removed_at: at })
    .onConflict((conflict) => conflict.columns(['org_id', 'user_id']).doUpdateSet({ created_at, removed_at: at }))
    .execute();
}

/** Deletes a removal and returns it, if it was after a moment. */
export function takeRemoval(
  tx: Transaction<Tables>,
  { orgId, userId }: { readonly orgId: string; readonly userId: string },
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

/** @param at removals made then, or before, are deleted */
export async function deleteRemovalsUntil(db: Kysely<Tables>, at: Date): Promise<void> {
  await db.deleteFrom('removed_editors').where('removed_at', '<=', at).execute();
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
