import { z } from 'zod';
import { ROLES } from '#domain/permissions.ts';
import { MAX_EMAIL_LENGTH } from '#domain/profile.ts';
import { id, orgId, printableText, time, userId } from './shared.ts';

export const editor = z
  .object({
    userId,
    displayName: z.string().describe('Empty, like the photo, for a user added by email who has not used the site yet.'),
    photoURL: z.string().nullable(),
    email: z.string(),
    role: z.enum(ROLES),
    createdTimestamp: time,
  })
  .meta({
    id: 'Editor',
    description: 'A person with a role in an organization (§3, member data), for its editors and admins.',
  });

export const removedEditor = z.object({ userId, displayName: z.string(), email: z.string(), undoUntil: time }).meta({
  id: 'RemovedEditor',
  description: 'A person whose role was removed in the last 24 hours and can still be restored.',
});

export const invitation = z
  .object({ id, email: z.string(), role: z.enum(ROLES), createdTimestamp: time })
  .meta({ id: 'Invitation', description: 'A person invited to a role, who has not verified the email address yet.' });

export const addedEditor = z
  .object({
    userId: userId.nullable(),
    email: z.string(),
    role: z.enum(ROLES),
    invitation: invitation.nullable(),
  })
  .meta({ id: 'AddedEditor', description: 'The added user, or the invitation if the address has no account.' });

export type Editor = z.infer<typeof editor>;
export type RemovedEditor = z.infer<typeof removedEditor>;
export type Invitation = z.infer<typeof invitation>;

const orgParams = z.strictObject({ orgid: orgId });
const emptyResponse = z.object({});

export const editorCalls = {
  readEditors: {
    summary: "List an organization's editors and invitations",
    description: 'Users with other roles see only the editors and themselves.',
    params: orgParams,
    response: z.object({
      editors: z.array(editor),
      invitations: z.array(invitation),
      removed: z.array(removedEditor),
    }),
  },
  addEditor: {
    summary: 'Add an editor or send an invitation',
    params: orgParams,
    body: z.strictObject({ email: printableText(MAX_EMAIL_LENGTH * 2), role: z.enum(ROLES).optional() }),
    response: addedEditor,
  },
  changeEditor: {
    summary: "Change an editor's role",
    params: z.strictObject({ orgid: orgId, userid: userId }),
    body: z.strictObject({ role: z.enum(ROLES) }),
    response: emptyResponse,
  },
  removeEditor: {
    summary: 'Remove an editor',
    params: z.strictObject({ orgid: orgId, userid: userId }),
    response: emptyResponse,
  },
  restoreEditor: {
    summary: 'Undo the removal of an editor',
    description: "Restores an editor's role within a day.",
    params: z.strictObject({ orgid: orgId, userid: userId }),
    response: emptyResponse,
  },
  withdrawInvitation: {
    summary: 'Withdraw an invitation',
    params: z.strictObject({ orgid: orgId, invitationid: id }),
    response: emptyResponse,
  },
};
