import { expect, test } from 'vitest';
import { isEmail } from '#domain/profile.ts';
import {
  addressChangedEmail,
  confirmationEmail,
  existingAccountEmail,
  newAddressEmail,
  newDeviceEmail,
  passwordChangedEmail,
  resetEmail,
  signInEmail,
  takenAddressEmail,
  verificationEmail,
} from '#server/features/sessions/session-emails.ts';
import { PARENT } from '#test/support/build-app.ts';
import { extractLinks, extractVisibleText } from '#test/support/email-text.ts';

const link = 'https://fund.example/email-signin?code=Zm91ciBhbmQgdHdlbnR5&return_to=%2Forgs%2Fithaca';
const email = {
  email: 'uma@example.org',
  link,
  language: 'en',
  parent: PARENT,
  publicUrl: 'https://fund.example',
} as const;
const changedEmail = { ...email, changedAt: new Date('2026-03-14T09:30:00Z') };

const LINK_EMAILS = {
  signInEmail,
  verificationEmail,
  resetEmail,
  existingAccountEmail,
  newAddressEmail,
  takenAddressEmail,
};
const changedAddressEmail = { ...changedEmail, newEmail: 'uma.reyes@visitor.example' };
const confirmation = { ...email, code: '012345' };
const newDevice = {
  ...email,
  login: { at: changedEmail.changedAt, client: '203.0.113.7', browser: 'Firefox on Windows' },
};
const ALL_EMAILS = [
  ...Object.values(LINK_EMAILS).map((compose) => compose(email)),
  passwordChangedEmail(changedEmail),
  addressChangedEmail(changedAddressEmail),
  confirmationEmail(confirmation),
  newDeviceEmail(newDevice),
];

test.each(Object.entries(LINK_EMAILS))('%s has its link in both parts', (_name, compose) => {
  const { text, html } = compose(email);
  expect(text).toContain(`\n${link}\n`);
  expect(extractLinks(html).filter((href) => href === link)).toHaveLength(1);
});

test.each([
  [
    signInEmail,
    '10 minutes',
    'Someone, hopefully you, asked for a sign-in link',
    'If you use another browser, we’ll ask for your email',
  ],
  [verificationEmail, '24 hours', 'Please confirm this is your email address.', 'where you’re logged in'],
  [resetEmail, '60 minutes', 'Your password stays the same.', 'you’ll be logged out everywhere'],
  [existingAccountEmail, '10 minutes', 'Nothing was changed.', 'Forgot your password?'],
  [newAddressEmail, '10 minutes', 'asked to use this address for an account', 'Nothing changes without it.'],
  [takenAddressEmail, '10 minutes', 'so nothing was changed', `email ${PARENT.contactEmail}`],
])('both parts of %o state when the link expires and what to do', (compose, lifetime, ...phrases) => {
  const { text, html } = compose(email);
  for (const phrase of [...phrases, `It works once and expires in ${lifetime}.`, 'Please don’t forward this email.']) {
    expect(text).toContain(phrase);
    expect(extractVisibleText(html)).toContain(phrase);
  }
});

test('the password-changed email has the time and instructions in case it was someone else', () => {
  const { text, html } = passwordChangedEmail(changedEmail);
  for (const part of [text, extractVisibleText(html)]) {
    expect(part).toContain('was changed on March 14, 2026 at 9:30 AM (UTC).');
    expect(part).toContain('choose a new password right away.');
    expect(part).toContain(`please let us know: ${PARENT.contactEmail}`);
  }
  expect(extractLinks(html)).toEqual(['https://fund.example/forgot-password']);
});

test('the email to a former address has the time of the change and a contact address, and masks the new address', () => {
  const { text, html } = addressChangedEmail(changedAddressEmail);
  for (const part of [text, extractVisibleText(html)]) {
    expect(part).toContain('was changed to u***@visitor.example on March 14, 2026 at 9:30 AM (UTC).');
    expect(part).toContain(`If this wasn’t you, email ${PARENT.contactEmail} right away.`);
    expect(part).not.toContain('uma.reyes');
  }
});

test('the new-browser email has the time, browser, network address, and instructions in case it was someone else', () => {
  const { text, html } = newDeviceEmail(newDevice);
  for (const part of [text, extractVisibleText(html)]) {
    expect(part).toMatch(/When:? March 14, 2026 at 9:30 AM \(UTC\)/);
    expect(part).toMatch(/Browser:? Firefox on Windows/);
    expect(part).toMatch(/IP address:? 203\.0\.113\.7/);
    expect(part).toContain('change your password right away. That logs you out on every device.');
    expect(part).toContain(`please let us know: ${PARENT.contactEmail}`);
  }
  const links = ['https://fund.example/login?return_to=%2Fuser-home%2Faccount', 'https://fund.example/forgot-password'];
  expect(extractLinks(html)).toEqual(links);
  for (const href of links) expect(text).toContain(`\n${href}\n`);
});

test('the code email has the code, its purpose, and what to do if it wasn’t requested', () => {
  const { text, html } = confirmationEmail(confirmation);
  for (const part of [text, extractVisibleText(html)]) {
    expect(part).toContain('Your code is 012345.');
    expect(part).toContain('It works once and expires in 10 minutes.');
    expect(part).toContain('Don’t give them the code');
  }
  expect(text).toContain('\nhttps://fund.example/forgot-password\n');
  expect(extractLinks(html)).toEqual(['https://fund.example/forgot-password']);
});

test.each(ALL_EMAILS)('both parts of "$subject" name the sender', ({ to, subject, text, html }) => {
  expect(isEmail(to)).toBe(true);
  expect(subject).toMatch(/^[^\n\r]{10,80}$/);
  for (const part of [text, extractVisibleText(html)]) {
    expect(part).toContain('City Climate Fund, https://fund.example, is a program of Sample Civic Organization.');
    expect(part).toContain(PARENT.address);
    expect(part).toContain(PARENT.contactEmail);
  }
});

test.each(ALL_EMAILS)('the preview text of "$subject" is also in the email', ({ text, html }) => {
  const preheader = /<div style="display:none[^>]*>([^<]+)<\/div>/.exec(html)?.[1] ?? '';
  expect(preheader.length).toBeGreaterThan(20);
  expect(text).toContain(extractVisibleText(preheader));
});

test('each email has its own message key, and a retry uses the same key', () => {
  const keys = [...ALL_EMAILS, signInEmail({ ...email, link: `${link}2` })].map(({ messageKey }) => messageKey);
  expect(new Set(keys).size).toBe(keys.length);
  expect(signInEmail({ ...email }).messageKey).toBe(keys[0]);
});

test('a message key doesn’t reveal the link’s code', () => {
  for (const { messageKey } of ALL_EMAILS) expect(messageKey).not.toMatch(/Zm91|example/);
});
