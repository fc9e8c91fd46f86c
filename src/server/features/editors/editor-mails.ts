import { pagePath } from '#contract/pages.ts';
import type { TimeZone } from '#domain/days.ts';
import { mailedName } from '#domain/names.ts';
import { ROLE_TEXTS, type Role, roleCan } from '#domain/permissions.ts';
import type { AppDeps, Parent } from '#server/deps.ts';
import { button, note, paragraph, senderLines, throughLogin, writeLetter } from '#server/gateways/mail/letter.ts';
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
      leaveLink: editorsLink(publicUrl(), orgId),
      orgName: org.name,
      from: mailedName(adder?.display_name) || adder?.email || org.name,
      parent,
      publicUrl: publicUrl(),
      messageKey: `editor-${orgId}-${userId}-${editor.created_at.getTime()}`,
    }),
  );
}

/**
 * Tells an editor that another editor removed one of them, unless somebody has objected meanwhile.
 * @throws when the mail is not accepted; the job then retries
 */
export async function mailLeavingEditor(
  { db, parent, publicUrl, mailer }: EditorMailDeps,
  { orgId, userId, leavesAt, to, removedBy }: JobData['mail-leaving-editor'],
): Promise<void> {
  const [leaving, told, remover, org] = await Promise.all([
    editorById(db.kysely, orgId, userId),
    editorById(db.kysely, orgId, to),
    userById(db.kysely, removedBy),
    findOrg(db, orgId),
  ]);
  if (!told || !org || leaving?.leaves_at?.toISOString() !== leavesAt) return;
  await mailer.send(
    leavingEditorMail({
      email: told.email,
      role: leaving.role,
      link: editorsLink(publicUrl(), orgId),
      orgName: org.name,
      from: mailedName(remover?.display_name) || remover?.email || org.name,
      whom: to === userId ? undefined : mailedName(leaving.display_name) || leaving.email,
      until: momentText(leaving.leaves_at, org.timeZone),
      parent,
      publicUrl: publicUrl(),
      messageKey: `leaving-${orgId}-${userId}-${to}-${Date.parse(leavesAt)}`,
    }),
  );
}

/** "November 24, 2026 at 9:30 AM EST", by the organization's clocks. */
function momentText(moment: Date, timeZone: TimeZone): string {
  const parts = { year: 'numeric', month: 'long', day: 'numeric', hour: 'numeric', minute: '2-digit' } as const;
  return new Intl.DateTimeFormat('en-US', { ...parts, timeZoneName: 'short', timeZone }).format(moment);
}

/** Leads through the login page to the list of editors. */
function editorsLink(publicUrl: string, orgid: string): string {
  return throughLogin(publicUrl, pagePath('editors-page', { orgid }));
}

/** Leads through the login page to the overview of an organization, or to its home page if the role does not see that. */
function loginLink(publicUrl: string, orgid: string, role: Role): string {
  return throughLogin(publicUrl, pagePath(roleCan(role, 'overview.read') ? 'overview-page' : 'home-page', { orgid }));
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

type NewEditorMail = EditorMail & { readonly leaveLink: string };

/** To a user with an account, who gets the role without being asked. */
function newEditorMail({ email, role, link, leaveLink, orgName, from, parent, ...mail }: NewEditorMail): Mail {
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
      roleCan(role, 'editors.manage')
        ? note('You didn’t ask for this? To step down, remove yourself from the editors:', leaveLink)
        : note('To step down, ask an editor to remove you.'),
    ],
    sender: senderLines(parent, mail.publicUrl),
  });
}

type LeavingEditorMail = EditorMail & {
  /** The removed editor, if that is not the reader. */
  readonly whom: string | undefined;
  readonly until: string;
};

/** To the removed editor, and to the others. */
function leavingEditorMail({
  email,
  role,
  link,
  orgName,
  from,
  whom,
  until,
  parent,
  ...mail
}: LeavingEditorMail): Mail {
  const { noun } = ROLE_TEXTS[role];
  const lead = `${from} removed ${whom ?? 'you'} as ${noun} of the ${orgName} website.`;
  const title = `${whom ?? 'You'} will no longer be ${noun} of ${orgName}`;
  return writeLetter({
    ...mail,
    to: email,
    subject: title,
    preheader: lead,
    greeting: 'Hello,',
    title,
    parts: [
      paragraph(lead),
      paragraph(
        `Until ${until}, ${whom ?? 'you'} can still do everything, and you can object on the page of the editors.`,
      ),
      button('See the editors', link),
      note('If nobody objects, there is nothing to do. If you disagree with each other, please ask an admin.'),
    ],
    sender: senderLines(parent, mail.publicUrl),
  });
}
