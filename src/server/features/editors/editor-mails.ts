import { pagePath } from '#contract/pages.ts';
import type { AppDeps, Parent } from '#server/deps.ts';
import { button, note, paragraph, senderLines, writeLetter } from '#server/gateways/mail/letter.ts';
import type { Mail, Mailer } from '#server/gateways/mail/mailer.ts';
import type { JobData } from '#server/jobs/jobs.ts';
import { findOrg } from '#server/orgs/find-org.ts';
import { userById } from '#server/users/find-user.ts';
import { editorById, invitationById } from './editors.store.ts';

export type EditorMailDeps = Pick<AppDeps, 'db' | 'parent' | 'publicUrl'> & { readonly mailer: Mailer };

/**
 * Mails an invitation, unless it was accepted, withdrawn or replaced meanwhile.
 * @throws when the mail is not accepted; the job then retries
 */
export async function mailInvitation(
  { db, parent, publicUrl, mailer }: EditorMailDeps,
  { orgId, invitationId }: JobData['mail-invitation'],
): Promise<void> {
  const [invitation, org] = await Promise.all([invitationById(db.kysely, orgId, invitationId), findOrg(db, orgId)]);
  if (!invitation || !org) return;
  await mailer.send(
    invitationMail({
      email: invitation.email,
      link: loginLink(publicUrl(), orgId),
      orgName: org.name,
      from: invitation.inviter_name || invitation.inviter_email || org.name,
      parent,
      publicUrl: publicUrl(),
      messageKey: `invitation-${invitationId}`,
    }),
  );
}

/**
 * Tells a user that they are an editor now, unless the role was taken back meanwhile.
 * @throws when the mail is not accepted; the job then retries
 */
export async function mailNewEditor(
  { db, parent, publicUrl, mailer }: EditorMailDeps,
  { orgId, userId, addedBy }: JobData['mail-new-editor'],
): Promise<void> {
  const [editor, adder, org] = await Promise.all([
    editorById(db.kysely, orgId, userId),
    userById(db.kysely, addedBy),
    findOrg(db, orgId),
  ]);
  if (!editor || !org) return;
  await mailer.send(
    newEditorMail({
      email: editor.email,
      link: loginLink(publicUrl(), orgId),
      orgName: org.name,
      from: adder?.display_name || adder?.email || org.name,
      parent,
      publicUrl: publicUrl(),
      messageKey: `editor-${orgId}-${userId}-${editor.created_at.getTime()}`,
    }),
  );
}

/** Leads through the login page to the editor overview of an organization. */
function loginLink(publicUrl: string, orgid: string): string {
  const returnTo = encodeURIComponent(pagePath('overview-page', { orgid }));
  return `${publicUrl}${pagePath('login-page', {})}?return_to=${returnTo}`;
}

export type EditorMail = {
  readonly email: string;
  readonly link: string;
  readonly orgName: string;
  /** Name or address of whoever made the receiver an editor. */
  readonly from: string;
  readonly parent: Parent;
  readonly publicUrl: string;
  readonly messageKey: string;
};

const EDITORS_CAN = 'Editors can change its text, settings and stories, and see its checkouts.';

/** To an address without an account (decisions §4). */
export function invitationMail({ email, link, orgName, from, parent, ...mail }: EditorMail): Mail {
  const lead = `${from} invited you to help edit the ${orgName} website.`;
  return writeLetter({
    ...mail,
    to: email,
    subject: `You’re invited to edit ${orgName}`,
    preheader: lead,
    greeting: 'Hello,',
    title: `Help edit ${orgName}`,
    parts: [
      paragraph(lead),
      paragraph(EDITORS_CAN),
      button('Accept the invitation', link),
      note(`To accept, log in with this address: ${email}`),
      note('The invitation stays open until you accept it or an editor withdraws it.'),
      note('Not expecting this? You can ignore it.'),
    ],
    sender: senderLines(parent, mail.publicUrl),
  });
}

/** To a user with an account, who becomes an editor without being asked. */
function newEditorMail({ email, link, orgName, from, parent, ...mail }: EditorMail): Mail {
  const lead = `${from} made you an editor of the ${orgName} website.`;
  return writeLetter({
    ...mail,
    to: email,
    subject: `You’re now an editor of ${orgName}`,
    preheader: lead,
    greeting: 'Hello,',
    title: `You’re now an editor of ${orgName}`,
    parts: [
      paragraph(lead),
      paragraph(EDITORS_CAN),
      button('Start editing', link),
      note('To step down, open Editors and remove yourself.'),
    ],
    sender: senderLines(parent, mail.publicUrl),
  });
}
