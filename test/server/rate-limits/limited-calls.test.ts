import { afterAll, expect, test } from 'vitest';
import { callPath } from '#contract/calls.ts';
import { buildApp } from '#server/app.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { call } from '#test/support/call.ts';
import { MINUTE } from '#test/support/clock.ts';
import { limitOf } from '#test/support/limits.ts';
import { PASSWORD, startPeople } from '#test/support/people.ts';
import { type SignedInPerson, signIn } from '#test/support/sign-in.ts';

const people = await startPeople();
const { deps, clock } = people;
const behindProxy = await buildApp(deps, { trustedProxies: ['10.9.0.0/16'] });
afterAll(() => behindProxy.close());

let strangers = 0;
const stranger = () => `stranger-${++strangers}@example.org`;
const newIpAddress = () => `10.8.${++strangers >> 8}.${strangers & 255}`;

/** The calls with a limit per email address, each with a valid body. */
const CALLS_ABOUT_AN_ADDRESS = {
  signInByPassword: { kind: 'password', body: (email: string) => ({ email, password: 'not the password' }) },
  sendSignInLink: { kind: 'mail', body: (email: string) => ({ email }) },
  sendPasswordReset: { kind: 'mail', body: (email: string) => ({ email }) },
  signUp: { kind: 'mail', body: (email: string) => ({ email, password: PASSWORD }) },
} as const;
type AboutAddress = keyof typeof CALLS_ABOUT_AN_ADDRESS;
const NAMES = Object.keys(CALLS_ABOUT_AN_ADDRESS).filter(
  (name): name is AboutAddress => name in CALLS_ABOUT_AN_ADDRESS,
);

type From = { readonly client: string; readonly headers?: Readonly<Record<string, string>> };

function ask(name: AboutAddress, email: string, { client, headers }: From, app = people.app) {
  return app.inject({
    method: 'POST',
    url: callPath(name, {}),
    remoteAddress: client,
    headers: { 'x-requested-with': 'test', 'content-type': 'application/json', ...headers },
    payload: JSON.stringify(CALLS_ABOUT_AN_ADDRESS[name].body(email)),
  });
}

// @asvs 6.3.1
test.each(NAMES)('%s is limited per address and client, with or without an account', async (name) => {
  const client = stranger();
  await people.add({ email: client });
  const maximum = limitOf(CALLS_ABOUT_AN_ADDRESS[name].kind, 'email+client');
  const responses = [];
  for (const email of [client, stranger()]) {
    const client = newIpAddress();
    const tries = Array.from({ length: maximum }, () => ask(name, email, { client }));
    for (const { statusCode } of await Promise.all(tries)) expect(statusCode).not.toBe(429);
    const response = await ask(name, email, { client });
    responses.push([response.statusCode, response.headers['retry-after'], response.json<{ detail: string }>().detail]);
  }
  expect(responses[0]).toEqual([429, '900', 'Too many requests. Please try again in 15 minutes.']);
  expect(responses[1]).toEqual(responses[0]);
});

test('files are limited per client and, with a login, per user', async () => {
  const orgid = await addOrg(deps.db);
  const edith = await signIn(deps, { editorOf: [orgid] });
  const openFile = async (from: string, as?: SignedInPerson) => {
    const { statusCode } = await call(people.app, 'downloadPounds', { params: { orgid }, from, as });
    return statusCode;
  };
  const client = newIpAddress();
  expect(await openFile(client)).toBe(200);
  expect(await openFile(client, edith)).toBe(200);
  await deps.db.kysely
    .updateTable('rate_limits')
    .set({ count: limitOf('costly', 'client') })
    .execute();
  expect(await openFile(client)).toBe(429);
  expect(await openFile(newIpAddress())).toBe(200);
  expect(await openFile(newIpAddress(), edith)).toBe(429);
  expect(await openFile(client, await signIn(deps, {}))).toBe(200);
});

