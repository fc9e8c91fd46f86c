// @spec 6.token decisions.4
import { hkdfSync } from 'node:crypto';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';
import { expect, test } from 'vitest';
import { API_BASE, CALLS, type CallName } from '#contract/calls.ts';
import { RUNS_ALL } from '#scripts/test/tier.ts';
import { outcomeOf } from '#test/support/call.ts';
import { PASSWORD, startPeople } from '#test/support/people.ts';

/*
 * Every token and code works in one place only: each kind is tried everywhere.
 */
const { db, app, clock, browser, add, signedIn, codeFor } = await startPeople();
const EMAIL = 'ada@example.org';
const userId = await add({ email: EMAIL, verified: false });

/** Secrets in a logged-in browser and in emails. */
async function everything() {
  const { browser: client, token } = await signedIn(EMAIL);
  const cookie = [...client.cookies.values()].find(({ httpOnly }) => httpOnly)?.value ?? '';
  await client.call('sendVerification', {}, token);
  const verify = await codeFor(EMAIL);
  await client.call('sendSignInLink', { email: EMAIL });
  const signIn = await codeFor(EMAIL);
  await client.call('sendPasswordReset', { email: EMAIL });
  const reset = await codeFor(EMAIL);
  const secret = decodeURIComponent(cookie).split('.')[0] ?? '';
  return { token, cookie, secret, verify, signIn, reset };
}
const has = await everything();
await db.kysely.deleteFrom('rate_limits').execute();

const claims = JSON.parse(Buffer.from(has.token.split('.')[1] ?? '', 'base64url').toString('utf8')) as JWTPayload;
const { value: secret } = await db.kysely.selectFrom('program_secrets').select('value').executeTakeFirstOrThrow();

/** The program's claims, some of them changed, signed with any secret. */
const signedToken = (key: Uint8Array, changed: JWTPayload = {}) =>
  new SignJWT({ ...claims, ...changed }).setProtectedHeader({ alg: 'HS256' }).sign(key);
const keyFor = (purpose: string) => new Uint8Array(hkdfSync('sha256', secret, '', purpose, 32));
const signedByUs = (changed: JWTPayload) => signedToken(keyFor('identity token'), changed);

/** Signed with another algorithm, with the key in the token or at an address that the token names. */
async function signWithKeyPair(brings: 'nothing' | 'its key' | 'an address' = 'nothing'): Promise<string> {
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
  const header = {
    nothing: {},
    'its key': { jwk: await exportJWK(publicKey) },
    'an address': { jku: 'https://evil.example/keys', kid: '1' },
  }[brings];
  return new SignJWT(claims).setProtectedHeader({ alg: 'ES256', ...header }).sign(privateKey);
}

const [head = '', body = '', signature = ''] = has.token.split('.');
const another = Buffer.from(JSON.stringify({ ...claims, admin: true })).toString('base64url');

/** None of these is a valid bearer token. */
const NO_BEARERS: Readonly<Record<string, string>> = {
  'the session’s cookie': has.cookie,
  'the session’s secret': has.secret,
  'the code of a sign-in link': has.signIn,
  'the code of a verification': has.verify,
  'the code of a reset': has.reset,
  'the id of the session': String(claims.sid),
  'the id of the person': userId,
  'a token with other claims': `${head}.${another}.${signature}`,
  'a token without a signature': `${head}.${body}.`,
  'a token of the algorithm none': new UnsecuredJWT(claims).encode(),
  'a token of the algorithm none that claims a key': `${Buffer.from('{"alg":"none","kid":"x"}').toString('base64url')}.${body}.`,
  'a token signed with the program’s secret itself': await signedToken(new TextEncoder().encode(secret)),
  'a token signed with the key of another purpose': await signedToken(keyFor('google sign-in')),
  'a token of a key that is not ours': await signedToken(new Uint8Array(32)),
  'a token of another algorithm': await signWithKeyPair(),
  'a token that brings its own key': await signWithKeyPair('its key'),
  'a token that says where its key is': await signWithKeyPair('an address'),
  'a token for another audience': await signedByUs({ aud: 'https://other.example' }),
  'a token of another issuer': await signedByUs({ iss: 'https://other.example' }),
  'a token that has expired': await signedByUs({ exp: Math.floor(clock.now().getTime() / 1000) }),
  'a token that is not valid yet': await signedByUs({ nbf: Math.floor(clock.now().getTime() / 1000) + 60 }),
  'a token of another session': await signedByUs({ sid: 'another' }),
  'a token for somebody else': await signedByUs({ sub: await add({ email: 'bea@example.org' }) }),
  'a token without a session': await signedByUs({ sid: undefined }),
  nothing: '',
};

