// @spec 6.token decisions.4
import { hkdfSync } from 'node:crypto';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';
import { expect, test } from 'vitest';
import { API_BASE, CALLS, type CallName } from '#contract/calls.ts';
import { RUNS_ALL } from '#scripts/test/test-selection.ts';
import { readOutcome } from '#test/support/call.ts';
import { PASSWORD, startPeople } from '#test/support/people.ts';

/*
 * Checks that each kind of token or code works in only one place by trying every kind everywhere.
 */
const { db, app, clock, openBrowser, addUser: addPerson, logIn, readCodeFor } = await startPeople();
const EMAIL = 'ada@example.org';
const userId = await addPerson({ email: EMAIL, verified: false });

/** Secrets in a logged-in browser and in emails. */
async function collectSecrets() {
  const { browser: client, token } = await logIn(EMAIL);
  const cookie = [...client.cookies.values()].find(({ httpOnly }) => httpOnly)?.value ?? '';
  await client.call('sendVerification', {}, token);
  const verificationCode = await readCodeFor(EMAIL);
  await client.call('sendSignInLink', { email: EMAIL });
  const signInCode = await readCodeFor(EMAIL);
  await client.call('sendPasswordReset', { email: EMAIL });
  const resetCode = await readCodeFor(EMAIL);
  const secret = decodeURIComponent(cookie).split('.')[0] ?? '';
  return { token, cookie, secret, verificationCode, signInCode, resetCode };
}
const secrets = await collectSecrets();
await db.kysely.deleteFrom('rate_limits').execute();

const claims = JSON.parse(Buffer.from(secrets.token.split('.')[1] ?? '', 'base64url').toString('utf8')) as JWTPayload;
const { value: secret } = await db.kysely.selectFrom('program_secrets').select('value').executeTakeFirstOrThrow();

/** Signs the program's claims, with overrides, using any key. */
const signToken = (key: Uint8Array, overrides: JWTPayload = {}) =>
  new SignJWT({ ...claims, ...overrides }).setProtectedHeader({ alg: 'HS256' }).sign(key);
const deriveKey = (purpose: string) => new Uint8Array(hkdfSync('sha256', secret, '', purpose, 32));
const signWithServerKey = (overrides: JWTPayload) => signToken(deriveKey('identity token'), overrides);

/** Signs with another algorithm, optionally with the key or its address in the token's header. */
async function signWithKeyPair(keyHint: 'nothing' | 'its key' | 'an address' = 'nothing'): Promise<string> {
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
  const header = {
    nothing: {},
    'its key': { jwk: await exportJWK(publicKey) },
    'an address': { jku: 'https://evil.example/keys', kid: '1' },
  }[keyHint];
  return new SignJWT(claims).setProtectedHeader({ alg: 'ES256', ...header }).sign(privateKey);
}

const [header = '', body = '', signature = ''] = secrets.token.split('.');
const adminPayload = Buffer.from(JSON.stringify({ ...claims, admin: true })).toString('base64url');

/** Strings that aren't valid bearer tokens. */
const INVALID_BEARERS: Readonly<Record<string, string>> = {
  'the session’s cookie': secrets.cookie,
  'the session’s secret': secrets.secret,
  'the code of a sign-in link': secrets.signInCode,
  'the code of a verification': secrets.verificationCode,
  'the code of a reset': secrets.resetCode,
  'the id of the session': String(claims.sid),
  'the id of the person': userId,
  'a token with other claims': `${header}.${adminPayload}.${signature}`,
  'a token without a signature': `${header}.${body}.`,
  'a token with the algorithm none': new UnsecuredJWT(claims).encode(),
  'a token with the algorithm none and a key id': `${Buffer.from('{"alg":"none","kid":"x"}').toString('base64url')}.${body}.`,
  'a token signed with the program’s secret itself': await signToken(new TextEncoder().encode(secret)),
  'a token signed with the key for another purpose': await signToken(deriveKey('google sign-in')),
  'a token signed with an unknown key': await signToken(new Uint8Array(32)),
  'a token with another algorithm': await signWithKeyPair(),
  'a token that contains its own key': await signWithKeyPair('its key'),
  'a token with the address of its key': await signWithKeyPair('an address'),
  'a token for another audience': await signWithServerKey({ aud: 'https://other.example' }),
  'a token from another issuer': await signWithServerKey({ iss: 'https://other.example' }),
  'an expired token': await signWithServerKey({ exp: Math.floor(clock.now().getTime() / 1000) }),
  'a token that is not valid yet': await signWithServerKey({ nbf: Math.floor(clock.now().getTime() / 1000) + 60 }),
  'a token for another session': await signWithServerKey({ sid: 'another' }),
  'a token for another person': await signWithServerKey({ sub: await addPerson({ email: 'bea@example.org' }) }),
  'a token without a session': await signWithServerKey({ sid: undefined }),
  nothing: '',
};

