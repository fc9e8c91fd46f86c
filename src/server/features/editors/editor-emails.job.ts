import { z } from 'zod';
import { DEFAULT_LANGUAGE } from '#contract/languages.ts';
import { pagePath } from '#contract/pages.ts';
import type { TimeZone } from '#domain/days.ts';
import { EDITOR_UNDO_MS, INVITATION_DAYS, invitationExpiry } from '#domain/editor-terms.ts';
import { makeEmailSafe } from '#domain/names.ts';
import { ROLE_TEXTS, ROLES, type Role } from '#domain/permissions.ts';
import type { EmailDeps } from '#server/deps.ts';
import { findOrg } from '#server/entities/find-org.ts';
import { findUserRow } from '#server/entities/find-user.ts';
import {
  button,
  composeEmail,
  type EmailPart,
  type Envelope,
  loginUrl,
  note,
  outlineButtons,
  paragraph,
} from '#server/gateways/email/compose-email.ts';
import type { Email } from '#server/gateways/email/mailer.ts';
import { defineJob } from '#server/jobs/define-job.ts';
import { findEditorById, findInvitationById } from './editors.store.ts';

/** Creates a link that logs in the invited person. */
type CreateInvitationLink = (invitation: {
  readonly invitationId: string;
  readonly email: string;
  readonly returnTo: string;
  readonly expiresAt: Date;
}) => Promise<string>;

/** Emails an invitation, unless it was accepted, withdrawn, or replaced. */
export const sendInvitationEmail = defineJob({
  name: 'send-invitation-email',
  payload: z.object({ orgId: z.string(), invitationId: z.string() }),
  async run(
    {
      db,
      parent,
      publicUrl,
      mailer,
      createInvitationLink,
    }: EmailDeps & { readonly createInvitationLink: CreateInvitationLink },
    { orgId, invitationId },
  ) {
    const [invitation, org] = await Promise.all([
      findInvitationById(db.kysely, orgId, invitationId),
      findOrg(db, orgId),
    ]);
    if (!invitation || !org) return;
    await mailer.send(
      composeInvitationEmail({
        email: invitation.email,
        language: DEFAULT_LANGUAGE,
        role: invitation.role,
        link: await createInvitationLink({
          invitationId,
          email: invitation.email,
          returnTo: pagePath('overview-page', { orgid: orgId }),
          expiresAt: invitationExpiry(invitation.created_at),
        }),
        orgName: org.name,
        from: makeEmailSafe(invitation.inviter_name) || invitation.inviter_email || org.name,
        parent,
        publicUrl: publicUrl(),
        messageKey: `invitation-${invitationId}`,
      }),
    );
  },
});

/** Emails a user about a new or changed role, unless the user no longer has it. */
export const sendNewRoleEmail = defineJob({
  name: 'send-new-role-email',
  payload: z.object({ orgId: z.string(), userId: z.string(), addedBy: z.string().nullable() }),
  async run({ db, parent, publicUrl, mailer }: EmailDeps, { orgId, userId, addedBy }) {
    const [editor, inviter, org] = await Promise.all([
      findEditorById(db.kysely, orgId, userId),
      addedBy === null ? undefined : findUserRow(db.kysely, addedBy),
      findOrg(db, orgId),
    ]);
    if (!editor || !org) return;
    await mailer.send(
      composeNewRoleEmail({
        email: editor.email,
        language: DEFAULT_LANGUAGE,
        role: editor.role,
        link: createOverviewLink(publicUrl(), orgId),
        leaveLink: createEditorsLink(publicUrl(), orgId),
        orgName: org.name,
        from: makeEmailSafe(inviter?.display_name) || inviter?.email || org.name,
        parent,
        publicUrl: publicUrl(),
        messageKey: `editor-${orgId}-${userId}-${editor.role}-${editor.created_at.getTime()}`,
      }),
    );
  },
});

/**
 * Emails `to` that a user lost a role, unless the role has changed again. When an editor is removed, the other editors and the
 * admins get the email too.
 */
export const sendLostRoleEmail = defineJob({
  name: 'send-lost-role-email',
  payload: z.object({
    orgId: z.string(),
    userId: z.string(),
    to: z.string(),
    role: z.enum(ROLES),
    newRole: z.enum(ROLES).nullable(),
    removedBy: z.string(),
    at: z.string(),
  }),
  async run({ db, parent, publicUrl, mailer }: EmailDeps, { orgId, userId, to, role, newRole, removedBy, at }) {
    const [editor, person, recipient, remover, org] = await Promise.all([
      findEditorById(db.kysely, orgId, userId),
      findUserRow(db.kysely, userId),
      findUserRow(db.kysely, to),
      findUserRow(db.kysely, removedBy),
      findOrg(db, orgId),
    ]);
    if (!person || !recipient || !org || (editor?.role ?? null) !== newRole) return;
    const isRecipient = to === userId;
    const undoUntil =
      role === 'editor' ? formatTime(new Date(Date.parse(at) + EDITOR_UNDO_MS), org.timeZone) : undefined;
    await mailer.send(
      composeLostRoleEmail({
        email: recipient.email,
        language: DEFAULT_LANGUAGE,
        role,
        newRole,
        link: createEditorsLink(publicUrl(), orgId),
        orgName: org.name,
        from: makeEmailSafe(remover?.display_name) || remover?.email || org.name,
        personEmail: isRecipient ? undefined : person.email,
        undoUntil,
        parent,
        publicUrl: publicUrl(),
        messageKey: `lost-role-${orgId}-${userId}-${to}-${Date.parse(at)}`,
      }),
    );
  },
});

