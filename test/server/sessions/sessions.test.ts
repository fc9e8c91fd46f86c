// @spec 1.sign-in 7.sign-in decisions.4
import { expect, test } from 'vitest';
import { inTransaction } from '#server/db/transaction.ts';
import { hashSecret } from '#server/features/sessions/secrets.ts';
import { openSession } from '#server/features/sessions/session-lifecycle.ts';
import { readOutcome } from '#test/support/call.ts';
import { DAY, HOUR } from '#test/support/clock.ts';
import { PASSWORD, startPeople } from '#test/support/people.ts';
import { createEmailLogin } from '#test/support/sign-in.ts';

const people = await startPeople();
const { db, deps, app, clock, openBrowser, addUser: addPerson, logIn } = people;
const tokenOf = (response: { json: <T>() => T }) => response.json<{ token: string } | null>()?.token;
const isTokenActive = async (token: string | undefined) =>
  token !== undefined && !!(await deps.identity.findActor(token));

// @asvs 3.3.1 3.3.2 3.3.4 7.2.2
test('logging in with a password starts a session with a token and an HttpOnly cookie', async () => {
  const userId = await addPerson({ email: 'ada@example.org' });
  const response = await openBrowser().call('signInWithPassword', { email: ' ADA@example.org ', password: PASSWORD });
  const { token, expiresAt } = response.json<{ token: string; expiresAt: string }>();
  expect(Date.parse(expiresAt) - clock.now().getTime()).toBe(HOUR);
  expect(await deps.identity.findActor(token)).toMatchObject({ userId });
  expect(response.headers['set-cookie']).toEqual([
    expect.stringMatching(
      /^__Host-fund\.session_token=[^;]+; Max-Age=1209600; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    ),
    '__Host-signed_in=1; Max-Age=1209600; Path=/; Secure; SameSite=Lax',
    expect.stringMatching(
      /^__Host-fund\.known_browser=[^;]+; Max-Age=31536000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    ),
  ]);
});

// @asvs 7.2.2 13.3.2
test('data from a stolen database can’t open a session', async () => {
  const { browser: client } = await addAndLogIn('arno@example.org');
  const sentCookie = decodeURIComponent([...client.cookies.values()].find(({ httpOnly }) => httpOnly)?.value ?? '');
  const storedTokens = await db.kysely.selectFrom('sessions').select('token').execute();
  for (const { token } of storedTokens) expect(sentCookie).not.toContain(token);
});

// @asvs 3.5.1
test('the cookie alone doesn’t authorize any call', async () => {
  const { browser: client } = await addAndLogIn('cid@example.org');
  const cookie = [...client.cookies].map(([name, { value }]) => `${name}=${value}`).join('; ');
  const response = await app.inject({ url: '/api/authorize', headers: { cookie } });
  expect(readOutcome(response)).toEqual([401, 'login-required']);
});

// @asvs 3.5.1
test('the cookie gets a new token only for a page of the site', async () => {
  const { browser: client } = await addAndLogIn('cleo@example.org');
  expect(await isTokenActive(tokenOf(await client.call('readToken')))).toBe(true);
  const cookie = [...client.cookies].map(([name, { value }]) => `${name}=${value}`).join('; ');
  const requestToken = (origin: string) =>
    app.inject({
      method: 'POST',
      url: '/api/session/token',
      headers: { cookie, origin, host: 'internal:8080', 'x-requested-with': 'test' },
    });
  expect(readOutcome(await requestToken('https://fund.example'))).toEqual([200]);
  expect(readOutcome(await requestToken('http://internal:8080'))).toEqual([200]);
  for (const origin of ['https://evil.example', 'null', 'https://fund.example.evil.example', 'http://fund.example']) {
    expect(readOutcome(await requestToken(origin))).toEqual([403, 'forbidden']);
  }
});

test('a tampered cookie is rejected', async () => {
  const { browser: client } = await addAndLogIn('carl@example.org');
  for (const [name, { value }] of client.cookies) {
    const response = await app.inject({
      method: 'POST',
      url: '/api/session/token',
      headers: {
        cookie: `${name}=${value.replace(/^./, (first) => (first === 'a' ? 'b' : 'a'))}`,
        'x-requested-with': 'test',
      },
    });
    expect(response.json()).toBeNull();
  }
});

