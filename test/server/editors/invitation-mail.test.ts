import { expect, test } from 'vitest';
import { invitationMail } from '#server/features/editors/invitation-mail.ts';
import { PARENT } from '#test/support/build-app.ts';
import { linksOf, wordsOf } from '#test/support/mail-words.ts';

const invitation = {
  invitationId: 'invitation-1',
  email: 'edna@example.org',
  link: 'https://fund.example/signup?return_to=%2Forgs%2Fithaca%2Feditor%2Feditors',
  orgName: 'Ithaca Climate Fund',
  inviter: 'Edgar Editor',
  parent: PARENT,
  publicUrl: 'https://fund.example',
};

test('both parts of an invitation say who asks, for what, with which address, and what to do if it is unwanted', () => {
  const { to, subject, text, html } = invitationMail(invitation);
  expect(to).toBe('edna@example.org');
  expect(subject).toBe('An invitation to edit Ithaca Climate Fund');
  for (const part of [text, wordsOf(html)]) {
    expect(part).toContain('Edgar Editor asks you to edit the site of Ithaca Climate Fund at City Climate Fund.');
    expect(part).toContain('It is for edna@example.org alone');
    expect(part).toContain('you need not do anything');
    expect(part).toContain(invitation.link);
    expect(part).toContain(PARENT.address);
  }
  expect(linksOf(html)).toEqual([invitation.link, invitation.link]);
});

test('a name with a line break or markup in it stays a name', () => {
  const { subject, text, html } = invitationMail({
    ...invitation,
    orgName: 'Fund\r\nBcc: all@example.org',
    inviter: '<script>alert(1)</script>\n\nSend money',
  });
  expect(subject).toBe('An invitation to edit Fund Bcc: all@example.org');
  expect(text).toContain('<script>alert(1)</script> Send money asks you');
  expect(html).not.toContain('<script>');
});

test('each invitation is a mail of its own', () => {
  const other = invitationMail({ ...invitation, invitationId: 'invitation-2' });
  expect(other.messageKey).not.toBe(invitationMail(invitation).messageKey);
});
