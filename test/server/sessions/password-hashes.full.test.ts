// @spec decisions.4
import { scryptSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { createIdentity } from '#server/gateways/identity/create-identity.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { createLogSpy } from '#test/support/log-spy.ts';

const db = await createTestDatabase();
const now = () => new Date();
const publicUrl = () => 'https://fund.example';
const AUTH_SECRET = 'the first secret of an operator, long enough';
const identity = createIdentity({ db, publicUrl, secret: AUTH_SECRET, now, log: createLogSpy().log });

const SESSION_SECRET = 'c2VjcmV0LW9mLWEtc2Vzc2lvbi0wMDAx';
const SET_COOKIE = [
  `__Host-fund.session_token=${SESSION_SECRET}.xElWRZ%2BMgkjIByfG7nr6vghtRMm6WTT1X3yHBOIwOi8%3D; Max-Age=1209600; Path=/; HttpOnly; Secure; SameSite=Lax`,
  '__Host-signed_in=1; Max-Age=1209600; Path=/; Secure; SameSite=Lax',
];

// @asvs 11.4.2
test('a new hash is as slow as OWASP advises, states its cost, and has its own salt', async () => {
  const [firstHash, secondHash] = [
    await identity.hashPassword('a warm home'),
    await identity.hashPassword('a warm home'),
  ];
  expect(firstHash).toMatch(/^\$scrypt\$ln=14,r=16,p=3\$[\w-]{22}\$[\w-]{86}$/);
  expect(firstHash).not.toBe(secondHash);
  expect(await identity.verifyPassword('a warm home', firstHash)).toBe(true);
  expect(await identity.verifyPassword('a warm hom', firstHash)).toBe(false);
});

// @asvs 11.2.2
test('a hash with a different cost still matches', async () => {
  const salt = Buffer.from('a grain of salt!');
  for (const [ln, r, p] of [
    [10, 8, 1],
    [12, 8, 5],
  ] as const) {
    const key = scryptSync('a warm home', salt, 64, { N: 2 ** ln, r, p });
    const hash = `$scrypt$ln=${ln},r=${r},p=${p}$${salt.toString('base64url')}$${key.toString('base64url')}`;
    expect(await identity.verifyPassword('a warm home', hash)).toBe(true);
    expect(await identity.verifyPassword('a cold home', hash)).toBe(false);
  }
});

// @asvs 6.2.8
test('every character of a password counts, including its case and position', async () => {
  const longestPassword = `${'a warm home in every street '.repeat(9)}ends`;
  const hash = await identity.hashPassword(longestPassword);
  expect([longestPassword.length, await identity.verifyPassword(longestPassword, hash)]).toEqual([256, true]);
  for (const variant of [
    longestPassword.slice(0, -1),
    longestPassword.toUpperCase(),
    ` ${longestPassword}`,
    longestPassword.replace(' ', ''),
  ]) {
    expect([variant, await identity.verifyPassword(variant, hash)]).toEqual([variant, false]);
  }
});

test('neither a missing nor a malformed hash matches a password', async () => {
  for (const hash of [undefined, '', 'not a hash', `${'0'.repeat(32)}:`]) {
    expect([hash, await identity.verifyPassword('', hash)]).toEqual([hash, false]);
  }
});

const clearCookies = (lines: readonly string[]) =>
  lines.map((cookie) => cookie.replace(/=[^;]*; Max-Age=\d+/, '=; Max-Age=0'));

// @asvs 3.3.1 3.3.3
test('over HTTPS, every session cookie is restricted to this host', async () => {
  expect(await identity.cookies.set(SESSION_SECRET)).toEqual(SET_COOKIE);
  expect(identity.cookies.clear()).toEqual(clearCookies(SET_COOKIE));
});

test('without HTTPS, only the session calls get the session cookie', async () => {
  const publicUrl = () => 'http://localhost:8080';
  const { cookies } = createIdentity({ db, now, log: createLogSpy().log, secret: AUTH_SECRET, publicUrl });
  const [session = '', flag = ''] = SET_COOKIE.map((cookie) => cookie.replace('__Host-', '').replace('; Secure', ''));
  const httpCookies = [session.replace('Path=/;', 'Path=/api/session;'), flag];
  expect(await cookies.set(SESSION_SECRET)).toEqual(httpCookies);
  expect(cookies.clear()).toEqual(clearCookies(httpCookies));
});
