/** How long an editor's removal can be undone, and how long new editors can't remove earlier ones (decisions §4). */
export const EDITOR_UNDO_MS = 24 * 60 * 60_000;

/** Days until an invitation to a role expires (decisions §4). */
export const INVITATION_DAYS = 14;

const INVITATION_MS = INVITATION_DAYS * 24 * 60 * 60_000;

export function invitationExpiry(invitedAt: Date): Date {
  return new Date(invitedAt.getTime() + INVITATION_MS);
}

/** Time before which removals can no longer be undone. */
export function removalCutoff(now: Date): Date {
  return new Date(now.getTime() - EDITOR_UNDO_MS);
}

/** Time before which invitations have expired. */
export function invitationCutoff(now: Date): Date {
  return new Date(now.getTime() - INVITATION_MS);
}
