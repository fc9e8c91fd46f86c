// @spec 7.sign-in
import { expect, test } from 'vitest';
import type { ResponseBody } from '#contract/schemas.ts';
import { call, readOutcome } from '#test/support/call.ts';
import { DAY, HOUR } from '#test/support/clock.ts';
import { PASSWORD, startPeople } from '#test/support/people.ts';

const { app, clock, addUser: addPerson, logIn } = await startPeople();

const withToken = (token: string) => ({
  headers: { authorization: `Bearer ${token}`, 'x-requested-with': 'test' },
});
const readSessions = async (token: string) =>
  (await call(app, 'readSessions', { params: {}, as: withToken(token) })).json<ResponseBody<'readSessions'>>();

/** Logs a new user in on two devices. */
async function logInTwice(name: string) {
  const email = `${name}@example.org`;
  await addPerson({ email });
  const otherSession = await logIn(email);
  clock.advance(HOUR);
  const ownSession = await logIn(email);
  const listedSessions = await readSessions(ownSession.token);
  const findId = (isCurrent: boolean) => listedSessions.find((session) => session.isCurrent === isCurrent)?.id ?? '';
  return {
    email,
    ownSession,
    otherSession,
    ownId: findId(true),
    otherId: findId(false),
    listedSessions,
  };
}

// @asvs 7.5.2
test('users see their sessions with browser, network address, start, and last use', async () => {
  const { listedSessions, ownId, otherId } = await logInTwice('ada');
  const now = clock.now();
  const hourAgo = new Date(now.getTime() - HOUR).toISOString();
  const expected = { name: 'Firefox on Windows', ipAddress: '127.0.0.1' };
  expect(listedSessions).toEqual([
    {
      id: ownId,
      ...expected,
      createdTimestamp: now.toISOString(),
      lastUsedTimestamp: now.toISOString(),
      isCurrent: true,
    },
    { id: otherId, ...expected, createdTimestamp: hourAgo, lastUsedTimestamp: hourAgo, isCurrent: false },
  ]);
});

test('sessions are listed by last use, without ended ones', async () => {
  const { ownSession, otherSession, ownId, otherId } = await logInTwice('bea');
  clock.advance(HOUR / 2);
  await otherSession.browser.call('readToken');
  expect((await readSessions(ownSession.token)).map(({ id }) => id)).toEqual([otherId, ownId]);
  clock.advance(13 * DAY);
  await ownSession.browser.call('readToken');
  clock.advance(DAY);
  const { token } = (await ownSession.browser.call('readToken')).json<{ token: string }>();
  expect((await readSessions(token)).map(({ id }) => id)).toEqual([ownId]);
});

test('a session can be named by its user', async () => {
  const { ownSession, otherId } = await logInTwice('cleo');
  const rename = async (name: string) => {
    const parts = { params: { sessionid: otherId }, as: withToken(ownSession.token), body: { name } };
    return readOutcome(await call(app, 'nameSession', parts));
  };
  expect(await rename('  Library computer ')).toEqual([200]);
  const namedSession = (await readSessions(ownSession.token)).find(({ id }) => id === otherId);
  expect(namedSession?.name).toBe('Library computer');
  expect(await rename('  ')).toEqual([422, 'no-name']);
  expect(await rename('x'.repeat(61))).toEqual([422, 'name-too-long']);
});

// @asvs 7.5.2
test('a user can end one session from another', async () => {
  const { ownSession, otherSession, otherId } = await logInTwice('dora');
  const endOtherSession = async () =>
    readOutcome(await call(app, 'endSession', { params: { sessionid: otherId }, as: withToken(ownSession.token) }));
  expect(await endOtherSession()).toEqual([200]);
  expect((await otherSession.browser.call('readToken')).json()).toBeNull();
  expect(readOutcome(await call(app, 'authorize', { params: {}, as: withToken(otherSession.token) }))).toEqual([
    401,
    'token-invalid',
  ]);
  expect(await endOtherSession()).toEqual([404, 'session-not-found']);
  expect(readOutcome(await call(app, 'authorize', { params: {}, as: withToken(ownSession.token) }))).toEqual([200]);
});

test('logging out elsewhere ends all sessions but this one', async () => {
  const { email, ownSession, otherSession, ownId } = await logInTwice('ebba');
  const thirdSession = await logIn(email);
  expect(readOutcome(await ownSession.browser.call('signOutElsewhere', {}, ownSession.token))).toEqual([200]);
  expect((await readSessions(ownSession.token)).map(({ id }) => id)).toEqual([ownId]);
  for (const { browser } of [otherSession, thirdSession]) expect((await browser.call('readToken')).json()).toBeNull();
  expect((await ownSession.browser.call('readToken')).json()).not.toBeNull();
});

test('no one can see, name, or end another user’s session', async () => {
  const { otherId, ownSession } = await logInTwice('fay');
  const { ownSession: strangersSession } = await logInTwice('gil');
  const as = withToken(strangersSession.token);
  expect((await readSessions(strangersSession.token)).map(({ id }) => id)).not.toContain(otherId);
  const params = { sessionid: otherId };
  expect(readOutcome(await call(app, 'nameSession', { params, as, body: { name: 'Mine' } }))).toEqual([
    404,
    'session-not-found',
  ]);
  expect(readOutcome(await call(app, 'endSession', { params, as }))).toEqual([404, 'session-not-found']);
  const { token } = (await ownSession.browser.call('readToken')).json<{ token: string }>();
  expect((await readSessions(token)).find(({ id }) => id === otherId)?.name).toBe('Firefox on Windows');
});

test('changing the password ends other sessions, and this one keeps its name', async () => {
  const { ownSession, ownId } = await logInTwice('hal');
  const renameRequest = { params: { sessionid: ownId }, as: withToken(ownSession.token), body: { name: 'Kitchen' } };
  await call(app, 'nameSession', renameRequest);
  const request = { current: PASSWORD, password: 'a lamp in every window' };
  const { token } = (await ownSession.browser.call('changePassword', request, ownSession.token)).json<{
    token: string;
  }>();
  expect(await readSessions(token)).toMatchObject([{ isCurrent: true, name: 'Kitchen' }]);
});
