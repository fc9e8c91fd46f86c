import { expect, test } from 'vitest';
import { callPath } from '#contract/calls.ts';
import { mailInvitation } from '#server/features/editors/mail-invitation.ts';
import type { Mail } from '#server/gateways/mail/mailer.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { HOSTILE_RETURNS } from '#test/support/hostile-returns.ts';
import { linksOf } from '#test/support/mail-words.ts';
import { codeIn, PASSWORD, startPeople } from '#test/support/people.ts';
import { signIn } from '#test/support/sign-in.ts';
import { SPOOFED_HOSTS } from '#test/support/spoofed-hosts.ts';

const people = await startPeople();
const { db, deps, app, jobs } = people;
const orgId = await addOrg(db);
const editor = await signIn(deps, { editorOf: [orgId] });

let strangers = 0;
/** An address that nobody asked for yet, so that no limit is met. */
const stranger = () => `stranger-${++strangers}@example.org`;

type Asked = { readonly headers: Readonly<Record<string, string>>; readonly body: object };

/** Makes a call from a client that was never here. */
async function ask(url: string, { headers, body }: Asked, method: 'POST' | 'PUT' = 'POST'): Promise<void> {
  strangers += 1;
  const answer = await app.inject({
    method,
    url,
    remoteAddress: `10.1.${strangers >> 8}.${strangers & 255}`,
    headers: { 'x-requested-with': 'test', 'content-type': 'application/json', ...headers },
    payload: JSON.stringify(body),
  });
  expect([url, answer.statusCode, answer.body]).toEqual([url, 200, expect.any(String)]);
}

const SIGN_IN_LINK = callPath('sendSignInLink', {});
const SIGN_UP = callPath('signUp', {});
const RESET = callPath('sendPasswordReset', {});

type Spoofed = Asked['headers'];
/** Every mail that a request can ask for, and how it is asked for by a request with these headers. */
const MAILS: Readonly<Record<string, (headers: Spoofed) => Promise<readonly Mail[]>>> = {
  'sign-in link': async (headers) => {
    await ask(SIGN_IN_LINK, { headers, body: { email: stranger(), returnTo: '/orgs/ithaca' } });
    return people.workOff();
  },
  'sign-up of a new address': async (headers) => {
    await ask(SIGN_UP, { headers, body: { email: stranger(), password: PASSWORD, returnTo: '/orgs/ithaca' } });
    return people.workOff();
  },
  'sign-up of a known address': async (headers) => {
    const email = stranger();
    await people.add({ email });
    await ask(SIGN_UP, { headers, body: { email, password: PASSWORD } });
    return people.workOff();
  },
  'proof of the address': async (headers) => {
    const person = await signIn(deps, { email: stranger(), verified: false });
    await ask(callPath('sendVerification', {}), {
      headers: { ...headers, ...person.headers },
      body: { returnTo: '/admin' },
    });
    return people.workOff();
  },
  'reset of the password': async (headers) => {
    const email = stranger();
    await people.add({ email });
    await ask(RESET, { headers, body: { email } });
    return people.workOff();
  },
  'changed password': async (headers) => {
    const email = stranger();
    await people.add({ email });
    await ask(RESET, { headers: {}, body: { email } });
    const [reset] = await people.workOff();
    if (!reset) throw new Error('There was no mail.');
    await ask(callPath('resetPassword', {}), { headers, body: { code: codeIn(reset), password: 'another warm home' } });
    return people.workOff();
  },
  invitation: async (headers) => {
    const asked = { headers: { ...headers, ...editor.headers }, body: { email: stranger() } };
    await ask(callPath('addEditor', { orgid: orgId }), asked, 'PUT');
    const sent: Mail[] = [];
    const mailer = { send: async (mail: Mail) => void sent.push(mail), close: async () => {} };
    const job = jobs.dataOf('mail-invitation').at(-1);
    if (job) await mailInvitation({ ...deps, mailer }, job);
    return sent;
  },
};

const cases = Object.keys(MAILS).flatMap((mail) => SPOOFED_HOSTS.map((headers) => ({ mail, headers })));

test.each(cases)(
  'the $mail leads to the configured site alone, whatever the request says: $headers',
  async ({ mail, headers }) => {
    const sent = (await MAILS[mail]?.(headers)) ?? [];
    expect(sent).toHaveLength(1);
    for (const { text, html } of sent) {
      const links = [...linksOf(html), ...(text.match(/https?:\/\/[^\s,]+/g) ?? [])];
      expect(links.length).toBeGreaterThan(1);
      for (const link of links) expect(new URL(link).origin).toBe('https://fund.example');
      expect(text + html).not.toContain('evil');
    }
  },
);

test('no mail passes a way to another site on', async () => {
  // What is too long, or holds a NUL, is refused before anybody reads it.
  const hostile = HOSTILE_RETURNS.filter((text) => text.length <= 2000 && !text.includes('\0'));
  for (const returnTo of hostile) await ask(SIGN_IN_LINK, { headers: {}, body: { email: stranger(), returnTo } });
  // Hashing a password each time would take long.
  for (const returnTo of ['//evil.example', 'https://evil.example', 'javascript:alert(1)']) {
    await ask(SIGN_UP, { headers: {}, body: { email: stranger(), password: PASSWORD, returnTo } });
  }
  const mails = await people.workOff();
  expect(mails).toHaveLength(hostile.length + 3);
  for (const { html } of mails) {
    for (const link of linksOf(html)) expect([...new URL(link).searchParams.keys()]).toEqual(['code']);
  }
});