const callNames = Object.keys(CALLS) as CallName[];
const sendCall = (name: CallName, authorization: string) =>
  app.inject({
    method: CALLS[name].method,
    url: API_BASE + CALLS[name].path.replace(/:\w+/g, 'x'),
    headers: { 'x-requested-with': 'test', authorization },
  });

const kinds = Object.entries(INVALID_BEARERS);
/**
 * Every route reads the token in the same place. In the quick run, each call is tried with one kind of token, and one
 * call with all kinds.
 */
const getsAllKinds = (name: CallName) => RUNS_ALL || name === 'authorize';
const kindsFor = (name: CallName) =>
  getsAllKinds(name) ? kinds : kinds.filter((_kind, index) => index === callNames.indexOf(name) % kinds.length);

// @asvs 7.2.1 9.1.1 9.1.2 9.1.3 9.2.3 9.2.4 11.6.1
test.each(callNames)('%s accepts only a valid identity token', async (name) => {
  for (const [kind, token] of kindsFor(name)) {
    expect([kind, ...readOutcome(await sendCall(name, `Bearer ${token}`))]).toEqual([kind, 401, 'token-invalid']);
  }
  for (const scheme of getsAllKinds(name) ? ['Basic', 'Token', ''] : []) {
    const response = await sendCall(name, `${scheme} ${secrets.token}`.trim());
    expect([scheme, ...readOutcome(response)]).toEqual([scheme, 401, 'token-invalid']);
  }
});

test('each forged token differs from a valid one in only one respect', async () => {
  expect(readOutcome(await sendCall('authorize', `Bearer ${await signWithServerKey({})}`))).toEqual([200]);
});

/** All tokens and codes except the accepted one. */
const allExcept = (accepted: string) =>
  Object.entries({ ...INVALID_BEARERS, 'an identity token': secrets.token }).filter(([, value]) => value !== accepted);

// @asvs 9.2.2
test('a sign-in link accepts no other token', async () => {
  for (const [kind, code] of allExcept(secrets.signInCode)) {
    const response = await openBrowser().call('signInWithLink', { email: EMAIL, code: code.slice(0, 200) });
    expect([kind, ...readOutcome(response)]).toEqual([kind, 422, 'link-invalid']);
  }
});

test('a verification accepts no other token', async () => {
  for (const [kind, code] of allExcept(secrets.verificationCode)) {
    const response = await openBrowser().call('verifyAddress', { code: code.slice(0, 200) }, secrets.token);
    expect([kind, ...readOutcome(response)]).toEqual([kind, 422, 'link-invalid']);
  }
});

// @asvs 9.2.2
test('a reset accepts no other token', async () => {
  for (const [kind, code] of allExcept(secrets.resetCode)) {
    const response = await openBrowser().call('resetPassword', { code: code.slice(0, 200), password: PASSWORD });
    expect([kind, ...readOutcome(response)]).toEqual([kind, 422, 'link-invalid']);
  }
});

// @asvs 9.2.2 9.2.4
test('the session cookie accepts no other token', async () => {
  const name = '__Host-fund.session_token';
  const readToken = async (value: string) => {
    const headers = { 'x-requested-with': 'test', cookie: `${name}=${value}` };
    return (await app.inject({ method: 'POST', url: '/api/session/token', headers })).json<{ token: string } | null>();
  };
  for (const [kind, value] of allExcept(secrets.cookie)) expect([kind, await readToken(value)]).toEqual([kind, null]);
  const storedSession = await db.kysely.selectFrom('sessions').select('token').executeTakeFirstOrThrow();
  expect(await readToken(storedSession.token)).toBeNull();
  expect(await readToken(secrets.cookie)).not.toBeNull();
});

test('neither tokens nor hashes work as a password', async () => {
  await db.kysely.deleteFrom('rate_limits').execute();
  const { password: hash } = await db.kysely.selectFrom('accounts').select('password').executeTakeFirstOrThrow();
  for (const password of [
    secrets.token,
    secrets.secret,
    secrets.signInCode,
    secrets.verificationCode,
    secrets.resetCode,
    hash ?? '',
  ]) {
    const response = await openBrowser().call('signInWithPassword', { email: EMAIL, password });
    expect(readOutcome(response)).toEqual([401, 'wrong-credentials']);
  }
});
