// @spec 1.sign-in 7.sign-in decisions.4
import { afterAll, afterEach, expect, test } from 'vitest';
import type { Browser } from '#test/support/browser.ts';
import { readOutcome } from '#test/support/call.ts';
import { MINUTE } from '#test/support/clock.ts';
import { HOSTILE_RETURNS } from '#test/support/hostile-returns.ts';
import { createLogSpy } from '#test/support/log-spy.ts';
import { startOpenIdProvider } from '#test/support/openid-provider.ts';
import type { ProviderFault } from '#test/support/openid-tokens.ts';
import { PASSWORD, startPeople } from '#test/support/people.ts';

const provider = await startOpenIdProvider();
afterAll(() => provider.close());
const { log, loggedProblems } = createLogSpy();
const {
  db,
  deps,
  app,
  openBrowser,
  clock,
  addUser: addPerson,
  logIn,
} = await startPeople({
  google: { client: provider.client, log },
});

afterEach(() => {
  provider.fault = undefined;
});

let peopleCount = 0;
/** Adds a person with a Google account but no account on this site. */
function addGooglePerson(overrides: { readonly email?: string; readonly emailVerified?: boolean } = {}) {
  peopleCount += 1;
  const person = {
    sub: `subject-${peopleCount}`,
    email: `google-${peopleCount}@example.org`,
    emailVerified: true,
    ...overrides,
  };
  const googlePerson = { ...person, name: 'Grace Google' };
  provider.people = [googlePerson];
  return googlePerson;
}

/** Logs in at Google and follows the redirect like a browser. @returns the callback's response */
async function logInWithGoogle(client: Browser = openBrowser(), body: object = {}) {
  const response = await client.call('signInWithGoogle', body);
  expect(readOutcome(response)).toEqual([200]);
  const callbackUrl = await provider.confirmLogin(response.json<{ url: string }>().url);
  return client.open(callbackUrl.replace('https://fund.example', ''));
}

const readToken = async (client: Browser) =>
  (await client.call('readToken')).json<{ token: string } | null>()?.token ?? '';
const readActor = async (client: Browser) => deps.identity.findActor(await readToken(client));
const findUser = (email: string) =>
  db.kysely.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst();

test('Google login creates a verified account and returns to the previous page', async () => {
  const { email } = addGooglePerson();
  const client = openBrowser();
  const response = await logInWithGoogle(client, { returnTo: '/orgs/ithaca/donate?amount=25' });
  expect([response.statusCode, response.headers.location]).toEqual([303, '/orgs/ithaca/donate?amount=25']);
  expect(await readActor(client)).toMatchObject({ kind: 'user', emailVerified: true });
  expect(await findUser(email)).toMatchObject({ email_verified: true, display_name: 'Grace Google' });
});

test('from a Spanish page, Google asks in Spanish and returns to a Spanish page', async () => {
  const { email } = addGooglePerson();
  const response = await logInWithGoogle(openBrowser('es'), { returnTo: '/orgs/ithaca/donate' });
  expect(provider.queries.at(-1)).toMatchObject({ ui_locales: 'es', hl: 'es' });
  expect(response.headers.location).toBe('/es/orgs/ithaca/donate');
  const person = await findUser(email);
  expect(person).toMatchObject({ language: 'es' });
  // An email about a new browser contains the session's name.
  const session = db.kysely
    .selectFrom('sessions')
    .select('name')
    .where('user_id', '=', person?.id ?? '');
  expect(await session.executeTakeFirst()).toEqual({ name: 'Firefox en Windows' });
  provider.fault = 'denied';
  expect((await logInWithGoogle(openBrowser('es'))).headers.location).toBe('/es/login?error=google');
});

// @asvs 7.6.2 10.2.1
test('the request to Google has PKCE, a nonce, and the login hint, and lets the user choose an account', async () => {
  const { email } = addGooglePerson();
  await logInWithGoogle(openBrowser(), { loginHint: email });
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
  const person = addGooglePerson();
  const [firstBrowser, secondBrowser] = [openBrowser(), openBrowser()];
  await logInWithGoogle(firstBrowser);
  provider.people = [{ ...person, email: 'a-new-address@example.org' }];
  await logInWithGoogle(secondBrowser);
  const [firstActor, secondActor] = [await readActor(firstBrowser), await readActor(secondBrowser)];
  expect(firstActor?.kind === 'user' && secondActor?.kind === 'user' && firstActor.userId === secondActor.userId).toBe(
    true,
  );
  expect(await findUser('a-new-address@example.org')).toBeUndefined();
});

test('Google login uses a verified account with the same address and keeps its password and name', async () => {
  const { email } = addGooglePerson({ email: 'known-here@example.org' });
  const userId = await addPerson({ email, name: 'Kim Known' });
  const { token } = await logIn(email);
  const client = openBrowser();
  await logInWithGoogle(client);
  expect(await readActor(client)).toMatchObject({ userId });
  expect(await deps.identity.findActor(token)).toBeDefined();
  expect(await findUser(email)).toMatchObject({ display_name: 'Kim Known' });
});

