import { z } from 'zod';
import { ROLES } from '#domain/permissions.ts';
import { EMAIL_MAXIMUM } from '#domain/profile.ts';
import { id, time, typedText } from './shared.ts';

/** Someone with a role in an organization (§3, member data), as its editors and admins see them. */
export const editor = z.object({
  userId: id,
  displayName: z.string(),
  photoURL: z.string().nullable(),
  email: z.string(),
  role: z.enum(ROLES),
  createdTimestamp: time,
  /** When the role ends, unless somebody objects before: another editor has removed this one. */
  leavesTimestamp: time.nullable(),
  /** The role from then on; null: none. */
  becomes: z.enum(ROLES).nullable(),
});

/** Someone invited to a role, who has not verified the email yet. */
export const invitation = z.object({ id, email: z.string(), role: z.enum(ROLES), createdTimestamp: time });

/** The user added (§7), or the invitation that was mailed because the address has no account. */
export const addedEditor = z.object({
  userId: id.nullable(),
  displayName: z.string(),
  email: z.string(),
  role: z.enum(ROLES),
  invitation: invitation.nullable(),
});

export type Editor = z.infer<typeof editor>;
export type Invitation = z.infer<typeof invitation>;

const inOrg = z.strictObject({ orgid: id });
const said = z.object({});

export const editorCalls = {
  /** Those who are no editors see the editors and themselves, and no invitations. */
  readEditors: {
    params: inOrg,
    answer: z.object({ editors: z.array(editor), invitations: z.array(invitation) }),
  },
  addEditor: {
    params: inOrg,
    body: z.strictObject({ email: typedText(EMAIL_MAXIMUM * 2), role: z.enum(ROLES).optional() }),
    answer: addedEditor,
  },
  /** When the role changes; null if it has changed. An editor whom another editor demotes has a day to object. */
  changeEditor: {
    params: z.strictObject({ orgid: id, userid: id }),
    body: z.strictObject({ role: z.enum(ROLES) }),
    answer: z.object({ leavesTimestamp: time.nullable() }),
  },
  /** When the role ends; null if it has ended. */
  removeEditor: {
    params: z.strictObject({ orgid: id, userid: id }),
    answer: z.object({ leavesTimestamp: time.nullable() }),
  },
  /** Objects to a removal, within its day. */
  keepEditor: { params: z.strictObject({ orgid: id, userid: id }), answer: said },
  withdrawInvitation: { params: z.strictObject({ orgid: id, invitationid: id }), answer: said },
};
