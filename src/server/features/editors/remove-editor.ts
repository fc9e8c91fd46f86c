import type { Transaction } from 'kysely';
import { Failure } from '#domain/failures.ts';
import type { Tables } from '#server/db/tables.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { AppDeps } from '#server/deps.ts';
import { endSessions } from '#server/users/end-sessions.ts';
import { deleteEditor, deleteInvitation, lockedEditors, lockedFellowEditors } from './editors.store.ts';

/**
 * Removes an editor and ends their sessions. Only an admin can remove the last editor.
 * @returns Failure editor-not-found, last-editor
 */
export async function removeEditor(
  { db }: Pick<AppDeps, 'db'>,
  { orgId, userId, byAdmin }: { readonly orgId: string; readonly userId: string; readonly byAdmin: boolean },
): Promise<Record<string, never> | Failure> {
  return inTransaction(db, async (tx) => {
    const editors = await lockedEditors(tx, orgId);
    if (!editors.includes(userId)) return new Failure('editor-not-found');
    if (editors.length === 1 && !byAdmin) return new Failure('last-editor');
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
