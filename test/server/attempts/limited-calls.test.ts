import { afterAll, expect, test } from 'vitest';
import { callPath } from '#contract/calls.ts';
import { buildApp } from '#server/app.ts';
import { LIMITS } from '#server/features/rate-limits/limits.ts';
import { MINUTE } from '#test/support/clock.ts';
import { PASSWORD, startPeople } from '#test/support/people.ts';

const people = await startPeople();
const { deps, clock } = people;
const behindProxy = await buildApp(deps, { trustedProxies: ['10.9.0.0/16'] });
afterAll(() => behindProxy.close());

let strangers = 0;
const stranger = () => `stranger-${++strangers}@example.org`;
const anotherClient = () => `10.8.${++strangers >> 8}.${strangers & 255}`;

/** The calls that are limited for an address, with a body that is good. */
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

test.each(NAMES)('%s is refused for an address after so many times, whether it has an account or not', async (name) => {
  const known = stranger();
  await people.add({ email: known });
  const most = LIMITS[CALLS_ABOUT_AN_ADDRESS[name].kind].perAddress;
  const told = [];
  for (const email of [known, stranger()]) {
    const tries = Array.from({ length: most }, () => ask(name, email, { client: anotherClient() }));
    for (const { statusCode } of await Promise.all(tries)) expect(statusCode).not.toBe(429);
    const refused = await ask(name, email, { client: anotherClient() });
    told.push([refused.statusCode, refused.headers['retry-after'], refused.json<{ detail: string }>().detail]);
  }
  expect(told[0]).toEqual([429, '900', 'That was a lot at once. Please try again in 15 minutes.']);
  expect(told[1]).toEqual(told[0]);
});

test('who has waited as long as was told is let in again', async () => {
  const email = stranger();
  await people.add({ email });
  const signIn = (password: string) =>
    people.app.inject({
      method: 'POST',
      url: callPath('signInByPassword', {}),
      remoteAddress: anotherClient(),
      headers: { 'x-requested-with': 'test' },
      payload: { email, password },
    });
  await Promise.all(Array.from({ length: LIMITS.password.perAddress }, (_, count) => signIn(`guess ${count}`)));
  clock.pass(MINUTE);
  const refused = await signIn(PASSWORD);
  expect([refused.statusCode, refused.json<{ detail: string }>().detail]).toEqual([
    429,
    'That was a lot at once. Please try again in 14 minutes.',
  ]);
  clock.pass(Number(refused.headers['retry-after']) * 1000);
  expect((await signIn(PASSWORD)).statusCode).toBe(200);
});

/** What a client could say of itself in order to pass for others. */
const FORWARDED = [
  'x-forwarded-for',
  'x-real-ip',
  'x-client-ip',
  'cf-connecting-ip',
  'true-client-ip',
  'x-cluster-client-ip',
];

test.each([...FORWARDED, 'forwarded'])(
  'a client that says in %s that it is another one is still the same',
  async (header) => {
    const client = anotherClient();
    const statuses = [];
    for (let count = 0; count <= LIMITS.mail.perClient; count += 1) {
      const other = anotherClient();
      const headers = { [header]: header === 'forwarded' ? `for=${other}` : other };
      statuses.push((await ask('sendSignInLink', stranger(), { client, headers })).statusCode);
    }
    expect(statuses.filter((status) => status === 429)).toHaveLength(1);
    expect(statuses.at(-1)).toBe(429);
  },
);

test('behind a trusted proxy each visitor is a client, and what a visitor says before the proxy counts for nothing', async () => {
  const visitor = anotherClient();
  const through = (said: string) =>
    ask('sendSignInLink', stranger(), { client: '10.9.0.1', headers: { 'x-forwarded-for': said } }, behindProxy);
  for (let count = 0; count < LIMITS.mail.perClient; count += 1) {
    expect((await through(`${anotherClient()}, ${visitor}`)).statusCode).toBe(200);
  }
  expect((await through(`${anotherClient()}, ${visitor}`)).statusCode).toBe(429);
  expect((await through(anotherClient())).statusCode).toBe(200);
});

test('who comes past the proxy is taken for nobody else', async () => {
  const client = anotherClient();
  const past = () =>
    ask('sendSignInLink', stranger(), { client, headers: { 'x-forwarded-for': anotherClient() } }, behindProxy);
  for (let count = 0; count < LIMITS.mail.perClient; count += 1) await past();
  expect((await past()).statusCode).toBe(429);
});

test('what is refused is not done: no mail goes out', async () => {
  const email = stranger();
  await people.add({ email });
  for (let count = 0; count < LIMITS.mail.perAddress + 3; count += 1) {
    await ask('sendSignInLink', email, { client: anotherClient() });
  }
  expect(await people.mailsTo(email)).toHaveLength(LIMITS.mail.perAddress);
});