// @asvs 3.3.3
test('a cookie name that a subdomain could set isn’t read', async () => {
  const email = 'clio@example.org';
  const { browser: client } = await addAndLogIn(email);
  for (const prefix of ['', '__Secure-', '__host-', 'x__Host-']) {
    const cookie = [...client.cookies]
      .map(([name, { value }]) => `${name.replace('__Host-', prefix)}=${value}`)
      .join('; ');
    const headers = { cookie, 'x-requested-with': 'test' };
    expect((await app.inject({ method: 'POST', url: '/api/session/token', headers })).json()).toBeNull();
    expect(await deps.identity.knownBrowser.find(cookie, email)).toBeUndefined();
    expect(deps.identity.pendingLogin.read(`${prefix}fund.pending_login=planted`)).toBeUndefined();
  }
});

test('without a session, there is no token, and an ended session’s cookies are cleared', async () => {
  const emptyResponse = await openBrowser().call('readToken');
  expect(emptyResponse.json()).toBeNull();
  expect(emptyResponse.headers['set-cookie']).toBeUndefined();
  const { browser: client } = await addAndLogIn('dan@example.org');
  clock.advance(15 * DAY);
  expect((await client.call('readToken')).json()).toBeNull();
  expect([...client.cookies.keys()]).toEqual(['__Host-fund.known_browser']);
});

// @asvs 7.3.1
test('a session in use is extended; an unused one expires after 14 days', async () => {
  const { browser: usedBrowser } = await addAndLogIn('eva@example.org');
  const { browser: unusedBrowser } = await logIn('eva@example.org');
  for (let index = 0; index < 4; index += 1) {
    clock.advance(5 * DAY);
    const response = await usedBrowser.call('readToken');
    expect(tokenOf(response)).toBeDefined();
    expect(response.headers['set-cookie']).toHaveLength(2);
  }
  expect((await unusedBrowser.call('readToken')).json()).toBeNull();
});

test('a session is extended at most once a day', async () => {
  const { browser: client } = await addAndLogIn('emil@example.org');
  clock.advance(HOUR);
  expect((await client.call('readToken')).headers['set-cookie']).toBeUndefined();
});

// @asvs 7.3.2 7.6.1
test('a session ends 90 days after login, regardless of use', async () => {
  const { browser: usedBrowser } = await addAndLogIn('ezra@example.org');
  for (const days of [13, 13, 13, 13, 13, 13, 11]) {
    clock.advance(days * DAY);
    expect(tokenOf(await usedBrowser.call('readToken'))).toBeDefined();
  }
  const lastToken = tokenOf(await usedBrowser.call('readToken'));
  clock.advance(DAY - 60_000);
  expect(tokenOf(await usedBrowser.call('readToken'))).toBeDefined();
  clock.advance(60_000);
  expect((await usedBrowser.call('readToken')).json()).toBeNull();
  expect(await isTokenActive(lastToken)).toBe(false);
});

test('an expired session and its tokens are rejected', async () => {
  const { browser: client, token } = await addAndLogIn('ewa@example.org');
  await db.kysely
    .updateTable('sessions')
    .set({ max_expires_at: clock.now() })
    .where('token', '=', cookieHash(client))
    .execute();
  expect(await isTokenActive(token)).toBe(false);
  expect((await client.call('readToken')).json()).toBeNull();
});

test('a session keeps the times of its confirmation and last use', async () => {
  const { browser: client, token } = await addAndLogIn('elia@example.org');
  const loggedInAt = clock.now();
  expect(await deps.identity.findActor(token)).toMatchObject({ authenticatedAt: loggedInAt, hasSecondFactor: false });
  clock.advance(HOUR);
  const newToken = tokenOf(await client.call('readToken')) ?? '';
  expect(await deps.identity.findActor(newToken)).toMatchObject({ authenticatedAt: loggedInAt, issuedAt: clock.now() });
  expect(JSON.parse(Buffer.from(newToken.split('.')[1] ?? '', 'base64url').toString())).toMatchObject({
    auth_time: loggedInAt.getTime() / 1000,
  });
  const session = await db.kysely
    .selectFrom('sessions')
    .selectAll()
    .where('token', '=', cookieHash(client))
    .executeTakeFirstOrThrow();
  expect(session).toMatchObject({
    name: 'Firefox on Windows',
    ip_address: '127.0.0.1',
    created_at: loggedInAt,
    authenticated_at: loggedInAt,
    authentication_method: 'password',
    used_at: clock.now(),
  });
});

