import { afterAll, expect, test } from 'vitest';
import type { Browser } from '#test/support/browser.ts';
import { readOutcome } from '#test/support/call.ts';
import { DAY } from '#test/support/clock.ts';
import { createLogSpy } from '#test/support/log-spy.ts';
import { startOpenIdProvider } from '#test/support/openid-provider.ts';
import { PASSWORD, startPeople } from '#test/support/people.ts';

const provider = await startOpenIdProvider();
afterAll(() => provider.close());
const {
  db,
  app,
  clock,
  openBrowser,
  addUser: addPerson,
  readEmailsTo,
  readCodeFor,
} = await startPeople({
  google: { client: provider.client, log: createLogSpy().log },
});

const logInByPassword = async (client: Browser, email: string, password = PASSWORD) =>
  expect(readOutcome(await client.call('signInWithPassword', { email, password }))).toEqual([200]);

const logInByLink = async (client: Browser, email: string) => {
  await client.call('sendSignInLink', { email });
  expect(readOutcome(await client.call('signInWithLink', { email, code: await readCodeFor(email) }))).toEqual([200]);
};

const logInByGoogle = async (client: Browser, email: string) => {
  provider.people = [{ sub: email, email, emailVerified: true, name: 'Grace' }];
  const { url } = (await client.call('signInWithGoogle')).json<{ url: string }>();
  await client.open((await provider.confirmLogin(url)).replace('https://fund.example', ''));
  expect((await client.call('readToken')).json()).not.toBeNull();
};

const readLoginEmails = async (email: string) =>
  (await readEmailsTo(email)).filter(({ subject }) =>
    subject.startsWith('New login to your City Climate Fund account'),
  );

test('the email about a login in a new browser has the time, browser, and network address', async () => {
  await addPerson({ email: 'ada@example.org' });
  const client = openBrowser();
  await logInByPassword(client, 'ada@example.org');
  const [email, ...otherEmails] = await readLoginEmails('ada@example.org');
  expect(otherEmails).toEqual([]);
  for (const part of ['When: March 14, 2026 at 9:30 AM (UTC)', 'Firefox on Windows', 'IP address: 127.0.0.1']) {
    expect(email?.text).toContain(part);
  }
});

test.each([
  ['a password', logInByPassword],
  ['a link', logInByLink],
  ['Google', logInByGoogle],
])('a login by %s sends an email if the browser is new, but not if it’s known', async (method, logIn) => {
  const email = `${method.replace(' ', '-').toLowerCase()}@example.org`;
  await addPerson({ email });
  const client = openBrowser();
  await logIn(client, email);
  expect(await readLoginEmails(email)).toHaveLength(1);
  clock.advance(20 * DAY);
  await logIn(client, email);
  expect(await readLoginEmails(email)).toHaveLength(1);
  await logIn(openBrowser(), email);
  expect(await readLoginEmails(email)).toHaveLength(2);
});

test.each([
  ['a link', logInByLink],
  ['Google', logInByGoogle],
])(
  'a new account’s first login by %s sends no email, and neither do later ones in that browser',
  async (method, logIn) => {
    const email = `new-by-${method.replace(' ', '-').toLowerCase()}@example.org`;
    const client = openBrowser();
    await logIn(client, email);
    await logIn(client, email);
    expect(await readLoginEmails(email)).toEqual([]);
  },
);

test('signing up, verifying, and logging in again sends no email', async () => {
  const email = 'sally@example.org';
  const client = openBrowser();
  await client.call('signUp', { email, password: PASSWORD });
  await readEmailsTo(email);
  const { token } = (await client.call('signInWithPassword', { email, password: PASSWORD })).json<{ token: string }>();
  await client.call('verifyAddress', { code: await readCodeFor(email) }, token);
  await logInByPassword(client, email);
  expect(await readLoginEmails(email)).toEqual([]);
});

test('an unverified address gets no new-device email', async () => {
  await addPerson({ email: 'victim@example.org', verified: false });
  await logInByPassword(openBrowser(), 'victim@example.org');
  expect(await readLoginEmails('victim@example.org')).toEqual([]);
});

test('after an emailed password reset, a login in the same browser sends no email', async () => {
  const email = 'rita@example.org';
  await addPerson({ email });
  const client = openBrowser();
  await client.call('sendPasswordReset', { email });
  await client.call('resetPassword', { code: await readCodeFor(email), password: 'a lamp in every window' });
  await logInByPassword(client, email, 'a lamp in every window');
  expect(await readLoginEmails(email)).toEqual([]);
  await logInByPassword(openBrowser(), email, 'a lamp in every window');
  expect(await readLoginEmails(email)).toHaveLength(1);
});

test('a browser with an earlier session isn’t new', async () => {
  const email = 'early@example.org';
  await addPerson({ email });
  const client = openBrowser();
  await logInByPassword(client, email);
  expect(await readLoginEmails(email)).toHaveLength(1);
  const session = [...client.cookies].find(([name]) => name.endsWith('session_token'));
  const response = await app.inject({
    method: 'POST',
    url: '/api/session/password',
    headers: { 'x-requested-with': 'test', cookie: `${session?.[0]}=${session?.[1].value}` },
    payload: { email, password: PASSWORD },
  });
  expect(response.statusCode).toBe(200);
  expect(await readLoginEmails(email)).toHaveLength(1);
});

test('a deleted account gets no email', async () => {
  const email = 'gone@example.org';
  const userId = await addPerson({ email });
  await logInByPassword(openBrowser(), email);
  await db.kysely.deleteFrom('users').where('id', '=', userId).execute();
  expect(await readLoginEmails(email)).toEqual([]);
});
