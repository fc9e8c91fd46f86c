// @spec 7.sign-in
import { expect, test } from 'vitest';
import type { CallName } from '#contract/calls.ts';
import type { BodyInput } from '#contract/schemas.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { setRemovalTime } from '#server/features/second-factors/second-factors.store.ts';
import { sweepSessions } from '#server/features/sessions/session-lifecycle.ts';
import { call, readOutcome } from '#test/support/call.ts';
import { HOUR, MINUTE } from '#test/support/clock.ts';
import { PASSWORD, startPeople } from '#test/support/people.ts';
import { addAuthenticatorTo, addPasskeyTo } from '#test/support/second-factors.ts';
import { createSoftwarePasskey } from '#test/support/software-passkey.ts';

const { db, deps, app, clock, openBrowser, addUser: addPerson, readCodeFor, readEmailsTo } = await startPeople();
const origin = deps.publicUrl();
const STEP = 30_000;

type LoginResult = { readonly token?: string; readonly code?: string };

async function createPerson(name: string) {
  const email = `${name}@example.org`;
  const userId = await addPerson({ email });
  return { email, userId, ...(await addAuthenticatorTo(deps, { userId, email })) };
}

/** Opens a browser and logs in with the password only. */
async function startLogin(email: string) {
  const client = openBrowser();
  const response = await client.call('signInWithPassword', { email, password: PASSWORD });
  const finish = async (body: BodyInput<'finishSecondStep'>) => {
    const finalResponse = await client.call('finishSecondStep', body);
    return { status: finalResponse.statusCode, ...finalResponse.json<LoginResult>() };
  };
  return { client, response, finish };
}

const wrongCode = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');
const readSessions = (userId: string) =>
  db.kysely.selectFrom('sessions').selectAll().where('user_id', '=', userId).execute();

// @asvs 6.3.3 6.3.4 6.4.3
test('a correct password alone does not sign the user in', async () => {
  const { email, userId, code } = await createPerson('ada');
  const { client, response, finish } = await startLogin(email);
  expect([response.statusCode, response.json()]).toEqual([200, { secondStep: true }]);
  expect([...client.cookies.keys()]).toEqual(['__Host-fund.pending_login']);
  expect((await client.call('readToken')).json()).toBeNull();
  expect(await readSessions(userId)).toEqual([]);
  expect(await finish({ code: wrongCode(code()) })).toMatchObject({ code: 'wrong-code' });
  expect(await readSessions(userId)).toEqual([]);
  expect(await finish({ code: code() })).toMatchObject({ status: 200, token: expect.any(String) });
  expect(await readSessions(userId)).toMatchObject([
    { authentication_method: 'password', second_factor_at: clock.now() },
  ]);
  expect([...client.cookies.keys()]).not.toContain('__Host-fund.pending_login');
});

test('a pending login can’t make other calls, whether its secret is sent as a cookie or a token', async () => {
  const { email } = await createPerson('ann');
  const { client } = await startLogin(email);
  for (const name of ['signOutEverywhere', 'authorize', 'refreshClaims', 'sendConfirmationCode'] as const) {
    expect(readOutcome(await client.call(name))).toEqual([401, 'login-required']);
  }
  const secret = client.cookies.get('__Host-fund.pending_login')?.value ?? '';
  const headers = { authorization: `Bearer ${secret}`, 'x-requested-with': 'test' };
  expect(readOutcome(await call(app, 'readSecondFactors', { params: {}, as: { headers } }))).toEqual([
    401,
    'token-invalid',
  ]);
});

// @asvs 6.3.4
test('an email link also requires the second step', async () => {
  const { email, code } = await createPerson('bea');
  const client = openBrowser();
  await client.call('sendSignInLink', { email });
  const response = await client.call('signInWithLink', { email, code: await readCodeFor(email) });
  expect(response.json()).toEqual({ secondStep: true });
  expect(readOutcome(await client.call('finishSecondStep', { code: code() }))).toEqual([200]);
});

