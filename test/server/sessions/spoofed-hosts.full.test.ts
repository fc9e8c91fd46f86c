// @spec decisions.4
import { expect, test } from 'vitest';
import { callPath } from '#contract/calls.ts';
import { sendInvitationEmail, sendNewRoleEmail } from '#server/features/editors/editor-emails.job.ts';
import { createInvitationLink, type InvitationLink } from '#server/features/sessions/accept-invitation.ts';
import type { Email } from '#server/gateways/email/mailer.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { extractLinks } from '#test/support/email-text.ts';
import { HOSTILE_RETURNS } from '#test/support/hostile-returns.ts';
import { PASSWORD, startPeople } from '#test/support/people.ts';
import { signIn } from '#test/support/sign-in.ts';
import { SPOOFED_HOSTS } from '#test/support/spoofed-hosts.ts';

const people = await startPeople();
const { db, deps, app, jobs } = people;
const orgId = await addOrg(db);
const editor = await signIn(deps, { editorOf: [orgId] });

let strangerCount = 0;
/** Returns a new address each time so no rate limit is reached. */
const newEmail = () => `stranger-${++strangerCount}@example.org`;

type RequestParts = { readonly headers: Readonly<Record<string, string>>; readonly body: object };

/** Makes a call from a new client each time. */
async function sendRequest(
  url: string,
  { headers, body }: RequestParts,
  method: 'POST' | 'PUT' = 'POST',
): Promise<void> {
  strangerCount += 1;
  const response = await app.inject({
    method,
    url,
    remoteAddress: `10.1.${strangerCount >> 8}.${strangerCount & 255}`,
    headers: { 'x-requested-with': 'test', 'content-type': 'application/json', ...headers },
    payload: JSON.stringify(body),
  });
  expect([url, response.statusCode, response.body]).toEqual([url, 200, expect.any(String)]);
}

const SIGN_IN_LINK = callPath('sendSignInLink', {});
const SIGN_UP = callPath('signUp', {});
const PASSWORD_RESET = callPath('sendPasswordReset', {});

type SpoofedHeaders = RequestParts['headers'];
/** Each email that a request can trigger, with a function that triggers it using these headers. */
const EMAILS: Readonly<Record<string, (email: string, headers: SpoofedHeaders) => Promise<readonly Email[]>>> = {
  'sign-in link': async (email, headers) => {
    await sendRequest(SIGN_IN_LINK, { headers, body: { email, returnTo: '/orgs/ithaca' } });
    return people.readEmailsTo(email);
  },
  'sign-up of a new address': async (email, headers) => {
    await sendRequest(SIGN_UP, { headers, body: { email, password: PASSWORD, returnTo: '/orgs/ithaca' } });
    return people.readEmailsTo(email);
  },
  'sign-up of a known address': async (email, headers) => {
    await people.addUser({ email });
    await sendRequest(SIGN_UP, { headers, body: { email, password: PASSWORD } });
    return people.readEmailsTo(email);
  },
  'address verification': async (email, headers) => {
    const person = await signIn(deps, { email, verified: false });
    const request = { headers: { ...headers, ...person.headers }, body: { returnTo: '/admin' } };
    await sendRequest(callPath('sendVerification', {}), request);
    return people.readEmailsTo(email);
  },
  'password reset': async (email, headers) => {
    await people.addUser({ email });
    await sendRequest(PASSWORD_RESET, { headers, body: { email } });
    return people.readEmailsTo(email);
  },
  'changed password': async (email, headers) => {
    await people.addUser({ email });
    await sendRequest(PASSWORD_RESET, { headers: {}, body: { email } });
    const body = { code: await people.readCodeFor(email), password: 'another warm home' };
    await sendRequest(callPath('resetPassword', {}), { headers, body });
    return (await people.readEmailsTo(email)).slice(1);
  },
  invitation: async (email, headers) => {
    const request = { headers: { ...headers, ...editor.headers }, body: { email } };
    await sendRequest(callPath('addEditor', { orgid: orgId }), request, 'PUT');
    const sentEmails: Email[] = [];
    const mailer = { send: async (mail: Email) => void sentEmails.push(mail) };
    const job = jobs.findPayloads(sendInvitationEmail).at(-1);
    const depsWithLinks = {
      ...deps,
      createInvitationLink: (invitation: InvitationLink) => createInvitationLink(deps, invitation),
    };
    if (job) await sendInvitationEmail.run({ ...depsWithLinks, mailer }, job);
    return sentEmails;
  },
  'new role': async (email, headers) => {
    await people.addUser({ email });
    const request = { headers: { ...headers, ...editor.headers }, body: { email } };
    await sendRequest(callPath('addEditor', { orgid: orgId }), request, 'PUT');
    const sentEmails: Email[] = [];
    const mailer = { send: async (mail: Email) => void sentEmails.push(mail) };
    const job = jobs.findPayloads(sendNewRoleEmail).at(-1);
    if (job) await sendNewRoleEmail.run({ ...deps, mailer }, job);
    return sentEmails;
  },
};

const cases = Object.keys(EMAILS).flatMap((email) => SPOOFED_HOSTS.map((headers) => ({ email, headers })));

test.each(cases)(
  'the $email links only to the configured site, regardless of the request headers: $headers',
  async ({ email, headers }) => {
    const sentEmails = (await EMAILS[email]?.(newEmail(), headers)) ?? [];
    expect(sentEmails).toHaveLength(1);
    for (const { text, html } of sentEmails) {
      const links = [...extractLinks(html), ...(text.match(/https?:\/\/[^\s,]+/g) ?? [])];
      expect(links.length).toBeGreaterThan(1);
      for (const link of links) expect(new URL(link).origin).toBe('https://fund.example');
      expect(text + html).not.toContain('evil');
    }
  },
);

test('no email contains a link to another site', async () => {
  // Texts that are too long or contain NUL are rejected before they are read.
  const hostileReturns = HOSTILE_RETURNS.filter((text) => text.length <= 2000 && !text.includes('\0'));
  const recipients: string[] = [];
  const requestLink = async (url: string, returnTo: string) => {
    const email = newEmail();
    recipients.push(email);
    await sendRequest(url, {
      headers: {},
      body: { email, returnTo, ...(url === SIGN_UP ? { password: PASSWORD } : {}) },
    });
  };
  for (const returnTo of hostileReturns) await requestLink(SIGN_IN_LINK, returnTo);
  // Tries only two, because hashing passwords is slow.
  for (const returnTo of ['//evil.example', 'https://evil.example']) await requestLink(SIGN_UP, returnTo);
  for (const email of recipients) {
    const emails = await people.readEmailsTo(email);
    const links = emails.flatMap(({ html }) => extractLinks(html));
    expect(links.length).toBeGreaterThan(0);
    for (const link of links) expect([...new URL(link).searchParams.keys()]).toEqual(['code']);
  }
});
