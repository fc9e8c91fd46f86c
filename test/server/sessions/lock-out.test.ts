import { expect, test } from 'vitest';
import { callPath } from '#contract/calls.ts';
import { readOutcome } from '#test/support/call.ts';
import { MINUTE } from '#test/support/clock.ts';
import { findMaxRequests } from '#test/support/limits.ts';
import { extractCode, PASSWORD, startPeople } from '#test/support/people.ts';

const people = await startPeople();
const { app, clock, jobs, addUser: addPerson, openBrowser, readEmailsTo } = people;

let networkCount = 0;
const newIpAddress = () => `10.7.${++networkCount >> 8}.${networkCount & 255}`;

type LimitedCall = 'signInWithPassword' | 'sendSignInLink' | 'sendPasswordReset';

function sendRequest(name: LimitedCall, body: object, client: string, cookie = '') {
  const headers = { 'x-requested-with': 'test', ...(cookie && { cookie }) };
  return app.inject({ method: 'POST', url: callPath(name, {}), remoteAddress: client, headers, payload: body });
}

/** Exceeds an address's limits on password guesses and link requests, from any number of networks. */
async function guessPasswords(email: string, client: () => string) {
  for (let guess = 0; guess <= findMaxRequests('password', 'email'); guess += 1)
    await sendRequest('signInWithPassword', { email, password: `guess ${guess}` }, client());
  for (let request = 0; request <= findMaxRequests('mailbox', 'email'); request += 1)
    await sendRequest('sendSignInLink', { email }, client());
}

async function tryAsOwner(email: string, client: string, cookie?: string) {
  return [
    readOutcome(await sendRequest('signInWithPassword', { email, password: PASSWORD }, client, cookie)),
    readOutcome(await sendRequest('sendSignInLink', { email }, client, cookie)),
    readOutcome(await sendRequest('sendPasswordReset', { email }, client, cookie)),
  ];
}

const cookiesOf = (client: ReturnType<typeof openBrowser>) =>
  [...client.cookies].map(([name, { value }]) => `${name}=${value}`).join('; ');

// @asvs 6.1.1
test('wrong passwords and link requests from another network don’t block the owner', async () => {
  const email = 'editor@example.org';
  await addPerson({ email });
  const attacker = newIpAddress();
  await guessPasswords(email, () => attacker);
  expect(await tryAsOwner(email, newIpAddress())).toEqual([[200], [200], [200]]);
});

// @asvs 6.3.1
test('an attack from many networks blocks new browsers but not the owner’s known browser', async () => {
  const email = 'ada@example.org';
  await addPerson({ email });
  const knownBrowser = openBrowser();
  await knownBrowser.call('signInWithPassword', { email, password: PASSWORD });
  await knownBrowser.call('signOut');
  await guessPasswords(email, newIpAddress);
  const [password, link, reset] = await tryAsOwner(email, newIpAddress());
  expect([password, link, reset]).toEqual([[429, 'too-many-requests'], [200], [200]]);
  expect(await tryAsOwner(email, newIpAddress(), cookiesOf(knownBrowser))).toEqual([[200], [200], [200]]);
});

test('links to a flooded address still arrive, one of each kind per five minutes', async () => {
  const email = 'bea@example.org';
  await addPerson({ email });
  await guessPasswords(email, newIpAddress);
  const floodedCount = jobs.recordedJobs.length;
  expect((await readEmailsTo(email)).length).toBeLessThanOrEqual(11);
  clock.advance(5 * MINUTE);
  await sendRequest('sendSignInLink', { email }, newIpAddress());
  await sendRequest('sendSignInLink', { email }, newIpAddress());
  const [queuedEmail, ...otherEmails] = jobs.recordedJobs.slice(floodedCount);
  expect(otherEmails).toEqual([]);
  const delayMs = (queuedEmail?.startAfter?.getTime() ?? 0) - clock.now().getTime();
  expect(delayMs).toBeGreaterThan(0);
  expect(delayMs).toBeLessThanOrEqual(5 * MINUTE);
  const linkEmail = (await readEmailsTo(email)).at(-1);
  if (!linkEmail) throw new Error('No email was sent.');
  expect(readOutcome(await openBrowser().call('signInWithLink', { email, code: extractCode(linkEmail) }))).toEqual([
    200,
  ]);
});

