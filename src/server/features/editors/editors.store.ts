import type { Insertable, Kysely, Selectable, Transaction } from 'kysely';
import type { Role } from '#domain/permissions.ts';
import type { InvitationsTable, OrgEditorsTable, Tables } from '#server/db/tables.ts';

export type EditorRow = Selectable<OrgEditorsTable> & { readonly email: string; readonly photo_url: string | null };
export type InvitationRow = Selectable<InvitationsTable>;

/** Everyone with a role in an organization, the earliest first. */
export function editorsOf(db: Kysely<Tables>, orgId: string): Promise<EditorRow[]> {
  return editors(db, orgId).orderBy('org_editors.created_at').orderBy('org_editors.user_id').execute();
}

export function editorById(db: Kysely<Tables>, orgId: string, userId: string): Promise<EditorRow | undefined> {
  return editors(db, orgId).where('org_editors.user_id', '=', userId).executeTakeFirst();
}

function editors(db: Kysely<Tables>, orgId: string) {
  return db
    .selectFrom('org_editors')
    .innerJoin('users', 'users.id', 'org_editors.user_id')
    .selectAll('org_editors')
    .select(['users.email', 'users.photo_url'])
    .where('org_editors.org_id', '=', orgId);
}

/** Everyone with a role in an organization, locked until the transaction ends. */
export function lockedTeam(
  tx: Transaction<Tables>,
  orgId: string,
): Promise<Pick<EditorRow, 'user_id' | 'role' | 'leaves_at'>[]> {
  return tx
    .selectFrom('org_editors')
    .select(['user_id', 'role', 'leaves_at'])
    .where('org_id', '=', orgId)
    .orderBy('user_id')
    .forUpdate()
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

/** @returns whether the role is new */
export async function insertEditor(tx: Transaction<Tables>, editor: Insertable<OrgEditorsTable>): Promise<boolean> {
  const inserted = await tx
    .insertInto('org_editors')
    .values(editor)
    .onConflict((conflict) => conflict.doNothing())
    .returning('user_id')
    .executeTakeFirst();
  return inserted !== undefined;
}

/** @param at null to stay */
export async function setLeaving(
  tx: Transaction<Tables>,
  { orgId, userId }: { readonly orgId: string; readonly userId: string },
  at: Date | null,
): Promise<void> {
  const one = tx.updateTable('org_editors').where('org_id', '=', orgId).where('user_id', '=', userId);
  await one.set({ leaves_at: at }).execute();
}

export async function deleteEditor(tx: Transaction<Tables>, orgId: string, userId: string): Promise<void> {
  await tx.deleteFrom('org_editors').where('org_id', '=', orgId).where('user_id', '=', userId).execute();
}

/** An organization's invitations, the earliest first. */
export function invitationsOf(db: Kysely<Tables>, orgId: string): Promise<InvitationRow[]> {
  return db
    .selectFrom('invitations')
    .selectAll()
    .where('org_id', '=', orgId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

/** An invitation with its inviter, unless that account is gone. */
export function invitationById(db: Kysely<Tables>, orgId: string, id: string) {
  return db
    .selectFrom('invitations')
    .leftJoin('users', 'users.id', 'invitations.invited_by')
    .selectAll('invitations')
    .select(['users.display_name as inviter_name', 'users.email as inviter_email'])
    .where('invitations.org_id', '=', orgId)
    .where('invitations.id', '=', id)
    .executeTakeFirst();
}

/** Replaces the address's earlier invitation, if any. */
export function saveInvitation(
  tx: Transaction<Tables>,
  invitation: Insertable<InvitationsTable>,
): Promise<InvitationRow> {
  const { id, role, invited_by = null } = invitation;
  return tx
    .insertInto('invitations')
    .values(invitation)
    .onConflict((conflict) => conflict.columns(['org_id', 'email']).doUpdateSet({ id, role, invited_by }))
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** @returns whether there was one */
export async function deleteInvitation(db: Kysely<Tables>, orgId: string, id: string): Promise<boolean> {
  const deleted = await db
    .deleteFrom('invitations')
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst();
  return deleted !== undefined;
}

/** Deletes an address's invitations, by default to all organizations. @returns what they invited to */
export async function takeInvitations(
  tx: Transaction<Tables>,
  address: string,
  orgId?: string,
): Promise<{ readonly org_id: string; readonly role: Role }[]> {
  const all = tx.deleteFrom('invitations').where('email', '=', address);
  const taken = await (orgId === undefined ? all : all.where('org_id', '=', orgId))
    .returning(['org_id', 'role'])
    .execute();
  // In the order in which every transaction locks organizations.
  return taken.toSorted((one, other) => (one.org_id < other.org_id ? -1 : 1));
}
