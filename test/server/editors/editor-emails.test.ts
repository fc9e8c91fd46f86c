// @spec 2.editor decisions.4
import { expect, test } from 'vitest';
import { ROLE_TEXTS, ROLES } from '#domain/permissions.ts';
import {
  composeInvitationEmail,
  sendInvitationEmail,
  sendLostRoleEmail,
  sendNewRoleEmail,
} from '#server/features/editors/editor-emails.job.ts';
import type { Email } from '#server/gateways/email/mailer.ts';
import type { Job } from '#server/jobs/define-job.ts';
import { PARENT } from '#test/support/build-app.ts';
import { addEditor } from '#test/support/builders/editor.ts';
import { addInvitation } from '#test/support/builders/invitation.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { addUser } from '#test/support/builders/user.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { extractLinks, extractVisibleText } from '#test/support/email-text.ts';

const db = await createTestDatabase();

/** Runs a job. @returns the emails it sends */
async function runEmailJob<Payload extends object>(
  job: Job<Payload, Parameters<typeof sendInvitationEmail.run>[0]>,
  payload: NoInfer<Payload>,
) {
  const sentEmails: Email[] = [];
  const mailer = { send: async (email: Email) => void sentEmails.push(email) };
  const createInvitationLink = async ({ returnTo }: { returnTo: string }) =>
    `https://fund.example/mailed?return_to=${returnTo}`;
  await job.run({ db, parent: PARENT, publicUrl: () => 'https://fund.example', mailer, createInvitationLink }, payload);
  return sentEmails;
}
const loginLink = (orgId: string) =>
  `https://fund.example/login?return_to=${encodeURIComponent(`/orgs/${orgId}/editor/`)}`;

const invitation = {
  email: 'edna@example.org',
  language: 'en',
  role: 'editor',
  link: 'https://fund.example/login?return_to=%2Forgs%2Fithaca%2Feditor%2F',
  orgName: 'Ithaca Climate Fund',
  from: 'Edgar Editor',
  parent: PARENT,
  publicUrl: 'https://fund.example',
  messageKey: 'invitation-1',
} as const;

test('both parts of an invitation state the sender, purpose, and recipient, and that it can be ignored', () => {
  const { to, subject, text, html } = composeInvitationEmail(invitation);
  expect(to).toBe('edna@example.org');
  expect(subject).toBe('You’re invited to help edit Ithaca Climate Fund');
  for (const part of [text, extractVisibleText(html)]) {
    expect(part).toContain('Edgar Editor invited you to help edit Ithaca Climate Fund.');
    expect(part).toContain(
      'This invitation is for edna@example.org. It works once, logs you in, and expires after 14 days.',
    );
    expect(part).toContain('Not expecting this? You can ignore it.');
    expect(part).toContain(PARENT.address);
  }
  expect(text).toContain(invitation.link);
  expect(extractLinks(html)).toEqual([invitation.link]);
});

test('line breaks and markup in names are harmless', () => {
  const { subject, text, html } = composeInvitationEmail({
    ...invitation,
    orgName: 'Fund\r\nBcc: all@example.org',
    from: '<script>alert(1)</script>\n\nSend money',
  });
  expect(subject).toBe('You’re invited to help edit Fund Bcc: all@example.org');
  expect(text).toContain('<script>alert(1)</script> Send money invited you');
  expect(html).not.toContain('<script>');
});

test('an invitation links to a login for its address and to the editor overview', async () => {
  const orgId = await addOrg(db, { name: 'Ithaca Climate Fund' });
  const inviter = await addUser(db, { display_name: 'Edith Editor' });
  const invitationId = await addInvitation(db, orgId, { email: 'ivo@example.org', invited_by: inviter });
  const [email] = await runEmailJob(sendInvitationEmail, { orgId, invitationId });
  expect(email).toMatchObject({ to: 'ivo@example.org', messageKey: `invitation-${invitationId}` });
  expect(email?.text).toContain('Edith Editor invited you to help edit Ithaca Climate Fund.');
  for (const part of [email?.text, email?.html]) {
    expect(part).toContain(`https://fund.example/mailed?return_to=/orgs/${orgId}/editor/`);
  }
});

test('an inviter without a name is shown by address, and a deleted inviter as the organization', async () => {
  const orgId = await addOrg(db, { name: 'Fund of the Hill' });
  const unnamedUser = await addUser(db, { display_name: '', email: 'unnamed@example.org' });
  const unnamedInvitation = { orgId, invitationId: await addInvitation(db, orgId, { invited_by: unnamedUser }) };
  expect((await runEmailJob(sendInvitationEmail, unnamedInvitation))[0]?.text).toContain(
    'unnamed@example.org invited you',
  );
  const deletedInvitation = { orgId, invitationId: await addInvitation(db, orgId) };
  expect((await runEmailJob(sendInvitationEmail, deletedInvitation))[0]?.text).toContain(
    'Fund of the Hill invited you',
  );
});

test('a canceled invitation isn’t emailed', async () => {
  expect(await runEmailJob(sendInvitationEmail, { orgId: await addOrg(db), invitationId: 'withdrawn' })).toEqual([]);
});