// @asvs 6.5.1
test('a code works once, even if several people have it, and earlier codes no longer work', async () => {
  const { email, code } = await createPerson('cleo');
  const previousCode = code();
  clock.advance(STEP);
  const currentCode = code();
  expect((await (await startLogin(email)).finish({ code: currentCode })).status).toBe(200);
  const secondLogin = await startLogin(email);
  expect(await secondLogin.finish({ code: currentCode })).toMatchObject({ code: 'wrong-code' });
  expect(await secondLogin.finish({ code: previousCode })).toMatchObject({ code: 'wrong-code' });
  clock.advance(STEP);
  expect((await secondLogin.finish({ code: ` ${code().slice(0, 3)} ${code().slice(3)}` })).status).toBe(200);
});

test('a code is valid for the previous, current, and next half minute', async () => {
  const { email, code } = await createPerson('cora');
  const { finish } = await startLogin(email);
  const oldCode = code();
  clock.advance(2 * STEP);
  expect(await finish({ code: oldCode })).toMatchObject({ code: 'wrong-code' });
});

test('an app code used ten times concurrently signs in once', async () => {
  const { email, userId, code } = await createPerson('dora');
  const pendingLogins = await Promise.all(Array.from({ length: 10 }, () => startLogin(email)));
  const sharedCode = code();
  const results = await Promise.all(pendingLogins.map(({ finish }) => finish({ code: sharedCode })));
  expect(results.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(await readSessions(userId)).toHaveLength(1);
});

// @asvs 6.5.1
test('a recovery code used ten times concurrently signs in once', async () => {
  const { email, userId, recoveryCodes } = await createPerson('ella');
  const pendingLogins = await Promise.all(Array.from({ length: 10 }, () => startLogin(email)));
  const [recoveryCode = ''] = recoveryCodes;
  const results = await Promise.all(pendingLogins.map(({ finish }) => finish({ recoveryCode })));
  expect(results.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(await readSessions(userId)).toHaveLength(1);
});

// @asvs 6.4.4
test('each recovery code works once, in any case and with any separators; each use and a low count are emailed', async () => {
  const { email, recoveryCodes } = await createPerson('fay');
  for (const [index, code] of recoveryCodes.slice(0, 8).entries()) {
    const recoveryCode = index % 2 ? code.toUpperCase().replaceAll('-', ' ') : code;
    expect((await (await startLogin(email)).finish({ recoveryCode })).status).toBe(200);
  }
  const [recoveryCode = ''] = recoveryCodes;
  expect(await (await startLogin(email)).finish({ recoveryCode })).toMatchObject({ code: 'wrong-recovery-code' });
  const emails = (await readEmailsTo(email)).filter(({ subject }) => subject.includes('recovery'));
  expect(emails.map(({ subject }) => subject.split(' ')[0])).toEqual([...Array(7).fill('A'), 'You’re']);
  expect(emails[0]?.text).toContain('9 recovery codes are left');
  expect(emails.at(-1)?.text).toContain('2 recovery codes are left');
});

test('wrong second-step codes, wherever they come from, never block the owner’s recovery code', async () => {
  const { email, code, recoveryCodes } = await createPerson('fred');
  for (let index = 0; index < 60; index += 1) {
    const { finish } = await startLogin(email);
    await finish({ code: wrongCode(code()) });
  }
  const { finish } = await startLogin(email);
  expect(await finish({ code: code() })).toMatchObject({ code: 'too-many-requests' });
  const [recoveryCode = ''] = recoveryCodes;
  expect((await finish({ recoveryCode })).status).toBe(200);
});

test("another person's recovery code, app code, and passkey are rejected", async () => {
  const [gina, hana] = [await createPerson('gina'), await createPerson('hana')];
  const passkey = createSoftwarePasskey();
  await addPasskeyTo(deps, hana, passkey, origin);
  await addPasskeyTo(deps, gina, createSoftwarePasskey(), origin);
  const { client, finish } = await startLogin(gina.email);
  const [recoveryCode = ''] = hana.recoveryCodes;
  expect(await finish({ recoveryCode })).toMatchObject({ code: 'wrong-recovery-code' });
  expect(await finish({ code: hana.code() })).toMatchObject({ code: 'wrong-code' });
  const options = (await client.call('startSecondStep')).json<{ passkey: { challenge: string } }>().passkey;
  expect(await finish({ passkey: passkey.authenticate(options, { origin }) })).toMatchObject({
    code: 'passkey-rejected',
  });
});

// @asvs 6.6.3
test('ten wrong codes block the browser that sent them, but not the owner’s known browser', async () => {
  const { email, code } = await createPerson('ines');
  const ownBrowser = openBrowser();
  await ownBrowser.call('signInWithPassword', { email, password: PASSWORD });
  expect(readOutcome(await ownBrowser.call('finishSecondStep', { code: code() }))).toEqual([200]);
  await ownBrowser.call('signOut');
  clock.advance(STEP);
  const { finish } = await startLogin(email);
  for (let index = 0; index < 10; index += 1) {
    expect(await finish({ code: wrongCode(code()) })).toMatchObject({ code: 'wrong-code' });
  }
  expect(await finish({ code: code() })).toMatchObject({ code: 'too-many-requests' });
  await ownBrowser.call('signInWithPassword', { email, password: PASSWORD });
  expect(readOutcome(await ownBrowser.call('finishSecondStep', { code: code() }))).toEqual([200]);
});

test('a pending login ends after ten minutes, with a new password, or when completed', async () => {
  const { email, userId, code } = await createPerson('jana');
  const firstLogin = await startLogin(email);
  clock.advance(10 * MINUTE);
  expect(await firstLogin.finish({ code: code() })).toMatchObject({ code: 'second-step-over' });
  const secondLogin = await startLogin(email);
  await secondLogin.client.call('sendPasswordReset', { email });
  await secondLogin.client.call('resetPassword', { code: await readCodeFor(email), password: PASSWORD });
  expect(await secondLogin.finish({ code: code() })).toMatchObject({ code: 'second-step-over' });
  const thirdLogin = await startLogin(email);
  const pendingLogin = thirdLogin.client.cookies.get('__Host-fund.pending_login')?.value ?? '';
  expect((await thirdLogin.finish({ code: code() })).status).toBe(200);
  clock.advance(STEP);
  const response = await app.inject({
    method: 'POST',
    url: '/api/session/second-step',
    headers: { 'x-requested-with': 'test', cookie: `__Host-fund.pending_login=${pendingLogin}` },
    payload: { code: code() },
  });
  expect(response.json()).toMatchObject({ code: 'second-step-over' });
  await startLogin(email);
  clock.advance(10 * MINUTE);
  await sweepSessions(deps);
  const pendingLogins = db.kysely.selectFrom('pending_logins').selectAll().where('user_id', '=', userId);
  expect(await pendingLogins.execute()).toEqual([]);
});

test('neither another browser nor another site can take over a pending login', async () => {
  const { email, code } = await createPerson('kira');
  await startLogin(email);
  expect(readOutcome(await openBrowser().call('finishSecondStep', { code: code() }))).toEqual([
    401,
    'second-step-over',
  ]);
  for (const name of ['startSecondStep', 'finishSecondStep', 'startPasskeyLogin', 'signInWithPasskey'] as const) {
    expect(await callFromElsewhere(name)).toBe('forbidden');
  }
});

async function callFromElsewhere(name: CallName): Promise<string | undefined> {
  const paths: Partial<Record<CallName, string>> = {
    startSecondStep: 'second-step/start',
    finishSecondStep: 'second-step',
    startPasskeyLogin: 'passkey/start',
    signInWithPasskey: 'passkey',
  };
  const passkey = createSoftwarePasskey().authenticate({ challenge: 'none' }, { origin });
  const response = await app.inject({
    method: 'POST',
    url: `/api/session/${paths[name]}`,
    headers: { 'x-requested-with': 'test', origin: 'https://elsewhere.example', 'sec-fetch-site': 'cross-site' },
    payload: name === 'signInWithPasskey' ? { passkey } : {},
  });
  return response.json<LoginResult>().code;
}

test('a passkey is a second step once per challenge', async () => {
  const { email, userId } = await createPerson('lena');
  const passkey = createSoftwarePasskey();
  await addPasskeyTo(deps, { userId, email }, passkey, origin);
  const { client, finish } = await startLogin(email);
  const options = (await client.call('startSecondStep')).json<{ passkey: { challenge: string } }>();
  expect(options).toMatchObject({ authenticator: true, recoveryCodes: true, passkey: { rpId: 'fund.example' } });
  const foreignAssertion = passkey.authenticate(options.passkey, { origin: 'https://elsewhere.example' });
  expect(await finish({ passkey: foreignAssertion })).toMatchObject({ code: 'passkey-rejected' });
  const assertionForOtherChallenge = passkey.authenticate({ challenge: 'bWFkZS11cA' }, { origin });
  expect(await finish({ passkey: assertionForOtherChallenge })).toMatchObject({ code: 'passkey-rejected' });
  const assertion = passkey.authenticate(options.passkey, { origin, verified: false });
  expect((await finish({ passkey: assertion })).status).toBe(200);
  const secondLogin = await startLogin(email);
  await secondLogin.client.call('startSecondStep');
  expect(await secondLogin.finish({ passkey: assertion })).toMatchObject({ code: 'passkey-rejected' });
});

// @asvs 6.3.4
test('a passkey logs in alone if the device verified its owner', async () => {
  const { email, userId } = await createPerson('mara');
  const passkey = createSoftwarePasskey();
  await addPasskeyTo(deps, { userId, email }, passkey, origin);
  const client = openBrowser();
  const startPasskeyLogin = async () => (await client.call('startPasskeyLogin')).json<{ challenge: string }>();
  const unverifiedAssertion = passkey.authenticate(await startPasskeyLogin(), { origin, verified: false });
  expect(readOutcome(await client.call('signInWithPasskey', { passkey: unverifiedAssertion }))).toEqual([
    401,
    'passkey-rejected',
  ]);
  const assertion = passkey.authenticate(await startPasskeyLogin(), { origin });
  expect(readOutcome(await client.call('signInWithPasskey', { passkey: assertion }))).toEqual([200]);
  expect(await readSessions(userId)).toMatchObject([
    { authentication_method: 'passkey', second_factor_at: clock.now() },
  ]);
  expect(readOutcome(await client.call('signInWithPasskey', { passkey: assertion }))).toEqual([
    401,
    'second-step-over',
  ]);
  const unknownAssertion = createSoftwarePasskey().authenticate(await startPasskeyLogin(), { origin });
  expect(readOutcome(await client.call('signInWithPasskey', { passkey: unknownAssertion }))).toEqual([
    401,
    'passkey-rejected',
  ]);
});

test('a passkey login challenge is not a second step, and a pending login is not a passkey login', async () => {
  const { email, code } = await createPerson('nora');
  const client = openBrowser();
  await client.call('startPasskeyLogin');
  expect(readOutcome(await client.call('finishSecondStep', { code: code() }))).toEqual([401, 'second-step-over']);
  const pendingLogin = await startLogin(email);
  const passkey = createSoftwarePasskey().authenticate({ challenge: 'none' }, { origin });
  expect(readOutcome(await pendingLogin.client.call('signInWithPasskey', { passkey }))).toEqual([
    401,
    'second-step-over',
  ]);
});

// @asvs 6.4.4
test('a login with the second step cancels its removal; a due removal takes effect at the next login', async () => {
  const { email, userId, code } = await createPerson('olga');
  const scheduleRemoval = () =>
    inTransaction(db, (tx) => setRemovalTime(tx, userId, new Date(clock.now().getTime() + HOUR)));
  const readRemovalTime = async () =>
    (await db.kysely.selectFrom('users').selectAll().where('id', '=', userId).executeTakeFirstOrThrow())
      .second_factor_removal_at;
  await scheduleRemoval();
  expect((await (await startLogin(email)).finish({ code: code() })).status).toBe(200);
  expect(await readRemovalTime()).toBeNull();
  await scheduleRemoval();
  clock.advance(HOUR);
  const { response } = await startLogin(email);
  expect(response.json()).toMatchObject({ token: expect.any(String) });
  expect(await readSessions(userId)).toMatchObject([{ second_factor_at: null }, { second_factor_at: null }]);
});

// @asvs 16.3.1
test('a failed second step is recorded as a failed login, and a login is recorded only once both steps are done', async () => {
  const { email, userId, code } = await createPerson('petra');
  const { finish } = await startLogin(email);
  await finish({ code: wrongCode(code()) });
  await finish({ code: code() });
  const activities = await db.kysely
    .selectFrom('activities')
    .select(['kind', 'verb'])
    .where('affected_user_id', '=', userId)
    .orderBy('id')
    .execute();
  expect(activities.map(({ kind, verb }) => `${kind}.${verb}`).slice(-2)).toEqual(['login-failed.done', 'login.added']);
});
