import type { Editor, Invitation, RemovedEditor } from '#contract/schemas/editors.ts';
import { EDITOR_UNDO_MS } from '#domain/editor-terms.ts';
import { makeDisplaySafe } from '#domain/names.ts';
import type { InvitationRow } from '#server/db/team-roles.ts';
import type { EditorRow, RemovedEditorRow } from './editors.store.ts';

/** Includes the email address, so only admins and the organization's team may see the result. */
export function presentEditor(row: EditorRow): Editor {
  return {
    userId: row.user_id,
    displayName: makeDisplaySafe(row.display_name),
    photoURL: row.photo_url,
    email: row.email,
    role: row.role,
    createdTimestamp: row.created_at.toISOString(),
  };
}

export function presentRemovedEditor(row: RemovedEditorRow): RemovedEditor {
  return {
    userId: row.user_id,
    displayName: makeDisplaySafe(row.display_name),
    email: row.email,
    undoUntil: new Date(row.removed_at.getTime() + EDITOR_UNDO_MS).toISOString(),
  };
}

export function presentInvitation({ id, email, role, created_at }: InvitationRow): Invitation {
  return { id, email, role, createdTimestamp: created_at.toISOString() };
}
