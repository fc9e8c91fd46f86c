import { z } from 'zod';
import { ROLES } from '#domain/permissions.ts';
import { EMAIL_MAXIMUM } from '#domain/profile.ts';
import { id, orgId, time, typedText, userId } from './shared.ts';

/** A person with a role in an organization (§3, member data), for its editors and admins. */
export const editor = z.object({
  userId,
  /** Empty, like the photo, for a person added by email who has not used the site yet. */
  displayName: z.string(),
  photoURL: z.string().nullable(),
  email: z.string(),
  role: z.enum(ROLES),
  createdTimestamp: time,
});

/** A person who lost the role of an editor in the last 24 hours, until that can no longer be undone. */
export const removedEditor = z.object({ userId, displayName: z.string(), email: z.string(), undoUntil: time });

/** A person invited to a role, who has not verified the email address yet. */
export const invitation = z.object({ id, email: z.string(), role: z.enum(ROLES), createdTimestamp: time });

/** The added user (§7), or the invitation if the address has no account. */
export const addedEditor = z.object({
  userId: userId.nullable(),
  email: z.string(),
  role: z.enum(ROLES),
  invitation: invitation.nullable(),
});

export type Editor = z.infer<typeof editor>;
export type RemovedEditor = z.infer<typeof removedEditor>;
export type Invitation = z.infer<typeof invitation>;

const inOrg = z.strictObject({ orgid: orgId });
const emptyResponse = z.object({});

export const editorCalls = {
  /** People who are not editors see only the editors and themselves. */
  readEditors: {
    params: inOrg,
    answer: z.object({
      editors: z.array(editor),
      invitations: z.array(invitation),
      removed: z.array(removedEditor),
    }),
  },
  addEditor: {
    params: inOrg,
    body: z.strictObject({ email: typedText(EMAIL_MAXIMUM * 2), role: z.enum(ROLES).optional() }),
    answer: addedEditor,
  },
  changeEditor: {
    params: z.strictObject({ orgid: orgId, userid: userId }),
    body: z.strictObject({ role: z.enum(ROLES) }),
    answer: emptyResponse,
  },
  removeEditor: { params: z.strictObject({ orgid: orgId, userid: userId }), answer: emptyResponse },
  /** Restores an editor's role within a day. */
  restoreEditor: { params: z.strictObject({ orgid: orgId, userid: userId }), answer: emptyResponse },
  withdrawInvitation: { params: z.strictObject({ orgid: orgId, invitationid: id }), answer: emptyResponse },
};
