import type { Kysely, Transaction } from 'kysely';
import type { NarrowerRole, Role } from '#domain/permissions.ts';
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
  for (const table of ['org_editors', 'narrower_roles'] as const) {
    await tx.selectFrom(table).select('user_id').where('org_id', '=', orgId).orderBy('user_id').forUpdate().execute();
  }
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
export async function insertRole(tx: Transaction<Tables>, { role, ...person }: GivenRole): Promise<boolean> {
  if (await editorById(tx, person.org_id, person.user_id)) return false;
  const insert =
    role === 'editor'
      ? tx.insertInto('org_editors').values(person)
      : tx.insertInto('narrower_roles').values({ ...person, role });
  // A role of a later version is not seen here, and stays.
  const { numInsertedOrUpdatedRows } = await insert.onConflict((conflict) => conflict.doNothing()).executeTakeFirst();
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
  await one.set({ leaves_at: at, becomes }).execute();
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
    const narrower = tx.updateTable('narrower_roles').where('org_id', '=', orgId).where('user_id', '=', user_id);
    await narrower.set({ role, created_at: at }).execute();
    return;
  }
  const table = from === 'editor' ? 'org_editors' : 'narrower_roles';
  await tx.deleteFrom(table).where('org_id', '=', orgId).where('user_id', '=', user_id).execute();
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
  const { role, ...invited } = invitation;
  await takeInvitations(tx, invited.email, invited.org_id);
  if (role === 'editor') await tx.insertInto('invitations').values(invited).execute();
  else
    await tx
      .insertInto('narrower_invitations')
      .values({ ...invited, role })
      .execute();
}

/** @returns whether there was one */
export async function deleteInvitation(db: Kysely<Tables>, orgId: string, id: string): Promise<boolean> {
  const found = await openInvitations(db).where('org_id', '=', orgId).where('id', '=', id).executeTakeFirst();
  return found !== undefined && (await deleteFound(db, found)) !== undefined;
}

type TakenInvitation = { readonly org_id: string; readonly role: Role; readonly created_at: Date };

/** Deletes an address's invitations, by default to all organizations. @returns what they invited to */
export async function takeInvitations(
  tx: Transaction<Tables>,
  address: string,
  orgId?: string,
): Promise<TakenInvitation[]> {
  const all = openInvitations(tx).where('email', '=', address);
  const found = await (orgId === undefined ? all : all.where('org_id', '=', orgId)).execute();
  const taken: TakenInvitation[] = [];
  for (const each of found) taken.push(...[(await deleteFound(tx, each)) ?? []].flat());
  // In the order in which every transaction locks organizations.
  return taken.toSorted((one, other) => (one.org_id < other.org_id ? -1 : 1));
}

function openInvitations(db: Kysely<Tables>) {
  return db.selectFrom(INVITATIONS.as('invited')).select(['id', 'role']);
}

/**
 * Found first: while the version before is still starting servers, it takes from this one's role in the database the right
 * to delete narrower ones, which must hold up nobody who has none.
 * @returns the deleted one, unless it was deleted meanwhile
 */
function deleteFound(db: Kysely<Tables>, { id, role }: Pick<InvitationRow, 'id' | 'role'>) {
  const table = role === 'editor' ? 'invitations' : 'narrower_invitations';
  return db.deleteFrom(table).where('id', '=', id).returning(['org_id', 'role', 'created_at']).executeTakeFirst();
}

/** @param at invitations made then, or before, are deleted */
export async function deleteInvitationsUntil(db: Kysely<Tables>, at: Date): Promise<void> {
  for (const ended of await openInvitations(db).where('created_at', '<=', at).execute()) await deleteFound(db, ended);
}