test('a browser is known only for verified owners of an address', async () => {
  const [email, otherEmail] = ['cleo@example.org', 'dan@example.org'];
  await addPerson({ email });
  await addPerson({ email: otherEmail });
  const stranger = openBrowser();
  await stranger.call('signInWithPassword', { email: otherEmail, password: PASSWORD });
  const pretender = openBrowser();
  await addPerson({ email: 'eve@example.org', verified: false });
  await pretender.call('signInWithPassword', { email: 'eve@example.org', password: PASSWORD });
  await guessPasswords(email, newIpAddress);
  await guessPasswords('eve@example.org', newIpAddress);
  const guess = (address: string, client: typeof stranger) =>
    sendRequest('signInWithPassword', { email: address, password: PASSWORD }, newIpAddress(), cookiesOf(client));
  expect(readOutcome(await guess(email, stranger))).toEqual([429, 'too-many-requests']);
  expect(readOutcome(await guess('eve@example.org', pretender))).toEqual([429, 'too-many-requests']);
});

test('a browser is known only to the account that last logged in there', async () => {
  const [firstEmail, lastEmail] = ['fay@example.org', 'fred@example.org'];
  const sharedBrowser = openBrowser();
  for (const email of [firstEmail, lastEmail]) {
    await addPerson({ email });
    await sharedBrowser.call('signInWithPassword', { email, password: PASSWORD });
  }
  const isKnown = (email: string) => people.deps.identity.knownBrowser.find(cookiesOf(sharedBrowser), email);
  expect(await isKnown(firstEmail)).toBeUndefined();
  expect(await isKnown(lastEmail)).toBeDefined();
});

test.each([
  ['a new password', 'changePassword', { current: PASSWORD, password: 'a lamp in every window' }],
  ['logging out elsewhere', 'signOutElsewhere', {}],
] as const)('%s forgets all other known browsers', async (name, call, body) => {
  const email = `${name.replaceAll(' ', '-')}@example.org`;
  await addPerson({ email });
  const { browser: otherBrowser } = await people.logIn(email);
  const { browser: ownBrowser, token } = await people.logIn(email);
  const isKnown = async (client: typeof ownBrowser) =>
    (await people.deps.identity.knownBrowser.find(cookiesOf(client), email)) !== undefined;
  expect([await isKnown(otherBrowser), await isKnown(ownBrowser)]).toEqual([true, true]);
  expect(readOutcome(await ownBrowser.call(call, body, token))).toEqual([200]);
  expect([await isKnown(otherBrowser), await isKnown(ownBrowser)]).toEqual([false, true]);
});

test('logging out everywhere forgets every known browser', async () => {
  const email = 'fritz@example.org';
  await addPerson({ email });
  const { browser: ownBrowser, token } = await people.logIn(email);
  await ownBrowser.call('signOutEverywhere', {}, token);
  expect(await people.deps.identity.knownBrowser.find(cookiesOf(ownBrowser), email)).toBeUndefined();
});

test('attempts in a known browser are also limited', async () => {
  const email = 'finn@example.org';
  await addPerson({ email });
  const knownBrowser = openBrowser();
  await knownBrowser.call('signInWithPassword', { email, password: PASSWORD });
  const statuses = [];
  for (let index = 0; index <= 10; index += 1) {
    const response = await sendRequest(
      'signInWithPassword',
      { email, password: 'x' },
      newIpAddress(),
      cookiesOf(knownBrowser),
    );
    statuses.push(response.statusCode);
  }
  expect(statuses.filter((status) => status === 429)).toHaveLength(1);
});

test('correct passwords don’t count toward the limit, so people who share an IP address can log in', async () => {
  const client = newIpAddress();
  const email = 'gus@example.org';
  await addPerson({ email });
  for (let login = 0; login <= findMaxRequests('password', 'client'); login += 1) {
    expect(readOutcome(await sendRequest('signInWithPassword', { email, password: PASSWORD }, client))).toEqual([200]);
  }
});
