// @spec 1.sign-in 7.sign-in decisions.4
import { afterAll, afterEach, expect, test } from 'vitest';
import type { Browser } from '#test/support/browser.ts';
import { outcomeOf } from '#test/support/call.ts';
import { MINUTE } from '#test/support/clock.ts';
import { HOSTILE_RETURNS } from '#test/support/hostile-returns.ts';
import { startOpenIdProvider } from '#test/support/openid-provider.ts';
import type { ProviderFault } from '#test/support/openid-tokens.ts';
import { PASSWORD, startPeople } from '#test/support/people.ts';
import { watchedLog } from '#test/support/watched-log.ts';

const provider = await startOpenIdProvider();
afterAll(() => provider.close());
const { log, loggedProblems } = watchedLog();
const { db, deps, app, browser, clock, add, signedIn } = await startPeople({
  google: { client: provider.client, log },
});

afterEach(() => {
  provider.fault = undefined;
});

let people = 0;
/** Someone with a Google account but no account here. */
function someone(more: { readonly email?: string; readonly emailVerified?: boolean } = {}) {
  people += 1;
  const person = { sub: `subject-${people}`, email: `google-${people}@example.org`, emailVerified: true, ...more };
  const googlePerson = { ...person, name: 'Grace Google' };
  provider.people = [googlePerson];
  return googlePerson;
}

/** Goes to Google and returns like a browser. @returns the callback's response */
async function goByGoogle(one: Browser = browser(), body: object = {}) {
  const response = await one.call('signInByGoogle', body);
  expect(outcomeOf(response)).toEqual([200]);
  const back = await provider.press(response.json<{ url: string }>().url);
  return one.open(back.replace('https://fund.example', ''));
}

const tokenOf = async (one: Browser) => (await one.call('readToken')).json<{ token: string } | null>()?.token ?? '';
const actorIn = async (one: Browser) => deps.identity.actorOf(await tokenOf(one));
const personOf = (email: string) =>
  db.kysely.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst();

test('Google login creates a verified account and returns to the previous page', async () => {
  const { email } = someone();
  const client = browser();
  const response = await goByGoogle(client, { returnTo: '/orgs/ithaca/donate?amount=25' });
  expect([response.statusCode, response.headers.location]).toEqual([303, '/orgs/ithaca/donate?amount=25']);
  expect(await actorIn(client)).toMatchObject({ kind: 'user', emailVerified: true });
  expect(await personOf(email)).toMatchObject({ email_verified: true, display_name: 'Grace Google' });
});

test('from a Spanish page, Google asks in Spanish and returns to a Spanish page', async () => {
  const { email } = someone();
  const response = await goByGoogle(browser('es'), { returnTo: '/orgs/ithaca/donate' });
  expect(provider.queries.at(-1)).toMatchObject({ ui_locales: 'es', hl: 'es' });
  expect(response.headers.location).toBe('/es/orgs/ithaca/donate');
  const person = await personOf(email);
  expect(person).toMatchObject({ language: 'es' });
  // The session's name is the one that an email about a new browser mentions.
  const session = db.kysely
    .selectFrom('sessions')
    .select('name')
    .where('user_id', '=', person?.id ?? '');
  expect(await session.executeTakeFirst()).toEqual({ name: 'Firefox en Windows' });
  provider.fault = 'denied';
  expect((await goByGoogle(browser('es'))).headers.location).toBe('/es/login?error=google');
});

// @asvs 7.6.2 10.2.1
test('the request to Google has PKCE, a nonce, and the hint, and offers an account choice', async () => {
  const { email } = someone();
  await goByGoogle(browser(), { loginHint: email });
  expect(provider.queries.at(-1)).toMatchObject({
    code_challenge_method: 'S256',
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    nonce: expect.stringMatching(/.{20}/),
    state: expect.stringMatching(/.{20}/),
    redirect_uri: 'https://fund.example/api/auth/callback/google',
    scope: 'openid email profile',
    prompt: 'select_account',
    login_hint: email,
  });
});

// @asvs 10.5.2
test('a returning Google user is recognized, even with a new address', async () => {
  const person = someone();
  const [firstBrowser, secondBrowser] = [browser(), browser()];
  await goByGoogle(firstBrowser);
  provider.people = [{ ...person, email: 'a-new-address@example.org' }];
  await goByGoogle(secondBrowser);
  const [first, second] = [await actorIn(firstBrowser), await actorIn(secondBrowser)];
  expect(first?.kind === 'user' && second?.kind === 'user' && first.userId === second.userId).toBe(true);
  expect(await personOf('a-new-address@example.org')).toBeUndefined();
});

