import { Failure } from '#domain/failures.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { AppDeps } from '#server/deps.ts';
import { endSessions } from '#server/users/end-sessions.ts';
import { deleteEditor, deleteInvitation, lockedEditors } from './editors.store.ts';

/**
 * Takes the role from an editor, and ends that person's sessions. The last editor can be removed by an admin alone.
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
