/** How long the removal of an editor can be undone, and how long a new editor can't remove earlier ones (decisions §4). */
export const EDITOR_UNDO_MS = 24 * 60 * 60_000;

/** How long an invitation to a role is open (decisions §4). */
export const INVITATION_DAYS = 14;

const INVITATION_MS = INVITATION_DAYS * 24 * 60 * 60_000;

export function invitationEnd(invitedAt: Date): Date {
  return new Date(invitedAt.getTime() + INVITATION_MS);
}

/** Removals made then, or before, can no longer be undone. */
export function lastEndedRemoval(now: Date): Date {
  return new Date(now.getTime() - EDITOR_UNDO_MS);
}

/** Invitations made then, or before, have ended. */
export function lastEndedInvitation(now: Date): Date {
  return new Date(now.getTime() - INVITATION_MS);
}