test('an attacker who signed up first loses access after the owner logs in with Google', async () => {
  const { email } = addGooglePerson({ email: 'owner-by-google@example.org' });
  const userId = await addPerson({ email, verified: false, name: 'Mallory' });
  const attacker = await logIn(email);
  const client = openBrowser();
  await logInWithGoogle(client);
  expect(await readActor(client)).toMatchObject({ userId, emailVerified: true });
  expect(await deps.identity.findActor(attacker.token)).toBeUndefined();
  expect(await readToken(attacker.browser)).toBe('');
  const passwordLogin = await openBrowser().call('signInWithPassword', { email, password: PASSWORD });
  expect(readOutcome(passwordLogin)).toEqual([401, 'wrong-credentials']);
  expect(await findUser(email)).toMatchObject({ display_name: 'Grace Google' });
});

test('an unverified Google address neither creates nor opens an account', async () => {
  for (const existingVerified of [undefined, false, true]) {
    const { email } = addGooglePerson({ emailVerified: false });
    if (existingVerified !== undefined) await addPerson({ email, verified: existingVerified });
    const initialPerson = await findUser(email);
    const client = openBrowser();
    const response = await logInWithGoogle(client);
    expect(response.headers.location).toBe('/login?error=google');
    expect(await readActor(client)).toBeUndefined();
    expect(await findUser(email)).toEqual(initialPerson);
  }
});

test('a returning Google user is recognized even if Google no longer verifies the address', async () => {
  const person = addGooglePerson();
  await logInWithGoogle();
  provider.people = [{ ...person, emailVerified: false }];
  const client = openBrowser();
  await logInWithGoogle(client);
  expect(await readActor(client)).toBeDefined();
});

// @asvs 10.5.2
test('when an email address moves to another Google account, the old account can no longer log in as that user', async () => {
  const previousOwner = addGooglePerson({ email: 'handed-on@example.org' });
  await logInWithGoogle();
  provider.people = [{ ...previousOwner, sub: 'the-new-owner' }];
  await logInWithGoogle();
  provider.people = [{ ...previousOwner, email: 'moved-on@example.org' }];
  const client = openBrowser();
  await logInWithGoogle(client);
  const [oldUser, newUser] = [await findUser('handed-on@example.org'), await findUser('moved-on@example.org')];
  expect(await readActor(client)).toMatchObject({ userId: newUser?.id });
  expect(newUser?.id).not.toBe(oldUser?.id);
});