const names = Object.keys(CALLS) as CallName[];
const atCall = (name: CallName, authorization: string) =>
  app.inject({
    method: CALLS[name].method,
    url: API_BASE + CALLS[name].path.replace(/:\w+/g, 'x'),
    headers: { 'x-requested-with': 'test', authorization },
  });

const kinds = Object.entries(NO_BEARERS);
/**
 * All routes read the token in the same place. In the quick run, each call gets one kind of token, and one call gets
 * them all.
 */
const getsAll = (name: CallName) => RUNS_ALL || name === 'authorize';
const kindsFor = (name: CallName) =>
  getsAll(name) ? kinds : kinds.filter((_kind, index) => index === names.indexOf(name) % kinds.length);

// @asvs 7.2.1 9.1.1 9.1.2 9.1.3 9.2.3 9.2.4 11.6.1
test.each(names)('%s accepts only a valid identity token', async (name) => {
  for (const [kind, token] of kindsFor(name)) {
    expect([kind, ...outcomeOf(await atCall(name, `Bearer ${token}`))]).toEqual([kind, 401, 'token-invalid']);
  }
  for (const scheme of getsAll(name) ? ['Basic', 'Token', ''] : []) {
    const response = await atCall(name, `${scheme} ${has.token}`.trim());
    expect([scheme, ...outcomeOf(response)]).toEqual([scheme, 401, 'token-invalid']);
  }
});

test('the forged tokens above differ from a real one in one thing each', async () => {
  expect(outcomeOf(await atCall('authorize', `Bearer ${await signedByUs({})}`))).toEqual([200]);
});

/** All tokens and codes except the one for this place. */
const allBut = (own: string) =>
  Object.entries({ ...NO_BEARERS, 'an identity token': has.token }).filter(([, value]) => value !== own);

// @asvs 9.2.2
test('a sign-in link accepts no other token', async () => {
  for (const [kind, code] of allBut(has.signIn)) {
    const response = await browser().call('signInByLink', { email: EMAIL, code: code.slice(0, 200) });
    expect([kind, ...outcomeOf(response)]).toEqual([kind, 422, 'link-invalid']);
  }
});

test('a verification accepts no other token', async () => {
  for (const [kind, code] of allBut(has.verify)) {
    const response = await browser().call('verifyAddress', { code: code.slice(0, 200) }, has.token);
    expect([kind, ...outcomeOf(response)]).toEqual([kind, 422, 'link-invalid']);
  }
});

// @asvs 9.2.2
test('a reset accepts no other token', async () => {
  for (const [kind, code] of allBut(has.reset)) {
    const response = await browser().call('resetPassword', { code: code.slice(0, 200), password: PASSWORD });
    expect([kind, ...outcomeOf(response)]).toEqual([kind, 422, 'link-invalid']);
  }
});

// @asvs 9.2.2 9.2.4
test('the session cookie accepts no other token', async () => {
  const name = '__Host-fund.session_token';
  const token = async (value: string) => {
    const headers = { 'x-requested-with': 'test', cookie: `${name}=${value}` };
    return (await app.inject({ method: 'POST', url: '/api/session/token', headers })).json<{ token: string } | null>();
  };
  for (const [kind, value] of allBut(has.cookie)) expect([kind, await token(value)]).toEqual([kind, null]);
  const storedSession = await db.kysely.selectFrom('sessions').select('token').executeTakeFirstOrThrow();
  expect(await token(storedSession.token)).toBeNull();
  expect(await token(has.cookie)).not.toBeNull();
});

test('neither tokens nor hashes work as a password', async () => {
  await db.kysely.deleteFrom('rate_limits').execute();
  const { password: hash } = await db.kysely.selectFrom('accounts').select('password').executeTakeFirstOrThrow();
  for (const password of [has.token, has.secret, has.signIn, has.verify, has.reset, hash ?? '']) {
    const response = await browser().call('signInByPassword', { email: EMAIL, password });
    expect(outcomeOf(response)).toEqual([401, 'wrong-credentials']);
  }
});
