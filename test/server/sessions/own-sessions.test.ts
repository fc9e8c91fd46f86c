// @spec 7.sign-in
import { expect, test } from 'vitest';
import type { ResponseBody } from '#contract/schemas.ts';
import { call, outcomeOf } from '#test/support/call.ts';
import { DAY, HOUR } from '#test/support/clock.ts';
import { PASSWORD, startPeople } from '#test/support/people.ts';

const { app, clock, add, signedIn } = await startPeople();

const bearing = (token: string) => ({
  headers: { authorization: `Bearer ${token}`, 'x-requested-with': 'test' },
});
const sessionsOf = async (token: string) =>
  (await call(app, 'readSessions', { params: {}, as: bearing(token) })).json<ResponseBody<'readSessions'>>();

/** Someone who is logged in on two devices, with the ids of both sessions. */
async function logInTwice(name: string) {
  const email = `${name}@example.org`;
  await add({ email });
  const otherSession = await signedIn(email);
  clock.pass(HOUR);
  const ownSession = await signedIn(email);
  const listedSessions = await sessionsOf(ownSession.token);
  const idOf = (isThis: boolean) => listedSessions.find((session) => session.isThis === isThis)?.id ?? '';
  return {
    email,
    here: ownSession,
    there: otherSession,
    hereId: idOf(true),
    thereId: idOf(false),
    listed: listedSessions,
  };
}

// @asvs 7.5.2
test('users see their sessions with browser, place, start, and last use', async () => {
  const { listed, hereId, thereId } = await logInTwice('ada');
  const now = clock.now();
  const hourAgo = new Date(now.getTime() - HOUR).toISOString();
  const expected = { name: 'Firefox on Windows', client: '127.0.0.1' };
  expect(listed).toEqual([
    { id: hereId, ...expected, createdTimestamp: now.toISOString(), usedTimestamp: now.toISOString(), isThis: true },
    { id: thereId, ...expected, createdTimestamp: hourAgo, usedTimestamp: hourAgo, isThis: false },
  ]);
});

test('sessions are listed by last use, without ended ones', async () => {
  const { here, there, hereId, thereId } = await logInTwice('bea');
  clock.pass(HOUR / 2);
  await there.browser.call('readToken');
  expect((await sessionsOf(here.token)).map(({ id }) => id)).toEqual([thereId, hereId]);
  clock.pass(13 * DAY);
  await here.browser.call('readToken');
  clock.pass(DAY);
  const { token } = (await here.browser.call('readToken')).json<{ token: string }>();
  expect((await sessionsOf(token)).map(({ id }) => id)).toEqual([hereId]);
});

test('a session can be named by its user', async () => {
  const { here, thereId } = await logInTwice('cleo');
  const rename = async (name: string) => {
    const parts = { params: { sessionid: thereId }, as: bearing(here.token), body: { name } };
    return outcomeOf(await call(app, 'nameSession', parts));
  };
  expect(await rename('  Library computer ')).toEqual([200]);
  const namedSession = (await sessionsOf(here.token)).find(({ id }) => id === thereId);
  expect(namedSession?.name).toBe('Library computer');
  expect(await rename('  ')).toEqual([422, 'no-name']);
  expect(await rename('x'.repeat(61))).toEqual([422, 'name-too-long']);
});

// @asvs 7.5.2
test('one session is ended from another', async () => {
  const { here, there, thereId } = await logInTwice('dora');
  const end = async () =>
    outcomeOf(await call(app, 'endSession', { params: { sessionid: thereId }, as: bearing(here.token) }));
  expect(await end()).toEqual([200]);
  expect((await there.browser.call('readToken')).json()).toBeNull();
  expect(outcomeOf(await call(app, 'authorize', { params: {}, as: bearing(there.token) }))).toEqual([
    401,
    'token-invalid',
  ]);
  expect(await end()).toEqual([404, 'session-not-found']);
  expect(outcomeOf(await call(app, 'authorize', { params: {}, as: bearing(here.token) }))).toEqual([200]);
});

test('all sessions but this one are ended', async () => {
  const { email, here, there, hereId } = await logInTwice('ebba');
  const third = await signedIn(email);
  expect(outcomeOf(await here.browser.call('signOutElsewhere', {}, here.token))).toEqual([200]);
  expect((await sessionsOf(here.token)).map(({ id }) => id)).toEqual([hereId]);
  for (const { browser } of [there, third]) expect((await browser.call('readToken')).json()).toBeNull();
  expect((await here.browser.call('readToken')).json()).not.toBeNull();
});

test('no one can see, name, or end another user’s session', async () => {
  const { thereId, here } = await logInTwice('fay');
  const { here: otherBrowser } = await logInTwice('gil');
  const as = bearing(otherBrowser.token);
  expect((await sessionsOf(otherBrowser.token)).map(({ id }) => id)).not.toContain(thereId);
  const params = { sessionid: thereId };
  expect(outcomeOf(await call(app, 'nameSession', { params, as, body: { name: 'Mine' } }))).toEqual([
    404,
    'session-not-found',
  ]);
  expect(outcomeOf(await call(app, 'endSession', { params, as }))).toEqual([404, 'session-not-found']);
  const { token } = (await here.browser.call('readToken')).json<{ token: string }>();
  expect((await sessionsOf(token)).find(({ id }) => id === thereId)?.name).toBe('Firefox on Windows');
});

test('a changed password ends other sessions, and this one keeps its name', async () => {
  const { here, hereId } = await logInTwice('hal');
  const name = { params: { sessionid: hereId }, as: bearing(here.token), body: { name: 'Kitchen' } };
  await call(app, 'nameSession', name);
  const request = { current: PASSWORD, password: 'a lamp in every window' };
  const { token } = (await here.browser.call('changePassword', request, here.token)).json<{ token: string }>();
  expect(await sessionsOf(token)).toMatchObject([{ isThis: true, name: 'Kitchen' }]);
});
