import { expect, test } from 'vitest';
import { callPath } from '#contract/calls.ts';
import { outcomeOf } from '#test/support/call.ts';
import { MINUTE } from '#test/support/clock.ts';
import { limitOf } from '#test/support/limits.ts';
import { codeIn, PASSWORD, startPeople } from '#test/support/people.ts';

const people = await startPeople();
const { app, clock, jobs, add, browser, mailsTo } = people;

let networks = 0;
const elsewhere = () => `10.7.${++networks >> 8}.${networks & 255}`;

type Ask = 'signInByPassword' | 'sendSignInLink' | 'sendPasswordReset';

function ask(name: Ask, body: object, client: string, cookie = '') {
  const headers = { 'x-requested-with': 'test', ...(cookie && { cookie }) };
  return app.inject({ method: 'POST', url: callPath(name, {}), remoteAddress: client, headers, payload: body });
}

/** More guesses and link requests than an address allows, from as many networks as the attacker needs. */
async function guessPasswords(email: string, client: () => string) {
  for (let guess = 0; guess <= limitOf('password', 'email'); guess += 1)
    await ask('signInByPassword', { email, password: `guess ${guess}` }, client());
  for (let request = 0; request <= limitOf('mailbox', 'email'); request += 1)
    await ask('sendSignInLink', { email }, client());
}

async function ownerTries(email: string, client: string, cookie?: string) {
  return [
    outcomeOf(await ask('signInByPassword', { email, password: PASSWORD }, client, cookie)),
    outcomeOf(await ask('sendSignInLink', { email }, client, cookie)),
    outcomeOf(await ask('sendPasswordReset', { email }, client, cookie)),
  ];
}

const cookiesOf = (one: ReturnType<typeof browser>) =>
  [...one.cookies].map(([name, { value }]) => `${name}=${value}`).join('; ');

// @asvs 6.1.1
test('wrong passwords and link requests from another network don’t block the owner', async () => {
  const email = 'editor@example.org';
  await add({ email });
  const attacker = elsewhere();
  await guessPasswords(email, () => attacker);
  expect(await ownerTries(email, elsewhere())).toEqual([[200], [200], [200]]);
});

// @asvs 6.3.1
test('an attacker with many networks is stopped in new browsers, but not the owner’s known browser', async () => {
  const email = 'ada@example.org';
  await add({ email });
  const knownBrowser = browser();
  await knownBrowser.call('signInByPassword', { email, password: PASSWORD });
  await knownBrowser.call('signOut');
  await guessPasswords(email, elsewhere);
  const [password, link, reset] = await ownerTries(email, elsewhere());
  expect([password, link, reset]).toEqual([[429, 'too-many-requests'], [200], [200]]);
  expect(await ownerTries(email, elsewhere(), cookiesOf(knownBrowser))).toEqual([[200], [200], [200]]);
});

test('while an address is flooded its links still arrive, one of each kind per five minutes', async () => {
  const email = 'bea@example.org';
  await add({ email });
  await guessPasswords(email, elsewhere);
  const floodedCount = jobs.recorded.length;
  expect((await mailsTo(email)).length).toBeLessThanOrEqual(11);
  clock.pass(5 * MINUTE);
  await ask('sendSignInLink', { email }, elsewhere());
  await ask('sendSignInLink', { email }, elsewhere());
  const [queued, ...others] = jobs.recorded.slice(floodedCount);
  expect(others).toEqual([]);
  const wait = (queued?.startAfter?.getTime() ?? 0) - clock.now().getTime();
  expect(wait).toBeGreaterThan(0);
  expect(wait).toBeLessThanOrEqual(5 * MINUTE);
  const mail = (await mailsTo(email)).at(-1);
  if (!mail) throw new Error('No mail came.');
  expect(outcomeOf(await browser().call('signInByLink', { email, code: codeIn(mail) }))).toEqual([200]);
});

test('a browser is known only for verified owners of an address', async () => {
  const [email, otherEmail] = ['cleo@example.org', 'dan@example.org'];
  await add({ email });
  await add({ email: otherEmail });
  const stranger = browser();
  await stranger.call('signInByPassword', { email: otherEmail, password: PASSWORD });
  const pretender = browser();
  await add({ email: 'eve@example.org', verified: false });
  await pretender.call('signInByPassword', { email: 'eve@example.org', password: PASSWORD });
  await guessPasswords(email, elsewhere);
  await guessPasswords('eve@example.org', elsewhere);
  const guess = (of: string, one: typeof stranger) =>
    ask('signInByPassword', { email: of, password: PASSWORD }, elsewhere(), cookiesOf(one));
  expect(outcomeOf(await guess(email, stranger))).toEqual([429, 'too-many-requests']);
  expect(outcomeOf(await guess('eve@example.org', pretender))).toEqual([429, 'too-many-requests']);
});

test('a browser is known only to the account that last logged in there', async () => {
  const [first, last] = ['fay@example.org', 'fred@example.org'];
  const shared = browser();
  for (const email of [first, last]) {
    await add({ email });
    await shared.call('signInByPassword', { email, password: PASSWORD });
  }
  const isKnown = (email: string) => people.deps.identity.knownBrowser.find(cookiesOf(shared), email);
  expect(await isKnown(first)).toBeUndefined();
  expect(await isKnown(last)).toBeDefined();
});

test.each([
  ['a new password', 'changePassword', { current: PASSWORD, password: 'a lamp in every window' }],
  ['signing out elsewhere', 'signOutElsewhere', {}],
] as const)('%s forgets all other known browsers', async (name, call, body) => {
  const email = `${name.replaceAll(' ', '-')}@example.org`;
  await add({ email });
  const { browser: otherBrowser } = await people.signedIn(email);
  const { browser: own, token } = await people.signedIn(email);
  const isKnown = async (one: typeof own) =>
    (await people.deps.identity.knownBrowser.find(cookiesOf(one), email)) !== undefined;
  expect([await isKnown(otherBrowser), await isKnown(own)]).toEqual([true, true]);
  expect(outcomeOf(await own.call(call, body, token))).toEqual([200]);
  expect([await isKnown(otherBrowser), await isKnown(own)]).toEqual([false, true]);
});

test('signing out everywhere forgets every known browser', async () => {
  const email = 'fritz@example.org';
  await add({ email });
  const { browser: own, token } = await people.signedIn(email);
  await own.call('signOutEverywhere', {}, token);
  expect(await people.deps.identity.knownBrowser.find(cookiesOf(own), email)).toBeUndefined();
});

test('attempts in a known browser are also limited', async () => {
  const email = 'finn@example.org';
  await add({ email });
  const knownBrowser = browser();
  await knownBrowser.call('signInByPassword', { email, password: PASSWORD });
  const statuses = [];
  for (let time = 0; time <= 10; time += 1) {
    const response = await ask('signInByPassword', { email, password: 'x' }, elsewhere(), cookiesOf(knownBrowser));
    statuses.push(response.statusCode);
  }
  expect(statuses.filter((status) => status === 429)).toHaveLength(1);
});

test('correct passwords don’t count toward the limit, so an office can log in behind one address', async () => {
  const client = elsewhere();
  const email = 'gus@example.org';
  await add({ email });
  for (let login = 0; login <= limitOf('password', 'client'); login += 1) {
    expect(outcomeOf(await ask('signInByPassword', { email, password: PASSWORD }, client))).toEqual([200]);
  }
});