// @asvs 7.6.1
test('Google login ends the browser’s earlier session, whose cookie the callback doesn’t get', async () => {
  const email = 'rotates@example.org';
  await addPerson({ email });
  const { browser: client, token } = await logIn(email);
  addGooglePerson({ email });
  await logInWithGoogle(client);
  expect(await deps.identity.findActor(token)).toBeUndefined();
  expect(await readActor(client)).toBeDefined();
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
test.each(FAULTS)(
  'with the Google fault "%s", no one is logged in, and the login page shows an error',
  async (fault) => {
    const { email } = addGooglePerson();
    provider.fault = fault;
    const client = openBrowser();
    const response = await logInWithGoogle(client, { returnTo: '/orgs/ithaca' });
    expect([response.statusCode, response.headers.location]).toEqual([
      303,
      '/login?error=google&return_to=%2Forgs%2Fithaca',
    ]);
    expect([...client.cookies.keys()]).not.toContain('__Host-signed_in');
    expect(await findUser(email)).toBeUndefined();
  },
);

// @asvs 10.1.2 10.2.1
test('a callback from Google works once, and only in the same browser', async () => {
  addGooglePerson();
  const client = openBrowser();
  const response = await client.call('signInWithGoogle', {});
  const callbackUrl = (await provider.confirmLogin(response.json<{ url: string }>().url)).replace(
    'https://fund.example',
    '',
  );
  const stranger = openBrowser();
  expect((await stranger.open(callbackUrl)).headers.location).toBe('/login?error=google');
  expect([...stranger.cookies]).toEqual([]);
  const secondStart = (await client.call('signInWithGoogle', {})).json<{ url: string }>();
  const secondCallbackUrl = (await provider.confirmLogin(secondStart.url)).replace('https://fund.example', '');
  expect((await client.open(secondCallbackUrl)).headers.location).toBe('/login');
  expect((await client.open(secondCallbackUrl)).headers.location).toBe('/login?error=google');
});

// @asvs 10.1.2
test('an unexpected callback from Google redirects to the login page', async () => {
  for (const query of [
    '',
    '?state=',
    '?state=made-up&code=made-up',
    '?error=access_denied',
    '?code=a&code=b&state=c',
  ]) {
    const response = await openBrowser().open(`/api/auth/callback/google${query}`);
    expect([response.statusCode, response.headers.location]).toEqual([303, '/login?error=google']);
  }
});

test('a Google login that takes over ten minutes is rejected', async () => {
  addGooglePerson();
  const client = openBrowser();
  const response = await client.call('signInWithGoogle', {});
  const callbackUrl = (await provider.confirmLogin(response.json<{ url: string }>().url)).replace(
    'https://fund.example',
    '',
  );
  clock.advance(10 * MINUTE);
  expect((await client.open(callbackUrl)).headers.location).toBe('/login?error=google');
});

// @asvs 3.3.3 10.1.1
test('the cookie of a pending login is host-only and contains no readable data', async () => {
  const client = openBrowser();
  await client.call('signInWithGoogle', { returnTo: '/orgs/ithaca' });
  const [name, cookie] = [...client.cookies].at(-1) ?? [];
  expect(name).toBe('__Host-fund.google');
  expect(cookie).toMatchObject({ path: '/', httpOnly: true });
  const decodedParts = (cookie?.value ?? '').split('.').map((part) => Buffer.from(part, 'base64url').toString());
  expect(decodedParts.join()).not.toMatch(/ithaca|nonce|verifier/);
});

// @asvs 11.3.3
test('a modified cookie of a pending login is rejected', async () => {
  addGooglePerson();
  const client = openBrowser();
  const response = await client.call('signInWithGoogle', {});
  const callbackUrl = (await provider.confirmLogin(response.json<{ url: string }>().url)).replace(
    'https://fund.example',
    '',
  );
  const [name = '', { value } = { value: '' }] = [...client.cookies].at(-1) ?? [];
  const parts = value.split('.');
  for (const changedIndex of parts.keys()) {
    const changedParts = parts.map((part, index) =>
      index === changedIndex ? `${part.startsWith('A') ? 'B' : 'A'}${part.slice(1)}` : part,
    );
    const response = await app.inject({ url: callbackUrl, headers: { cookie: `${name}=${changedParts.join('.')}` } });
    expect([changedIndex, response.headers.location]).toEqual([changedIndex, '/login?error=google']);
  }
  expect((await client.open(callbackUrl)).headers.location).toBe('/login');
});

// @asvs 3.7.2
test('Google login never redirects to another site', async () => {
  let tryCount = 0;
  for (const returnTo of HOSTILE_RETURNS) {
    const client = openBrowser();
    const response = await client.call('signInWithGoogle', { returnTo });
    // Addresses that are too long or unprintable are rejected.
    if (response.statusCode !== 200) continue;
    tryCount += 1;
    // The user declines so the test doesn't have to visit Google for each address.
    const state = new URL(response.json<{ url: string }>().url).searchParams.get('state');
    const { headers } = await client.open(`/api/auth/callback/google?error=access_denied&state=${state}`);
    const redirectUrl = new URL(headers.location ?? '', 'https://fund.example');
    const target = new URL(redirectUrl.searchParams.get('return_to') ?? '/', redirectUrl);
    expect([returnTo, redirectUrl.origin, target.origin]).toEqual([
      returnTo,
      'https://fund.example',
      'https://fund.example',
    ]);
    if (tryCount % 100 === 0) await db.kysely.deleteFrom('rate_limits').execute();
  }
  expect(tryCount).toBeGreaterThan(100);
});

// @asvs 10.1.1 16.2.5
test('neither codes nor tokens are logged', () => {
  expect(loggedProblems.join('\n')).not.toMatch(/code=|eyJ/);
});

test('in production, an admin without a second step is redirected to set one up, and the target page is kept', async () => {
  const strictPeople = await startPeople({ google: { client: provider.client, log }, adminsNeedSecondFactor: true });
  const readLoginDestination = async (email: string, returnTo?: string) => {
    addGooglePerson({ email });
    const client = strictPeople.openBrowser();
    const response = await client.call('signInWithGoogle', returnTo === undefined ? {} : { returnTo });
    const callbackUrl = await provider.confirmLogin(response.json<{ url: string }>().url);
    return (await client.open(callbackUrl.replace('https://fund.example', ''))).headers.location;
  };
  await strictPeople.addUser({ email: 'admin@example.org' });
  await strictPeople.db.kysely
    .updateTable('users')
    .set({ admin: true })
    .where('email', '=', 'admin@example.org')
    .execute();
  expect(await readLoginDestination('admin@example.org', '/users?a=1')).toBe('/login?return_to=%2Fusers%3Fa%3D1');
  expect(await readLoginDestination('admin@example.org', 'https://evil.example')).toMatch(/^\/login\??$/);
  expect(await readLoginDestination('donor@example.org', '/users?a=1')).toBe('/users?a=1');
});