/** A time in the organization's time zone, such as "November 24, 2026 at 9:30 AM EST". */
function formatTime(time: Date, timeZone: TimeZone): string {
  const parts = { year: 'numeric', month: 'long', day: 'numeric', hour: 'numeric', minute: '2-digit' } as const;
  return new Intl.DateTimeFormat('en-US', { ...parts, timeZoneName: 'short', timeZone }).format(time);
}

function createEditorsLink(publicUrl: string, orgId: string): string {
  return loginUrl(publicUrl, pagePath('editors-page', { orgid: orgId }));
}

/** Link to an organization's overview, whose content depends on the user's role. */
function createOverviewLink(publicUrl: string, orgId: string): string {
  return loginUrl(publicUrl, pagePath('overview-page', { orgid: orgId }));
}

type EditorEmail = Envelope & {
  readonly role: Role;
  readonly link: string;
  readonly orgName: string;
  /** Name or address of the person who granted or changed the role. */
  readonly from: string;
};

/** Composes the email to an address without an account (decisions §4). */
export function composeInvitationEmail(details: EditorEmail): Email {
  const { email, role, link, orgName, from } = details;
  const { invitationPhrase, description } = ROLE_TEXTS[role];
  const lead = `${from} invited you to ${invitationPhrase} ${orgName}.`;
  return composeEmail(details, {
    subject: `You’re invited to ${invitationPhrase} ${orgName}`,
    preheader: lead,
    name: null,
    title: `${invitationPhrase.charAt(0).toUpperCase()}${invitationPhrase.slice(1)} ${orgName}`,
    parts: [
      paragraph(lead),
      paragraph(description),
      button('Accept the invitation', link),
      note(`This invitation is for ${email}. It works once, logs you in, and expires after ${INVITATION_DAYS} days.`),
      note('Please don’t forward this email. The link is only for you.'),
      note('Not expecting this? You can ignore it.'),
    ],
  });
}

type NewRoleEmail = EditorEmail & { readonly leaveLink: string };

/** Composes the email to a user with an account, who gets the role immediately. */
function composeNewRoleEmail(details: NewRoleEmail): Email {
  const { role, link, leaveLink, orgName, from } = details;
  const { roleNoun, description } = ROLE_TEXTS[role];
  const lead = `${from} made you ${roleNoun} of ${orgName}.`;
  return composeEmail(details, {
    subject: `You’re now ${roleNoun} of ${orgName}`,
    preheader: lead,
    name: null,
    title: `You’re now ${roleNoun} of ${orgName}`,
    parts: [
      paragraph(lead),
      paragraph(description),
      button('Get started', link),
      note('Didn’t ask for this? You can step down by removing yourself from the editors.'),
      ...outlineButtons(['Open the editors', leaveLink]),
    ],
  });
}

type LostRoleEmail = EditorEmail & {
  /** The new role; null if the person has no role now. */
  readonly newRole: Role | null;
  /** Undefined if the person is the recipient. */
  readonly personEmail: string | undefined;
  /** Undefined if the change can't be undone. */
  readonly undoUntil: string | undefined;
};

/** Composes the email to the person who lost a role, the other editors, and the admins. */
function composeLostRoleEmail(details: LostRoleEmail): Email {
  const { role, orgName, from, personEmail, newRole } = details;
  const { roleNoun, label } = ROLE_TEXTS[role];
  const lead = newRole
    ? `${from} changed ${personEmail === undefined ? 'your role' : `the role of ${personEmail}`} at ${orgName} from “${label}” to “${ROLE_TEXTS[newRole].label}”.`
    : `${from} removed ${personEmail ?? 'you'} as ${roleNoun} of ${orgName}.`;
  const title = `${personEmail === undefined ? 'You’re' : `${personEmail} is`} no longer ${roleNoun} of ${orgName}`;
  return composeEmail(details, {
    subject: title,
    preheader: lead,
    name: null,
    title,
    parts: [paragraph(lead), ...createLostRoleAdvice(details)],
  });
}

function createLostRoleAdvice({ link, orgName, personEmail, newRole, undoUntil, parent }: LostRoleEmail): EmailPart[] {
  if (personEmail !== undefined) {
    return [
      paragraph(`If this is a mistake, any editor or admin can undo it until ${undoUntil}.`),
      button('See the editors', link),
    ];
  }
  const contact = `If this is a mistake, ask an editor of ${orgName} or email ${parent.contactEmail}.`;
  return [
    paragraph(newRole ? ROLE_TEXTS[newRole].description : 'Your account, gifts, and stories don’t change.'),
    note(undoUntil === undefined ? contact : `${contact} They can undo it until ${undoUntil}.`),
  ];
}
