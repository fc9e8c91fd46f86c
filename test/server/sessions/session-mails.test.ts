import { expect, test } from 'vitest';
import { isEmail } from '#domain/profile.ts';
import {
  knownAddressMail,
  passwordChangedMail,
  resetMail,
  signInMail,
  verificationMail,
} from '#server/features/sessions/session-mails.ts';
import { PARENT } from '#test/support/build-app.ts';
import { linksOf, wordsOf } from '#test/support/mail-words.ts';

const link = 'https://fund.example/email-signin?code=Zm91ciBhbmQgdHdlbnR5&return_to=%2Forgs%2Fithaca';
const mail = { email: 'uma@example.org', link, parent: PARENT, publicUrl: 'https://fund.example' };
const changed = { ...mail, changedAt: new Date('2026-03-14T09:30:00Z') };

const LINK_MAILS = { signInMail, verificationMail, resetMail, knownAddressMail };
const ALL = [...Object.values(LINK_MAILS).map((make) => make(mail)), passwordChangedMail(changed)];

test.each(Object.entries(LINK_MAILS))('%s leads by its link alone, and says it in both parts', (_name, make) => {
  const { text, html } = make(mail);
  expect(text).toContain(`\n${link}\n`);
  expect(wordsOf(html)).toContain(link);
  expect(linksOf(html).filter((href) => href === link)).toHaveLength(2);
});

test.each([
  [signInMail, 'within 10 minutes', 'If you did not ask for it, you need not do anything', 'email address first'],
  [verificationMail, 'within 24 hours', 'If you made no account, please do not open it', 'where you are signed in'],
  [resetMail, 'within 60 minutes', 'your password stays as it is', 'you are signed out wherever'],
  [knownAddressMail, 'within 10 minutes', 'Nothing about it was changed', 'https://fund.example/forgot-password'],
])('both parts of %o say how long its link lives and what to do', (make, ...said) => {
  const { text, html } = make(mail);
  for (const each of [...said, 'It works once', 'please do not pass it on']) {
    expect(text).toContain(each);
    expect(wordsOf(html)).toContain(each);
  }
});

test('a changed password is told with its moment, and where to go if it was somebody else', () => {
  const { text, html } = passwordChangedMail(changed);
  for (const part of [text, wordsOf(html)]) {
    expect(part).toContain('was changed on March 14, 2026 at 9:30 AM (UTC).');
    expect(part).toContain('choose a new password at once: https://fund.example/forgot-password');
    expect(part).toContain(`please tell us: ${PARENT.contactEmail}`);
  }
  expect(linksOf(html)).toEqual(['https://fund.example/forgot-password']);
});

test.each(ALL)('"$subject" says who sends it and from where, in both parts', ({ to, subject, text, html }) => {
  expect(isEmail(to)).toBe(true);
  expect(subject).toMatch(/^[^\n\r]{10,80}$/);
  for (const part of [text, wordsOf(html)]) {
    expect(part).toContain('City Climate Fund, https://fund.example, is a program of Sample Civic Organization.');
    expect(part).toContain(PARENT.address);
    expect(part).toContain(PARENT.contactEmail);
  }
});

test.each(ALL)('what mail programs show beside "$subject" stands in the mail too', ({ text, html }) => {
  const preheader = /<div style="display:none[^>]*>([^<]+)<\/div>/.exec(html)?.[1] ?? '';
  expect(preheader.length).toBeGreaterThan(20);
  expect(text).toContain(wordsOf(preheader));
});

test('two mails are never taken for one, and a repeated try at a mail is', () => {
  const keys = [...ALL, signInMail({ ...mail, link: `${link}2` })].map(({ messageKey }) => messageKey);
  expect(new Set(keys).size).toBe(keys.length);
  expect(signInMail({ ...mail }).messageKey).toBe(keys[0]);
});

test('a message key does not give the code of the link away', () => {
  for (const { messageKey } of ALL) expect(messageKey).not.toMatch(/Zm91|example/);
});
