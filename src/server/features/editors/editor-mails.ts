import { pagePath } from '#contract/pages.ts';
import type { TimeZone } from '#domain/days.ts';
import { INVITATION_DAYS, invitationEnd } from '#domain/invitations.ts';
import { mailedName } from '#domain/names.ts';
import { ROLE_TEXTS, type Role } from '#domain/permissions.ts';
import type { AppDeps, Parent } from '#server/deps.ts';
import { button, note, paragraph, senderLines, throughLogin, writeLetter } from '#server/gateways/mail/letter.ts';
import type { Mail, Mailer } from '#server/gateways/mail/mailer.ts';
import type { JobData } from '#server/jobs/jobs.ts';
import { findOrg } from '#server/orgs/find-org.ts';
import { userById } from '#server/users/find-user.ts';
import { editorById, invitationById } from './editors.store.ts';

export type EditorMailDeps = Pick<AppDeps, 'db' | 'parent' | 'publicUrl'> & { readonly mailer: Mailer };

/** Logs in whom it is mailed to. */
type NewInvitationLink = (invitation: {
  readonly invitationId: string;
  readonly email: string;
  readonly returnTo: string;
  readonly expiresAt: Date;
}) => Promise<string>;

/**
 * Mails an invitation, unless it was accepted, withdrawn or replaced meanwhile.
 * @throws when the mail is not accepted; the job then retries
 */
export async function mailInvitation(
  { db, parent, publicUrl, mailer, newLink }: EditorMailDeps & { readonly newLink: NewInvitationLink },
  { orgId, invitationId }: JobData['mail-role-invitation'],
): Promise<void> {
  const [invitation, org] = await Promise.all([invitationById(db.kysely, orgId, invitationId), findOrg(db, orgId)]);
  if (!invitation || !org) return;
  await mailer.send(
    invitationMail({
      email: invitation.email,
      role: invitation.role,
      link: await newLink({
        invitationId,
        email: invitation.email,
        returnTo: pagePath('overview-page', { orgid: orgId }),
        expiresAt: invitationEnd(invitation.created_at),
      }),
      orgName: org.name,
      from: mailedName(invitation.inviter_name) || invitation.inviter_email || org.name,
      parent,
      publicUrl: publicUrl(),
      messageKey: `invitation-${invitationId}`,
    }),
  );
}

/**
 * Tells a user about a new role, also in place of another, unless it was taken back meanwhile.
 * @throws when the mail is not accepted; the job then retries
 */
export async function mailNewRole(
  { db, parent, publicUrl, mailer }: EditorMailDeps,
  { orgId, userId, addedBy }: JobData['mail-new-role'],
): Promise<void> {
  const [editor, adder, org] = await Promise.all([
    editorById(db.kysely, orgId, userId),
    userById(db.kysely, addedBy),
    findOrg(db, orgId),
  ]);
  if (!editor || !org) return;
  await mailer.send(
    newRoleMail({
      email: editor.email,
      role: editor.role,
      link: areaLink(publicUrl(), orgId),
      leaveLink: editorsLink(publicUrl(), orgId),
      orgName: org.name,
      from: mailedName(adder?.display_name) || adder?.email || org.name,
      parent,
      publicUrl: publicUrl(),
      messageKey: `editor-${orgId}-${userId}-${editor.role}-${editor.created_at.getTime()}`,
    }),
  );
}

/**
 * Tells someone that their role was taken away at once, unless they have one again.
 * @throws when the mail is not accepted; the job then retries
 */
export async function mailLostRole(
  { db, parent, publicUrl, mailer }: EditorMailDeps,
  { orgId, userId, role, removedBy, at }: JobData['mail-lost-role'],
): Promise<void> {
  const [again, person, remover, org] = await Promise.all([
    editorById(db.kysely, orgId, userId),
    userById(db.kysely, userId),
    userById(db.kysely, removedBy),
    findOrg(db, orgId),
  ]);
  if (again || !person || !org) return;
  const title = `You’re no longer ${ROLE_TEXTS[role].noun} of ${org.name}`;
  const lead = `${mailedName(remover?.display_name) || remover?.email || org.name} took your role away.`;
  await mailer.send(
    writeLetter({
      to: person.email,
      subject: title,
      preheader: lead,
      greeting: 'Hello,',
      title,
      parts: [
        paragraph(lead),
        paragraph('Your account, your gifts and your own stories stay as they are.'),
        note(`Is this a mistake? Please ask an editor of ${org.name}.`),
      ],
      sender: senderLines(parent, publicUrl()),
      publicUrl: publicUrl(),
      messageKey: `lost-role-${orgId}-${userId}-${Date.parse(at)}`,
    }),
  );
}

/**
 * Tells an editor that another editor removed or demoted one of them, unless somebody has objected meanwhile.
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
      becomes: leaving.becomes,
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

/** Leads through the login page to the overview of an organization, which shows each role its own part. */
function areaLink(publicUrl: string, orgid: string): string {
  return throughLogin(publicUrl, pagePath('overview-page', { orgid }));
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
  const lead = `${from} invited you to ${task} ${orgName}.`;
  return writeLetter({
    ...mail,
    to: email,
    subject: `You’re invited to ${task} ${orgName}`,
    preheader: lead,
    greeting: 'Hello,',
    title: `${task.charAt(0).toUpperCase()}${task.slice(1)} ${orgName}`,
    parts: [
      paragraph(lead),
      paragraph(description),
      button('Accept the invitation', link),
      note(`It’s for ${email}, works once and logs you in, for ${INVITATION_DAYS} days unless an editor withdraws it.`),
      note('Please don’t forward this email: the link is yours alone.'),
      note('Not expecting this? You can ignore it.'),
    ],
    sender: senderLines(parent, mail.publicUrl),
  });
}

type NewRoleMail = EditorMail & { readonly leaveLink: string };

/** To a user with an account, who gets the role without being asked. */
function newRoleMail({ email, role, link, leaveLink, orgName, from, parent, ...mail }: NewRoleMail): Mail {
  const { noun, description } = ROLE_TEXTS[role];
  const lead = `${from} made you ${noun} of ${orgName}.`;
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
      note('You didn’t ask for this? To step down, remove yourself from the editors:', leaveLink),
    ],
    sender: senderLines(parent, mail.publicUrl),
  });
}

type LeavingEditorMail = EditorMail & {
  /** The removed editor, if that is not the reader. */
  readonly whom: string | undefined;
  /** What is left of the role. */
  readonly becomes: Role | null;
  readonly until: string;
};

/** To the removed or demoted editor, and to the others. */
function leavingEditorMail({
  email,
  role,
  link,
  orgName,
  from,
  whom,
  becomes,
  until,
  parent,
  ...mail
}: LeavingEditorMail): Mail {
  const { noun } = ROLE_TEXTS[role];
  const lead = becomes
    ? `${from} changed ${whom === undefined ? 'your role' : `the role of ${whom}`} at ${orgName} from “${ROLE_TEXTS[role].label}” to “${ROLE_TEXTS[becomes].label}”.`
    : `${from} removed ${whom ?? 'you'} as ${noun} of ${orgName}.`;
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
      ...(becomes ? [paragraph(ROLE_TEXTS[becomes].description)] : []),
      paragraph(
        `Until ${until}, ${whom ?? 'you'} can still do everything, and you can object on the page of the editors.`,
      ),
      button('See the editors', link),
      note('If nobody objects, there is nothing to do. If you disagree with each other, please ask an admin.'),
    ],
    sender: senderLines(parent, mail.publicUrl),
  });
}
