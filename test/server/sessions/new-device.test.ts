import { afterAll, expect, test } from 'vitest';
import type { Browser } from '#test/support/browser.ts';
import { outcomeOf } from '#test/support/call.ts';
import { DAY } from '#test/support/clock.ts';
import { startOpenIdProvider } from '#test/support/openid-provider.ts';
import { PASSWORD, startPeople } from '#test/support/people.ts';
import { watchedLog } from '#test/support/watched-log.ts';

const provider = await startOpenIdProvider();
afterAll(() => provider.close());
const { db, app, clock, browser, add, mailsTo, codeFor } = await startPeople({
  google: { client: provider.client, log: watchedLog().log },
});

const byPassword = async (one: Browser, email: string, password = PASSWORD) =>
  expect(outcomeOf(await one.call('signInByPassword', { email, password }))).toEqual([200]);

const byLink = async (one: Browser, email: string) => {
  await one.call('sendSignInLink', { email });
  expect(outcomeOf(await one.call('signInByLink', { email, code: await codeFor(email) }))).toEqual([200]);
};

const byGoogle = async (one: Browser, email: string) => {
  provider.people = [{ sub: email, email, emailVerified: true, name: 'Grace' }];
  const { url } = (await one.call('signInByGoogle')).json<{ url: string }>();
  await one.open((await provider.press(url)).replace('https://fund.example', ''));
  expect((await one.call('readToken')).json()).not.toBeNull();
};

const announcedLogins = async (email: string) =>
  (await mailsTo(email)).filter(({ subject }) => subject.startsWith('New login to your account'));

test('a login in a new browser is emailed with when, which, and from where', async () => {
  await add({ email: 'ada@example.org' });
  const client = browser();
  await byPassword(client, 'ada@example.org');
  const [mail, ...others] = await announcedLogins('ada@example.org');
  expect(others).toEqual([]);
  for (const part of ['When: March 14, 2026 at 9:30 AM (UTC)', 'Firefox on Windows', 'Network address: 127.0.0.1']) {
    expect(mail?.text).toContain(part);
  }
});

test.each([
  ['a password', byPassword],
  ['a link', byLink],
  ['Google', byGoogle],
])('a login by %s is emailed if the browser is new, and not if it’s known', async (way, logIn) => {
  const email = `${way.replace(' ', '-').toLowerCase()}@example.org`;
  await add({ email });
  const client = browser();
  await logIn(client, email);
  expect(await announcedLogins(email)).toHaveLength(1);
  clock.pass(20 * DAY);
  await logIn(client, email);
  expect(await announcedLogins(email)).toHaveLength(1);
  await logIn(browser(), email);
  expect(await announcedLogins(email)).toHaveLength(2);
});

test.each([
  ['a link', byLink],
  ['Google', byGoogle],
])('a new account’s first login by %s isn’t emailed, nor later ones in that browser', async (way, logIn) => {
  const email = `new-by-${way.replace(' ', '-').toLowerCase()}@example.org`;
  const client = browser();
  await logIn(client, email);
  await logIn(client, email);
  expect(await announcedLogins(email)).toEqual([]);
});

test('signing up, verifying, and logging in again sends no email', async () => {
  const email = 'sally@example.org';
  const client = browser();
  await client.call('signUp', { email, password: PASSWORD });
  await mailsTo(email);
  const { token } = (await client.call('signInByPassword', { email, password: PASSWORD })).json<{ token: string }>();
  await client.call('verifyAddress', { code: await codeFor(email) }, token);
  await byPassword(client, email);
  expect(await announcedLogins(email)).toEqual([]);
});

test('an unverified address gets no new-device email', async () => {
  await add({ email: 'victim@example.org', verified: false });
  await byPassword(browser(), 'victim@example.org');
  expect(await announcedLogins('victim@example.org')).toEqual([]);
});

test('a login after an emailed reset isn’t emailed in the same browser', async () => {
  const email = 'rita@example.org';
  await add({ email });
  const client = browser();
  await client.call('sendPasswordReset', { email });
  await client.call('resetPassword', { code: await codeFor(email), password: 'a lamp in every window' });
  await byPassword(client, email, 'a lamp in every window');
  expect(await announcedLogins(email)).toEqual([]);
  await byPassword(browser(), email, 'a lamp in every window');
  expect(await announcedLogins(email)).toHaveLength(1);
});

test('a browser with an earlier session isn’t new', async () => {
  const email = 'early@example.org';
  await add({ email });
  const client = browser();
  await byPassword(client, email);
  expect(await announcedLogins(email)).toHaveLength(1);
  const session = [...client.cookies].find(([name]) => name.endsWith('session_token'));
  const response = await app.inject({
    method: 'POST',
    url: '/api/session/password',
    headers: { 'x-requested-with': 'test', cookie: `${session?.[0]}=${session?.[1].value}` },
    payload: { email, password: PASSWORD },
  });
  expect(response.statusCode).toBe(200);
  expect(await announcedLogins(email)).toHaveLength(1);
});

test('a deleted account gets no email', async () => {
  const email = 'gone@example.org';
  const userId = await add({ email });
  await byPassword(browser(), email);
  await db.kysely.deleteFrom('users').where('id', '=', userId).execute();
  expect(await announcedLogins(email)).toEqual([]);
});
