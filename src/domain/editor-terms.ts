/** Time in which an editor's removal can be undone, and in which a new editor can't remove earlier ones (decisions §4). */
export const EDITOR_UNDO_MS = 24 * 60 * 60_000;

/** Days that an invitation to a role is open (decisions §4). */
export const INVITATION_DAYS = 14;

const INVITATION_MS = INVITATION_DAYS * 24 * 60 * 60_000;

export function invitationExpiry(invitedAt: Date): Date {
  return new Date(invitedAt.getTime() + INVITATION_MS);
}

/** Removals up to this time can no longer be undone. */
export function removalCutoff(now: Date): Date {
  return new Date(now.getTime() - EDITOR_UNDO_MS);
}

/** Invitations up to this time have expired. */
export function invitationCutoff(now: Date): Date {
  return new Date(now.getTime() - INVITATION_MS);
}
