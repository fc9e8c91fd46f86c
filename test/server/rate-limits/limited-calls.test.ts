import { afterAll, expect, test } from 'vitest';
import { callPath } from '#contract/calls.ts';
import { buildApp } from '#server/app.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { call } from '#test/support/call.ts';
import { MINUTE } from '#test/support/clock.ts';
import { findMaxRequests } from '#test/support/limits.ts';
import { PASSWORD, startPeople } from '#test/support/people.ts';
import { type SignedInPerson, signIn } from '#test/support/sign-in.ts';

const people = await startPeople();
const { deps, clock } = people;
const proxiedApp = await buildApp(deps, { trustedProxies: ['10.9.0.0/16'] });
afterAll(() => proxiedApp.close());

let strangerCount = 0;
const newEmail = () => `stranger-${++strangerCount}@example.org`;
const newIpAddress = () => `10.8.${++strangerCount >> 8}.${strangerCount & 255}`;

/** The calls with a limit per email address, each with a valid body. */
const EMAIL_LIMITED_CALLS = {
  signInWithPassword: { kind: 'password', body: (email: string) => ({ email, password: 'not the password' }) },
  sendSignInLink: { kind: 'mail', body: (email: string) => ({ email }) },
  sendPasswordReset: { kind: 'mail', body: (email: string) => ({ email }) },
  signUp: { kind: 'mail', body: (email: string) => ({ email, password: PASSWORD }) },
} as const;
type EmailLimitedCall = keyof typeof EMAIL_LIMITED_CALLS;
const CALL_NAMES = Object.keys(EMAIL_LIMITED_CALLS).filter(
  (name): name is EmailLimitedCall => name in EMAIL_LIMITED_CALLS,
);

type RequestSource = { readonly client: string; readonly headers?: Readonly<Record<string, string>> };

function sendRequest(name: EmailLimitedCall, email: string, { client, headers }: RequestSource, app = people.app) {
  return app.inject({
    method: 'POST',
    url: callPath(name, {}),
    remoteAddress: client,
    headers: { 'x-requested-with': 'test', 'content-type': 'application/json', ...headers },
    payload: JSON.stringify(EMAIL_LIMITED_CALLS[name].body(email)),
  });
}

// @asvs 6.3.1
test.each(CALL_NAMES)('%s is limited per address and client, with or without an account', async (name) => {
  const knownEmail = newEmail();
  await people.addUser({ email: knownEmail });
  const maximum = findMaxRequests(EMAIL_LIMITED_CALLS[name].kind, 'email+client');
  const responses = [];
  for (const email of [knownEmail, newEmail()]) {
    const client = newIpAddress();
    const attempts = Array.from({ length: maximum }, () => sendRequest(name, email, { client }));
    for (const { statusCode } of await Promise.all(attempts)) expect(statusCode).not.toBe(429);
    const response = await sendRequest(name, email, { client });
    responses.push([response.statusCode, response.headers['retry-after'], response.json<{ detail: string }>().detail]);
  }
  expect(responses[0]).toEqual([429, '900', 'Too many requests. Please try again in 15 minutes.']);
  expect(responses[1]).toEqual(responses[0]);
});

test('downloads are limited per client and, for logged-in users, per user', async () => {
  const orgId = await addOrg(deps.db);
  const edith = await signIn(deps, { editorOf: [orgId] });
  const openFile = async (clientAddress: string, as?: SignedInPerson) => {
    const { statusCode } = await call(people.app, 'downloadPounds', {
      params: { orgid: orgId },
      ipAddress: clientAddress,
      as,
    });
    return statusCode;
  };
  const client = newIpAddress();
  expect(await openFile(client)).toBe(200);
  expect(await openFile(client, edith)).toBe(200);
  await deps.db.kysely
    .updateTable('rate_limits')
    .set({ count: findMaxRequests('expensive', 'client') })
    .execute();
  expect(await openFile(client)).toBe(429);
  expect(await openFile(newIpAddress())).toBe(200);
  expect(await openFile(newIpAddress(), edith)).toBe(429);
  expect(await openFile(client, await signIn(deps, {}))).toBe(200);
});

