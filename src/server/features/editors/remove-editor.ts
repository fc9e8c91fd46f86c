import type { Transaction } from 'kysely';
import { Failure } from '#domain/failures.ts';
import type { Tables } from '#server/db/tables.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { AppDeps } from '#server/deps.ts';
import { endSessions } from '#server/users/end-sessions.ts';
import { deleteEditor, deleteInvitation, lockedFellowEditors, lockedTeam } from './editors.store.ts';

/**
 * Takes a user's role away and ends their sessions. Only an admin can leave an organization without an editor; people
 * with other roles don't count.
 * @returns Failure editor-not-found, last-editor
 */
export async function removeEditor(
  { db }: Pick<AppDeps, 'db'>,
  { orgId, userId, byAdmin }: { readonly orgId: string; readonly userId: string; readonly byAdmin: boolean },
): Promise<Record<string, never> | Failure> {
  return inTransaction(db, async (tx) => {
    const team = await lockedTeam(tx, orgId);
    if (!team.some(({ user_id }) => user_id === userId)) return new Failure('editor-not-found');
    const hasEditorLeft = team.some(({ user_id, role }) => user_id !== userId && role === 'editor');
    if (!hasEditorLeft && !byAdmin) return new Failure('last-editor');
    await deleteEditor(tx, orgId, userId);
    await endSessions(tx, userId);
    return {};
  });
}

/** @returns Failure invitation-not-found */
export async function withdrawInvitation(
  { db }: Pick<AppDeps, 'db'>,
  orgId: string,
  invitationId: string,
): Promise<Record<string, never> | Failure> {
  return (await deleteInvitation(db.kysely, orgId, invitationId)) ? {} : new Failure('invitation-not-found');
}

/** Whether some organization would have no editor without this user. */
export async function isLastEditor(tx: Transaction<Tables>, userId: string): Promise<boolean> {
  const editors = await lockedFellowEditors(tx, userId);
  const shared = new Set(editors.filter(({ user_id }) => user_id !== userId).map(({ org_id }) => org_id));
  return editors.some(({ org_id }) => !shared.has(org_id));
}