test('Google login uses a verified account with the same address and keeps its password and name', async () => {
  const { email } = someone({ email: 'known-here@example.org' });
  const userId = await add({ email, name: 'Kim Known' });
  const { token } = await signedIn(email);
  const client = browser();
  await goByGoogle(client);
  expect(await actorIn(client)).toMatchObject({ userId });
  expect(await deps.identity.actorOf(token)).toBeDefined();
  expect(await personOf(email)).toMatchObject({ display_name: 'Kim Known' });
});

test('an attacker who signed up first loses access after the owner logs in with Google', async () => {
  const { email } = someone({ email: 'owner-by-google@example.org' });
  const userId = await add({ email, verified: false, name: 'Mallory' });
  const attacker = await signedIn(email);
  const client = browser();
  await goByGoogle(client);
  expect(await actorIn(client)).toMatchObject({ userId, emailVerified: true });
  expect(await deps.identity.actorOf(attacker.token)).toBeUndefined();
  expect(await tokenOf(attacker.browser)).toBe('');
  const passwordLogin = await browser().call('signInByPassword', { email, password: PASSWORD });
  expect(outcomeOf(passwordLogin)).toEqual([401, 'wrong-credentials']);
  expect(await personOf(email)).toMatchObject({ display_name: 'Grace Google' });
});

test('an unverified Google address neither creates nor opens an account', async () => {
  for (const known of [undefined, false, true]) {
    const { email } = someone({ emailVerified: false });
    if (known !== undefined) await add({ email, verified: known });
    const initialPerson = await personOf(email);
    const client = browser();
    const response = await goByGoogle(client);
    expect(response.headers.location).toBe('/login?error=google');
    expect(await actorIn(client)).toBeUndefined();
    expect(await personOf(email)).toEqual(initialPerson);
  }
});

test('a returning Google user is recognized even if Google no longer verifies the address', async () => {
  const person = someone();
  await goByGoogle();
  provider.people = [{ ...person, emailVerified: false }];
  const client = browser();
  await goByGoogle(client);
  expect(await actorIn(client)).toBeDefined();
});

// @asvs 10.5.2
test('when an email address moves to another Google account, the old account can’t sign in to that user anymore', async () => {
  const former = someone({ email: 'handed-on@example.org' });
  await goByGoogle();
  provider.people = [{ ...former, sub: 'the-new-owner' }];
  await goByGoogle();
  provider.people = [{ ...former, email: 'moved-on@example.org' }];
  const client = browser();
  await goByGoogle(client);
  const [old, fresh] = [await personOf('handed-on@example.org'), await personOf('moved-on@example.org')];
  expect(await actorIn(client)).toMatchObject({ userId: fresh?.id });
  expect(fresh?.id).not.toBe(old?.id);
});

// @asvs 7.6.1
test('Google login ends the browser’s earlier session, whose cookie the callback doesn’t get', async () => {
  const email = 'rotates@example.org';
  await add({ email });
  const { browser: client, token } = await signedIn(email);
  someone({ email });
  await goByGoogle(client);
  expect(await deps.identity.actorOf(token)).toBeUndefined();
  expect(await actorIn(client)).toBeDefined();
});

const FAULTS: readonly ProviderFault[] = [
  'denied',
  'wrong-nonce',
  'no-nonce',
  'no-id-token',
  'wrong-key',
  'unsigned',
  'wrong-audience',
  'wrong-issuer',
  'expired',
  'unavailable',
];

// @asvs 6.8.2 9.1.3 9.2.1 9.2.3 10.5.1 10.5.4 11.6.1
test.each(FAULTS)('with the Google fault "%s", no one is logged in, and the login page says so', async (fault) => {
  const { email } = someone();
  provider.fault = fault;
  const client = browser();
  const response = await goByGoogle(client, { returnTo: '/orgs/ithaca' });
  expect([response.statusCode, response.headers.location]).toEqual([
    303,
    '/login?error=google&return_to=%2Forgs%2Fithaca',
  ]);
  expect([...client.cookies.keys()]).not.toContain('__Host-signed_in');
  expect(await personOf(email)).toBeUndefined();
});

// @asvs 10.1.2 10.2.1
test('a return from Google works once, and only in the same browser', async () => {
  someone();
  const client = browser();
  const response = await client.call('signInByGoogle', {});
  const back = (await provider.press(response.json<{ url: string }>().url)).replace('https://fund.example', '');
  const stranger = browser();
  expect((await stranger.open(back)).headers.location).toBe('/login?error=google');
  expect([...stranger.cookies]).toEqual([]);
  const secondStart = (await client.call('signInByGoogle', {})).json<{ url: string }>();
  const second = (await provider.press(secondStart.url)).replace('https://fund.example', '');
  expect((await client.open(second)).headers.location).toBe('/login');
  expect((await client.open(second)).headers.location).toBe('/login?error=google');
});

