import { scryptSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { hashOfSecret } from '#server/features/sessions/secrets.ts';
import { createIdentity } from '#server/gateways/identity/create-identity.ts';
import { newId } from '#server/ids.ts';
import { openBrowser } from '#test/support/browser.ts';
import { buildTestApp, testDeps } from '#test/support/build-app.ts';
import { addUser } from '#test/support/builders/user.ts';
import { outcomeOf } from '#test/support/call.ts';
import { testDatabase } from '#test/support/database.ts';
import { watchedLog } from '#test/support/watched-log.ts';

// Hashes, cookies and rows as better-auth 1.7.7 wrote them in earlier versions (decision 0009).

const db = await testDatabase();
const now = () => new Date();
const publicUrl = () => 'https://fund.example';
const AUTH_SECRET = 'the first secret of an operator, long enough';
const identity = createIdentity({ db, publicUrl, secret: AUTH_SECRET, now, log: watchedLog().log });
const app = await buildTestApp(await testDeps(db, { identity, now }));

const HASHES = {
  'warm homes, cooler planet':
    '65b25c759b3179cd0300c460f6f6c50d:e1fef5d3a06bebd48d1405e672b3ab889c3c31f7bb46e08ab7b0f205693158dc127fa1f8d862e8d7d3a0eaf48cf3aa63717cdf909d1da472d3c1faf05cd9f948',
  'Straße ﬁt 42':
    'f9821b45384251ae29944fe346ad650e:e590de4be5680c4d05624413306a739464cdab4cb841c92a33330e8550b392110cf823d3ce2171ff5aa3f63b3e9944325657e414096a722f1914a96ff36c94bc',
};
const SESSION_SECRET = 'c2VjcmV0LW9mLWEtc2Vzc2lvbi0wMDAx';
const SET_COOKIE = [
  `__Secure-fund.session_token=${SESSION_SECRET}.xElWRZ%2BMgkjIByfG7nr6vghtRMm6WTT1X3yHBOIwOi8%3D; Max-Age=1209600; Path=/api/session; HttpOnly; Secure; SameSite=Lax`,
  'signed_in=1; Max-Age=1209600; Path=/; Secure; SameSite=Lax',
];

test.each(Object.entries(HASHES))(
  'a stored hash of "%s" still matches, and matches nothing else',
  async (password, hash) => {
    expect(await identity.verifyPassword(password, hash)).toBe(true);
    expect(await identity.verifyPassword(password.normalize('NFKD'), hash)).toBe(true);
    expect(await identity.verifyPassword(`${password} `, hash)).toBe(false);
    expect(await identity.verifyPassword('', hash)).toBe(false);
  },
);

test('a new hash is as slow as OWASP advises, names how slow it is, and has its own salt', async () => {
  const [one, two] = [await identity.hashPassword('a warm home'), await identity.hashPassword('a warm home')];
  expect(one).toMatch(/^\$scrypt\$ln=14,r=16,p=3\$[\w-]{22}\$[\w-]{86}$/);
  expect(one).not.toBe(two);
  expect(await identity.verifyPassword('a warm home', one)).toBe(true);
  expect(await identity.verifyPassword('a warm hom', one)).toBe(false);
});

test('a hash that is slower, or less slow, matches as well: another cost can follow any day', async () => {
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

test('a password counts as it was typed: every character, in its case and at its place', async () => {
  const longest = `${'a warm home in every street '.repeat(9)}ends`;
  const hash = await identity.hashPassword(longest);
  expect([longest.length, await identity.verifyPassword(longest, hash)]).toEqual([256, true]);
  for (const other of [longest.slice(0, -1), longest.toUpperCase(), ` ${longest}`, longest.replace(' ', '')]) {
    expect([other, await identity.verifyPassword(other, hash)]).toEqual([other, false]);
  }
});

test('neither a missing nor a broken hash matches a password', async () => {
  for (const hash of [undefined, '', 'not a hash', `${'0'.repeat(32)}:`]) {
    expect([hash, await identity.verifyPassword('', hash)]).toEqual([hash, false]);
  }
});

test('people log in with a password that was stored before', async () => {
  const userId = await addUser(db, { email: 'ada@example.org', email_verified: true });
  const password = HASHES['warm homes, cooler planet'];
  await db.kysely
    .insertInto('accounts')
    .values({ id: newId(), user_id: userId, provider_id: 'credential', account_id: userId, password })
    .execute();
  const logIn = (typed: string) =>
    openBrowser(app).call('signInByPassword', { email: 'ada@example.org', password: typed });
  expect(outcomeOf(await logIn('warm homes, cooler planet'))).toEqual([200]);
  expect(outcomeOf(await logIn('warm homes'))).toEqual([401, 'wrong-credentials']);
});

test('over HTTPS every cookie of a session is of this host alone, and those of an earlier version are cleared too', async () => {
  const ofThisHost = SET_COOKIE.map((each) =>
    `__Host-${each.replace('__Secure-', '')}`.replace('Path=/api/session', 'Path=/'),
  );
  expect(await identity.cookies.set(SESSION_SECRET)).toEqual(ofThisHost);
  const cleared = (lines: readonly string[]) =>
    lines.map((each) => each.replace(/=[^;]*; Max-Age=\d+/, '=; Max-Age=0'));
  expect(identity.cookies.clear().toSorted()).toEqual(cleared([...ofThisHost, ...SET_COOKIE]).toSorted());
});

test('without HTTPS cookies are the same as before', async () => {
  const overHttp = {
    ...{ db, now, log: watchedLog().log },
    secret: AUTH_SECRET,
    publicUrl: () => 'http://localhost:8080',
  };
  const { cookies } = createIdentity(overHttp);
  const plain = SET_COOKIE.map((each) => each.replace('__Secure-', '').replace('; Secure', ''));
  expect(await cookies.set(SESSION_SECRET)).toEqual(plain);
  expect(cookies.clear()).toEqual(plain.map((each) => each.replace(/=[^;]*; Max-Age=\d+/, '=; Max-Age=0')));
});

test('an earlier session continues with its cookie, so that nobody is logged out', async () => {
  const userId = await addUser(db, { email_verified: true });
  const session = { id: newId(), user_id: userId, token: hashOfSecret(SESSION_SECRET) };
  await db.kysely
    .insertInto('sessions')
    .values({ ...session, expires_at: new Date(Date.now() + 3_600_000) })
    .execute();
  const answer = await app.inject({
    method: 'POST',
    url: '/api/session/token',
    headers: { 'x-requested-with': 'test', cookie: SET_COOKIE[0]?.split(';')[0] ?? '' },
  });
  const { token } = answer.json<{ token: string }>();
  expect(await identity.actorOf(token)).toMatchObject({ userId, sessionId: session.id });
});