test('the email to a new editor names who added them and the organization, and explains how to start and step down', async () => {
  const orgId = await addOrg(db, { name: 'Ithaca Climate Fund' });
  const userId = await addUser(db, { email: 'nora.new@example.org' });
  const addedBy = await addUser(db, { display_name: 'Edith Editor' });
  await addEditor(db, orgId, userId);
  const [email] = await runEmailJob(sendNewRoleEmail, { orgId, userId, addedBy });
  expect(email).toMatchObject({ to: 'nora.new@example.org', subject: 'You’re now an editor of Ithaca Climate Fund' });
  for (const part of [email?.text, extractVisibleText(email?.html ?? '')]) {
    expect(part).toContain('Edith Editor made you an editor of Ithaca Climate Fund.');
    expect(part).toContain('You can step down by removing yourself from the editors.');
  }
  for (const part of [email?.text, email?.html]) expect(part).toContain(loginLink(orgId));
});

const REMOVED_AT = '2026-11-24T14:30:00.000Z';

test('emails to the removed editor and the others name who removed them and the undo deadline', async () => {
  const orgId = await addOrg(db, { name: 'Ithaca Climate Fund', time_zone: 'America/New_York' });
  const [userId, otherUser] = [await addUser(db, { email: 'out@example.org' }), await addUser(db)];
  const removedBy = await addUser(db, { display_name: 'Edith Editor' });
  const job = { orgId, userId, role: 'editor', newRole: null, removedBy, at: REMOVED_AT } as const;
  const [ownEmail] = await runEmailJob(sendLostRoleEmail, { ...job, to: userId });
  expect(ownEmail).toMatchObject({
    to: 'out@example.org',
    subject: 'You’re no longer an editor of Ithaca Climate Fund',
  });
  expect(ownEmail?.text).toContain('Edith Editor removed you as an editor of Ithaca Climate Fund.');
  expect(ownEmail?.text.replace(/\s+/g, ' ')).toContain(
    `ask an editor of Ithaca Climate Fund or email ${PARENT.contactEmail}. They can undo it until November 25, 2026 at 9:30 AM EST.`,
  );
  const [emailToOther] = await runEmailJob(sendLostRoleEmail, { ...job, to: otherUser });
  expect(emailToOther?.text).toContain('Edith Editor removed out@example.org as an editor');
  expect(emailToOther?.text.replace(/\s+/g, ' ')).toContain(
    'any editor or admin can undo it until November 25, 2026 at 9:30 AM EST.',
  );
  expect(emailToOther?.text).toContain(encodeURIComponent(`/orgs/${orgId}/editor/editors`));
  await addEditor(db, orgId, userId);
  for (const to of [userId, otherUser]) expect(await runEmailJob(sendLostRoleEmail, { ...job, to })).toEqual([]);
});

test('the email to a demoted editor describes the remaining role', async () => {
  const orgId = await addOrg(db, { name: 'Ithaca Climate Fund' });
  const [userId, otherUser] = [await addUser(db, { email: 'less@example.org' }), await addUser(db)];
  const removedBy = await addUser(db, { display_name: 'Edith' });
  await addEditor(db, orgId, userId, { role: 'reader' });
  const job = { orgId, userId, role: 'editor', newRole: 'reader', removedBy, at: REMOVED_AT } as const;
  const [ownEmail] = await runEmailJob(sendLostRoleEmail, { ...job, to: userId });
  expect(ownEmail?.text).toContain('Edith changed your role at Ithaca Climate Fund from “Editor” to “Viewer”.');
  expect(ownEmail?.text.replace(/\s+/g, ' ')).toContain(ROLE_TEXTS.reader.description);
  const [emailToOther] = await runEmailJob(sendLostRoleEmail, { ...job, to: otherUser });
  expect(emailToOther?.text.replace(/\s+/g, ' ')).toContain(
    'Edith changed the role of less@example.org at Ithaca Climate Fund',
  );
});

test('the email about a lost narrower role names who removed it, unless the person has a role again', async () => {
  const orgId = await addOrg(db, { name: 'Ithaca Climate Fund' });
  const [userId, removedBy] = [await addUser(db), await addUser(db, { display_name: 'Edith Editor' })];
  const job = { orgId, userId, to: userId, role: 'money', newRole: null, removedBy, at: REMOVED_AT } as const;
  const [email] = await runEmailJob(sendLostRoleEmail, job);
  expect(email?.subject).toBe('You’re no longer a treasurer of Ithaca Climate Fund');
  expect(email?.text).toContain('Edith Editor removed you as a treasurer of Ithaca Climate Fund.');
  expect(email?.text).not.toContain('undo');
  await addEditor(db, orgId, userId, { role: 'texts' });
  expect(await runEmailJob(sendLostRoleEmail, job)).toEqual([]);
});

test('a new editor added by a deleted user gets the email from the organization', async () => {
  const orgId = await addOrg(db, { name: 'Fund of the Hill' });
  const userId = await addUser(db);
  await addEditor(db, orgId, userId);
  const [email] = await runEmailJob(sendNewRoleEmail, { orgId, userId, addedBy: 'deleted' });
  expect(email?.text).toContain('Fund of the Hill made you an editor');
});

test.each(ROLES)('both emails describe what %s can do', async (role) => {
  const orgId = await addOrg(db);
  const userId = await addUser(db);
  await addEditor(db, orgId, userId, { role });
  const invitationId = await addInvitation(db, orgId, { role });
  const emails = [
    ...(await runEmailJob(sendNewRoleEmail, { orgId, userId, addedBy: userId })),
    ...(await runEmailJob(sendInvitationEmail, { orgId, invitationId })),
  ];
  expect(emails).toHaveLength(2);
  for (const { text } of emails) expect(text.replace(/\s+/g, ' ')).toContain(ROLE_TEXTS[role].description);
});

test('a restored role isn’t emailed', async () => {
  const userId = await addUser(db);
  expect(await runEmailJob(sendNewRoleEmail, { orgId: await addOrg(db), userId, addedBy: userId })).toEqual([]);
});