// @asvs 10.1.2
test('an unexpected return from Google redirects to the login page', async () => {
  for (const query of [
    '',
    '?state=',
    '?state=made-up&code=made-up',
    '?error=access_denied',
    '?code=a&code=b&state=c',
  ]) {
    const response = await browser().open(`/api/auth/callback/google${query}`);
    expect([response.statusCode, response.headers.location]).toEqual([303, '/login?error=google']);
  }
});

test('a Google login that takes over ten minutes is rejected', async () => {
  someone();
  const client = browser();
  const response = await client.call('signInByGoogle', {});
  const back = (await provider.press(response.json<{ url: string }>().url)).replace('https://fund.example', '');
  clock.pass(10 * MINUTE);
  expect((await client.open(back)).headers.location).toBe('/login?error=google');
});

// @asvs 3.3.3 10.1.1
test('the cookie of a pending login is host-only and contains no readable data', async () => {
  const client = browser();
  await client.call('signInByGoogle', { returnTo: '/orgs/ithaca' });
  const [name, cookie] = [...client.cookies].at(-1) ?? [];
  expect(name).toBe('__Host-fund.google');
  expect(cookie).toMatchObject({ path: '/', httpOnly: true });
  const readable = (cookie?.value ?? '').split('.').map((part) => Buffer.from(part, 'base64url').toString());
  expect(readable.join()).not.toMatch(/ithaca|nonce|verifier/);
});

// @asvs 11.3.3
test('a modified cookie of a pending login is rejected', async () => {
  someone();
  const client = browser();
  const response = await client.call('signInByGoogle', {});
  const back = (await provider.press(response.json<{ url: string }>().url)).replace('https://fund.example', '');
  const [name = '', { value } = { value: '' }] = [...client.cookies].at(-1) ?? [];
  const parts = value.split('.');
  for (const at of parts.keys()) {
    const changedParts = parts.map((part, index) =>
      index === at ? `${part.startsWith('A') ? 'B' : 'A'}${part.slice(1)}` : part,
    );
    const response = await app.inject({ url: back, headers: { cookie: `${name}=${changedParts.join('.')}` } });
    expect([at, response.headers.location]).toEqual([at, '/login?error=google']);
  }
  expect((await client.open(back)).headers.location).toBe('/login');
});

// @asvs 3.7.2
test('Google login returns to no other site', async () => {
  let tryCount = 0;
  for (const returnTo of HOSTILE_RETURNS) {
    const client = browser();
    const response = await client.call('signInByGoogle', { returnTo });
    // Addresses that are too long or unprintable are rejected.
    if (response.statusCode !== 200) continue;
    tryCount += 1;
    // The person declines, so that the test need not visit Google for each address.
    const state = new URL(response.json<{ url: string }>().url).searchParams.get('state');
    const { headers } = await client.open(`/api/auth/callback/google?error=access_denied&state=${state}`);
    const next = new URL(headers.location ?? '', 'https://fund.example');
    const target = new URL(next.searchParams.get('return_to') ?? '/', next);
    expect([returnTo, next.origin, target.origin]).toEqual([returnTo, 'https://fund.example', 'https://fund.example']);
    if (tryCount % 100 === 0) await db.kysely.deleteFrom('rate_limits').execute();
  }
  expect(tryCount).toBeGreaterThan(100);
});

// @asvs 10.1.1 16.2.5
test('neither codes nor tokens are logged', () => {
  expect(loggedProblems.join('\n')).not.toMatch(/code=|eyJ/);
});

test('in production an admin without a second step is sent to set it up and keeps the target page', async () => {
  const strict = await startPeople({ google: { client: provider.client, log }, adminsNeedSecondFactor: true });
  const landing = async (email: string, returnTo?: string) => {
    const { sub } = someone({ email });
    expect(sub).not.toBe('');
    const client = strict.browser();
    const response = await client.call('signInByGoogle', returnTo === undefined ? {} : { returnTo });
    const back = await provider.press(response.json<{ url: string }>().url);
    return (await client.open(back.replace('https://fund.example', ''))).headers.location;
  };
  await strict.add({ email: 'admin@example.org' });
  await strict.db.kysely.updateTable('users').set({ admin: true }).where('email', '=', 'admin@example.org').execute();
  expect(await landing('admin@example.org', '/users?a=1')).toBe('/login?return_to=%2Fusers%3Fa%3D1');
  expect(await landing('admin@example.org', 'https://evil.example')).toMatch(/^\/login\??$/);
  expect(await landing('donor@example.org', '/users?a=1')).toBe('/users?a=1');
});
