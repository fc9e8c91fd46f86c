import { pagePath } from '#contract/pages.ts';
import { mailedName } from '#domain/names.ts';
import { ROLE_TEXTS, type Role, roleCan } from '#domain/permissions.ts';
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
      role: invitation.role,
      link: loginLink(publicUrl(), orgId, invitation.role),
      orgName: org.name,
      from: mailedName(invitation.inviter_name) || invitation.inviter_email || org.name,
      parent,
      publicUrl: publicUrl(),
      messageKey: `invitation-${invitationId}`,
    }),
  );
}

/**
 * Tells a user about their new role, unless it was taken back meanwhile.
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
      role: editor.role,
      link: loginLink(publicUrl(), orgId, editor.role),
      orgName: org.name,
      from: mailedName(adder?.display_name) || adder?.email || org.name,
      parent,
      publicUrl: publicUrl(),
      messageKey: `editor-${orgId}-${userId}-${editor.created_at.getTime()}`,
    }),
  );
}

/** Leads through the login page to the overview of an organization, or to its home page if the role does not see that. */
function loginLink(publicUrl: string, orgid: string, role: Role): string {
  const returnTo = encodeURIComponent(
    pagePath(roleCan(role, 'overview.read') ? 'overview-page' : 'home-page', { orgid }),
  );
  return `${publicUrl}${pagePath('login-page', {})}?return_to=${returnTo}`;
}

export type EditorMail = {
  readonly email: string;
  readonly role: Role;
  readonly link: string;
  readonly orgName: string;
  /** Name or address of the person who gave the role. */
  readonly from: string;
  readonly parent: Parent;
  readonly publicUrl: string;
  readonly messageKey: string;
};

/** To an address without an account (decisions §4). */
export function invitationMail({ email, role, link, orgName, from, parent, ...mail }: EditorMail): Mail {
  const { task, description } = ROLE_TEXTS[role];
  const lead = `${from} invited you to help ${task} the ${orgName} website.`;
  return writeLetter({
    ...mail,
    to: email,
    subject: `You’re invited to ${task} ${orgName}`,
    preheader: lead,
    greeting: 'Hello,',
    title: `Help ${task} ${orgName}`,
    parts: [
      paragraph(lead),
      paragraph(description),
      button('Accept the invitation', link),
      note(`To accept, log in with this address: ${email}`),
      note('The invitation stays open until you accept it or an editor withdraws it.'),
      note('Not expecting this? You can ignore it.'),
    ],
    sender: senderLines(parent, mail.publicUrl),
  });
}

/** To a user with an account, who gets the role without being asked. */
function newEditorMail({ email, role, link, orgName, from, parent, ...mail }: EditorMail): Mail {
  const { noun, description } = ROLE_TEXTS[role];
  const lead = `${from} made you ${noun} of the ${orgName} website.`;
  return writeLetter({
    ...mail,
    to: email,
    subject: `You’re now ${noun} of ${orgName}`,
    preheader: lead,
    greeting: 'Hello,',
    title: `You’re now ${noun} of ${orgName}`,
    parts: [
      paragraph(lead),
      paragraph(description),
      button('Get started', link),
      note(
        roleCan(role, 'editors.manage')
          ? 'To step down, open Editors and remove yourself.'
          : 'To step down, ask an editor to remove you.',
      ),
    ],
    sender: senderLines(parent, mail.publicUrl),
  });
}
