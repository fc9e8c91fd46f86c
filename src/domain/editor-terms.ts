/** Time limit for undoing an editor's removal, and time in which a new editor can't remove earlier ones (decisions §4). */
export const EDITOR_UNDO_MS = 24 * 60 * 60_000;

/** Days until an invitation to a role expires (decisions §4). */
export const INVITATION_DAYS = 14;

const INVITATION_MS = INVITATION_DAYS * 24 * 60 * 60_000;

export function invitationExpiry(invitedAt: Date): Date {
  return new Date(invitedAt.getTime() + INVITATION_MS);
}

/** Earlier removals can no longer be undone. */
export function removalCutoff(now: Date): Date {
  return new Date(now.getTime() - EDITOR_UNDO_MS);
}

/** Earlier invitations have expired. */
export function invitationCutoff(now: Date): Date {
  return new Date(now.getTime() - INVITATION_MS);
}