// @asvs 7.2.4
test('logging in again ends the browser’s earlier session', async () => {
  const { browser: client, token: firstToken } = await addAndLogIn('fay@example.org');
  const stolenCookies = new Map(client.cookies);
  const laterToken = tokenOf(await client.call('signInWithPassword', { email: 'fay@example.org', password: PASSWORD }));
  expect([await isTokenActive(firstToken), await isTokenActive(laterToken)]).toEqual([false, true]);
  const cookie = [...stolenCookies].map(([name, { value }]) => `${name}=${value}`).join('; ');
  const headers = { cookie, 'x-requested-with': 'test' };
  expect((await app.inject({ method: 'POST', url: '/api/session/token', headers })).json()).toBeNull();
});

// @asvs 7.4.1
test('logging out ends only the cookie’s session and its tokens', async () => {
  const { browser: client, token } = await addAndLogIn('gil@example.org');
  const { token: otherToken } = await logIn('gil@example.org');
  expect(readOutcome(await client.call('signOut'))).toEqual([200]);
  expect([await isTokenActive(token), await isTokenActive(otherToken)]).toEqual([false, true]);
  expect([...client.cookies.keys()]).toEqual(['__Host-fund.known_browser']);
});

test('logging out with only a token ends its session', async () => {
  const { token } = await addAndLogIn('gus@example.org');
  await openBrowser().call('signOut', {}, token);
  expect(await isTokenActive(token)).toBe(false);
});

test('logging out everywhere ends all sessions', async () => {
  const { browser: client, token } = await addAndLogIn('hal@example.org');
  const { browser: otherBrowser, token: otherToken } = await logIn('hal@example.org');
  expect(readOutcome(await client.call('signOutEverywhere', {}, token))).toEqual([200]);
  expect([await isTokenActive(token), await isTokenActive(otherToken)]).toEqual([false, false]);
  expect((await otherBrowser.call('readToken')).json()).toBeNull();
});

test('a wrong password and an unknown address get the same response', async () => {
  await addPerson({ email: 'ida@example.org' });
  const wrongLogin = await openBrowser().call('signInWithPassword', {
    email: 'ida@example.org',
    password: 'cold homes',
  });
  const unknownLogin = await openBrowser().call('signInWithPassword', {
    email: 'nobody@example.org',
    password: PASSWORD,
  });
  const bodyOf = (response: typeof wrongLogin) => ({ ...response.json<object>(), requestId: '' });
  expect(readOutcome(wrongLogin)).toEqual([401, 'wrong-credentials']);
  expect(bodyOf(unknownLogin)).toEqual(bodyOf(wrongLogin));
  expect(unknownLogin.headers['set-cookie']).toBeUndefined();
});

test('a user without a password can’t log in with one', async () => {
  await inTransaction(db, async (tx) => {
    await tx.insertInto('users').values({ id: 'jo', email: 'jo@example.org', email_verified: true }).execute();
    await openSession(tx, createEmailLogin('jo'), clock.now());
  });
  const response = await openBrowser().call('signInWithPassword', { email: 'jo@example.org', password: '' });
  expect(readOutcome(response)).toEqual([401, 'wrong-credentials']);
});

test('an invalid email address is rejected', async () => {
  const response = await openBrowser().call('signInWithPassword', { email: 'ida', password: PASSWORD });
  expect(readOutcome(response)).toEqual([422, 'invalid-email']);
});

/** The stored form of the secret in the browser's cookie. */
function cookieHash({ cookies }: { cookies: ReadonlyMap<string, { value: string }> }): string {
  const [secret = ''] = decodeURIComponent(cookies.get('__Host-fund.session_token')?.value ?? '').split('.');
  return hashSecret(secret);
}

async function addAndLogIn(email: string) {
  await addPerson({ email });
  return logIn(email);
}