test('after the wait in the response the call works again', async () => {
  const email = stranger();
  await people.add({ email });
  const client = newIpAddress();
  const signIn = (password: string) =>
    people.app.inject({
      method: 'POST',
      url: callPath('signInByPassword', {}),
      remoteAddress: client,
      headers: { 'x-requested-with': 'test' },
      payload: { email, password },
    });
  await Promise.all(
    Array.from({ length: limitOf('password', 'email+client') }, (_, count) => signIn(`guess ${count}`)),
  );
  clock.pass(MINUTE);
  const response = await signIn(PASSWORD);
  expect([response.statusCode, response.json<{ detail: string }>().detail]).toEqual([
    429,
    'Too many requests. Please try again in 14 minutes.',
  ]);
  clock.pass(Number(response.headers['retry-after']) * 1000);
  expect((await signIn(PASSWORD)).statusCode).toBe(200);
});

/** Headers with which a client could pretend to be another. */
const FORWARDED = [
  'x-forwarded-for',
  'x-real-ip',
  'x-client-ip',
  'cf-connecting-ip',
  'true-client-ip',
  'x-cluster-client-ip',
];

// @asvs 4.1.3 15.3.4
test.each([...FORWARDED, 'forwarded'])('a client can’t impersonate another with %s', async (header) => {
  const client = newIpAddress();
  const statuses = [];
  for (let count = 0; count <= limitOf('mail', 'client'); count += 1) {
    const otherClient = newIpAddress();
    const headers = { [header]: header === 'forwarded' ? `for=${otherClient}` : otherClient };
    statuses.push((await ask('sendSignInLink', stranger(), { client, headers })).statusCode);
  }
  expect(statuses.filter((status) => status === 429)).toHaveLength(1);
  expect(statuses.at(-1)).toBe(429);
});

// @asvs 4.1.3
test('behind a trusted proxy each visitor is a client, and their own headers don’t count', async () => {
  const visitor = newIpAddress();
  const sendThroughProxy = (said: string) =>
    ask('sendSignInLink', stranger(), { client: '10.9.0.1', headers: { 'x-forwarded-for': said } }, behindProxy);
  for (let count = 0; count < limitOf('mail', 'client'); count += 1) {
    expect((await sendThroughProxy(`${newIpAddress()}, ${visitor}`)).statusCode).toBe(200);
  }
  expect((await sendThroughProxy(`${newIpAddress()}, ${visitor}`)).statusCode).toBe(429);
  expect((await sendThroughProxy(newIpAddress())).statusCode).toBe(200);
});

test.each([
  ['10.8.250.1:40001', '10.8.250.1:40002', '10.8.250.2:40001'],
  ['[2001:db8:5:1::1]:40001', '2001:db8:5:1::2', '[2001:db8:5:2::1]'],
])('behind a proxy that adds ports %s and %s are one client, and %s another', async (one, again, other) => {
  const sendThroughProxy = (said: string) =>
    ask('sendSignInLink', stranger(), { client: '10.9.0.1', headers: { 'x-forwarded-for': said } }, behindProxy);
  for (let count = 0; count < limitOf('mail', 'client'); count += 1) await sendThroughProxy(one);
  expect((await sendThroughProxy(again)).statusCode).toBe(429);
  expect((await sendThroughProxy(other)).statusCode).toBe(200);
});

// @asvs 15.3.4
test('a client that bypasses the proxy can’t impersonate another', async () => {
  const client = newIpAddress();
  const sendPastProxy = () =>
    ask('sendSignInLink', stranger(), { client, headers: { 'x-forwarded-for': newIpAddress() } }, behindProxy);
  for (let count = 0; count < limitOf('mail', 'client'); count += 1) await sendPastProxy();
  expect((await sendPastProxy()).statusCode).toBe(429);
});

test('a rejected request sends no email', async () => {
  const email = stranger();
  await people.add({ email });
  const client = newIpAddress();
  const maximum = limitOf('mail', 'email+client');
  for (let count = 0; count < maximum + 3; count += 1) await ask('sendSignInLink', email, { client });
  expect(await people.mailsTo(email)).toHaveLength(maximum);
});