test('the call works again after the wait stated in the response', async () => {
  const email = newEmail();
  await people.addUser({ email });
  const client = newIpAddress();
  const logIn = (password: string) =>
    people.app.inject({
      method: 'POST',
      url: callPath('signInWithPassword', {}),
      remoteAddress: client,
      headers: { 'x-requested-with': 'test' },
      payload: { email, password },
    });
  await Promise.all(
    Array.from({ length: findMaxRequests('password', 'email+client') }, (_, count) => logIn(`guess ${count}`)),
  );
  clock.advance(MINUTE);
  const response = await logIn(PASSWORD);
  expect([response.statusCode, response.json<{ detail: string }>().detail]).toEqual([
    429,
    'Too many requests. Please try again in 14 minutes.',
  ]);
  clock.advance(Number(response.headers['retry-after']) * 1000);
  expect((await logIn(PASSWORD)).statusCode).toBe(200);
});

/** Headers that a client could use to impersonate another. */
const FORWARDING_HEADERS = [
  'x-forwarded-for',
  'x-real-ip',
  'x-client-ip',
  'cf-connecting-ip',
  'true-client-ip',
  'x-cluster-client-ip',
];

// @asvs 4.1.3 15.3.4
test.each([...FORWARDING_HEADERS, 'forwarded'])('a client can’t impersonate another with %s', async (header) => {
  const client = newIpAddress();
  const statuses = [];
  for (let count = 0; count <= findMaxRequests('mail', 'client'); count += 1) {
    const otherClient = newIpAddress();
    const headers = { [header]: header === 'forwarded' ? `for=${otherClient}` : otherClient };
    statuses.push((await sendRequest('sendSignInLink', newEmail(), { client, headers })).statusCode);
  }
  expect(statuses.filter((status) => status === 429)).toHaveLength(1);
  expect(statuses.at(-1)).toBe(429);
});

// @asvs 4.1.3
test('behind a trusted proxy each visitor is a separate client, and forwarding headers they send are ignored', async () => {
  const visitor = newIpAddress();
  const sendThroughProxy = (forwardedFor: string) =>
    sendRequest(
      'sendSignInLink',
      newEmail(),
      { client: '10.9.0.1', headers: { 'x-forwarded-for': forwardedFor } },
      proxiedApp,
    );
  for (let count = 0; count < findMaxRequests('mail', 'client'); count += 1) {
    expect((await sendThroughProxy(`${newIpAddress()}, ${visitor}`)).statusCode).toBe(200);
  }
  expect((await sendThroughProxy(`${newIpAddress()}, ${visitor}`)).statusCode).toBe(429);
  expect((await sendThroughProxy(newIpAddress())).statusCode).toBe(200);
});

test.each([
  ['10.8.250.1:40001', '10.8.250.1:40002', '10.8.250.2:40001'],
  ['[2001:db8:5:1::1]:40001', '2001:db8:5:1::2', '[2001:db8:5:2::1]'],
])(
  'behind a proxy that adds ports, %s and %s count as one client and %s as another',
  async (firstAddress, sameClientAddress, otherClientAddress) => {
    const sendThroughProxy = (forwardedFor: string) =>
      sendRequest(
        'sendSignInLink',
        newEmail(),
        { client: '10.9.0.1', headers: { 'x-forwarded-for': forwardedFor } },
        proxiedApp,
      );
    for (let count = 0; count < findMaxRequests('mail', 'client'); count += 1) await sendThroughProxy(firstAddress);
    expect((await sendThroughProxy(sameClientAddress)).statusCode).toBe(429);
    expect((await sendThroughProxy(otherClientAddress)).statusCode).toBe(200);
  },
);

// @asvs 15.3.4
test('a client that bypasses the proxy can’t impersonate another', async () => {
  const client = newIpAddress();
  const sendPastProxy = () =>
    sendRequest('sendSignInLink', newEmail(), { client, headers: { 'x-forwarded-for': newIpAddress() } }, proxiedApp);
  for (let count = 0; count < findMaxRequests('mail', 'client'); count += 1) await sendPastProxy();
  expect((await sendPastProxy()).statusCode).toBe(429);
});

test('a rejected request sends no email', async () => {
  const email = newEmail();
  await people.addUser({ email });
  const client = newIpAddress();
  const maximum = findMaxRequests('mail', 'email+client');
  for (let count = 0; count < maximum + 3; count += 1) await sendRequest('sendSignInLink', email, { client });
  expect(await people.readEmailsTo(email)).toHaveLength(maximum);
});
