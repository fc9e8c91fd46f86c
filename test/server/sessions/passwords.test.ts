// @spec 1.sign-in 7.sign-in decisions.4
import { expect, test } from 'vitest';
import { signInWithPassword } from '#server/features/sessions/sign-in.ts';
import { readOutcome } from '#test/support/call.ts';
import { HOUR, MINUTE } from '#test/support/clock.ts';
import { PASSWORD, startPeople } from '#test/support/people.ts';

const { db, deps, clock, openBrowser, addUser: addPerson, logIn, readEmailsTo, readCodeFor } = await startPeople();
const NEW_PASSWORD = 'a roof without a leak';

const resetPassword = (code: string, password = NEW_PASSWORD) =>
  openBrowser().call('resetPassword', { code, password });
const isTokenActive = async (token: string) => (await deps.identity.findActor(token)) !== undefined;
const canLogIn = async (email: string, password: string) =>
  (await openBrowser().call('signInWithPassword', { email, password })).statusCode === 200;

async function requestResetCode(email: string): Promise<string> {
  await openBrowser().call('sendPasswordReset', { email });
  return readCodeFor(email);
}

// @asvs 6.4.3 7.4.3
test('a reset sets a new password, ends every session, and emails the owner', async () => {
  await addPerson({ email: 'ann@example.org' });
  const { token } = await logIn('ann@example.org');
  const response = await resetPassword(await requestResetCode('ann@example.org'));
  expect([readOutcome(response), response.body]).toEqual([[200], '{}']);
  // A reset creates no session.
  expect([response.headers['set-cookie']].flat()).toEqual([expect.stringContaining('known_browser=')]);
  expect(await isTokenActive(token)).toBe(false);
  expect([await canLogIn('ann@example.org', PASSWORD), await canLogIn('ann@example.org', NEW_PASSWORD)]).toEqual([
    false,
    true,
  ]);
  expect((await readEmailsTo('ann@example.org')).map(({ subject }) => subject)).toContainEqual(
    expect.stringContaining('was changed'),
  );
});

test('an address without an account gets the same response and no email', async () => {
  const response = await openBrowser().call('sendPasswordReset', { email: 'nobody@example.org' });
  expect([readOutcome(response), response.body]).toEqual([[200], '{}']);
  expect(await readEmailsTo('nobody@example.org')).toEqual([]);
});

// @asvs 6.4.3
test('a reset link works once, within an hour', async () => {
  await addPerson({ email: 'ben@example.org' });
  const code = await requestResetCode('ben@example.org');
  clock.advance(HOUR);
  expect(readOutcome(await resetPassword(code))).toEqual([422, 'link-invalid']);
  const secondCode = await requestResetCode('ben@example.org');
  clock.advance(HOUR - 1);
  expect(readOutcome(await resetPassword(secondCode))).toEqual([200]);
  expect(readOutcome(await resetPassword(secondCode, 'another roof'))).toEqual([422, 'link-invalid']);
});

test('a rejected password doesn’t use up the link', async () => {
  await addPerson({ email: 'cat@example.org' });
  const code = await requestResetCode('cat@example.org');
  expect(readOutcome(await resetPassword(code, 'password1'))).toEqual([422, 'password-too-common']);
  expect(readOutcome(await resetPassword(code, 'Cat@example.org'))).toEqual([422, 'password-is-email']);
  expect(readOutcome(await resetPassword(code))).toEqual([200]);
});

test('simultaneous resets with one link set one password', async () => {
  await addPerson({ email: 'dee@example.org' });
  const code = await requestResetCode('dee@example.org');
  const responses = await Promise.all(
    ['first roof', 'second roof', 'third roof'].map((password) => resetPassword(code, password)),
  );
  expect(responses.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
});

test('a new password invalidates all other reset links', async () => {
  await addPerson({ email: 'don@example.org' });
  const firstCode = await requestResetCode('don@example.org');
  await resetPassword(await requestResetCode('don@example.org'));
  expect(readOutcome(await resetPassword(firstCode, 'the thief was here'))).toEqual([422, 'link-invalid']);
});

test('a user who has only logged in with email links can set a password', async () => {
  await openBrowser().call('sendSignInLink', { email: 'eve@example.org' });
  await openBrowser().call('signInWithLink', { email: 'eve@example.org', code: await readCodeFor('eve@example.org') });
  expect(readOutcome(await resetPassword(await requestResetCode('eve@example.org')))).toEqual([200]);
  expect(await canLogIn('eve@example.org', NEW_PASSWORD)).toBe(true);
});

test('a code for one purpose is rejected for every other', async () => {
  await addPerson({ email: 'fin@example.org', verified: false });
  const { browser: client, token } = await logIn('fin@example.org');
  await client.call('sendVerification', {}, token);
  const verificationCode = await readCodeFor('fin@example.org');
  const resetCode = await requestResetCode('fin@example.org');
  await openBrowser().call('sendSignInLink', { email: 'fin@example.org' });
  const signInCode = await readCodeFor('fin@example.org');
  for (const code of [verificationCode, signInCode])
    expect(readOutcome(await resetPassword(code))).toEqual([422, 'link-invalid']);
  for (const code of [verificationCode, resetCode]) {
    const response = await openBrowser().call('signInWithLink', { email: 'fin@example.org', code });
    expect(readOutcome(response)).toEqual([422, 'link-invalid']);
  }
  for (const code of [signInCode, resetCode]) {
    expect(readOutcome(await client.call('verifyAddress', { code }, token))).toEqual([422, 'link-invalid']);
  }
  expect(readOutcome(await client.call('verifyAddress', { code: verificationCode }, token))).toEqual([200]);
});

// @asvs 6.2.2 6.2.3 7.4.3
test('changing the password requires the current one and leaves one new session', async () => {
  await addPerson({ email: 'gia@example.org' });
  const [firstLogin, secondLogin] = [await logIn('gia@example.org'), await logIn('gia@example.org')];
  const wrongResponse = await firstLogin.browser.call(
    'changePassword',
    { current: NEW_PASSWORD, password: NEW_PASSWORD },
    firstLogin.token,
  );
  expect(readOutcome(wrongResponse)).toEqual([401, 'wrong-credentials']);
  expect(
    readOutcome(await firstLogin.browser.call('changePassword', { password: NEW_PASSWORD }, firstLogin.token)),
  ).toEqual([401, 'wrong-credentials']);
  expect([await isTokenActive(firstLogin.token), await isTokenActive(secondLogin.token)]).toEqual([true, true]);
  const addressAsPassword = { current: PASSWORD, password: 'gia@example.org' };
  expect(readOutcome(await firstLogin.browser.call('changePassword', addressAsPassword, firstLogin.token))).toEqual([
    422,
    'password-is-email',
  ]);
  const response = await firstLogin.browser.call(
    'changePassword',
    { current: PASSWORD, password: NEW_PASSWORD },
    firstLogin.token,
  );
  expect([await isTokenActive(firstLogin.token), await isTokenActive(secondLogin.token)]).toEqual([false, false]);
  expect(await isTokenActive(response.json<{ token: string }>().token)).toBe(true);
  expect((await firstLogin.browser.call('readToken')).json()).not.toBeNull();
  expect((await secondLogin.browser.call('readToken')).json()).toBeNull();
  expect((await readEmailsTo('gia@example.org')).at(-1)?.subject).toContain('was changed');
  expect(await canLogIn('gia@example.org', NEW_PASSWORD)).toBe(true);
});

test('changing the password needs a token from the last five minutes', async () => {
  await addPerson({ email: 'hans@example.org' });
  const login = await logIn('hans@example.org');
  const changePassword = (token: string) =>
    login.browser.call('changePassword', { current: PASSWORD, password: NEW_PASSWORD }, token);
  clock.advance(5 * MINUTE + 1000);
  expect(readOutcome(await changePassword(login.token))).toEqual([401, 'token-stale']);
  const freshToken = (await login.browser.call('readToken')).json<{ token: string }>().token;
  expect(readOutcome(await changePassword(freshToken))).toEqual([200]);
});

// @asvs 7.5.1
test('a first password needs an emailed confirmation in the last hour', async () => {
  await openBrowser().call('sendSignInLink', { email: 'ian@example.org' });
  const client = openBrowser();
  const response = await client.call('signInWithLink', {
    email: 'ian@example.org',
    code: await readCodeFor('ian@example.org'),
  });
  const setPassword = async (method: 'mail' | 'google' | 'passkey') => {
    await db.kysely.updateTable('sessions').set({ authentication_method: method }).execute();
    const { token } = (await client.call('readToken')).json<{ token: string }>();
    return readOutcome(await client.call('changePassword', { password: NEW_PASSWORD }, token));
  };
  expect(response.statusCode).toBe(200);
  expect([await setPassword('google'), await setPassword('passkey')]).toEqual([
    [401, 'email-confirmation-required'],
    [401, 'email-confirmation-required'],
  ]);
  clock.advance(60 * MINUTE + 1);
  expect(await setPassword('mail')).toEqual([401, 'email-confirmation-required']);
  const { token } = (await client.call('readToken')).json<{ token: string }>();
  await client.call('sendConfirmationCode', {}, token);
  const { text = '' } = (await readEmailsTo('ian@example.org')).at(-1) ?? {};
  expect(
    readOutcome(await client.call('confirmIdentity', { code: /code is (\d{6})/.exec(text)?.[1] ?? '' }, token)),
  ).toEqual([200]);
  expect(readOutcome(await client.call('changePassword', { password: NEW_PASSWORD }, token))).toEqual([200]);
  expect(await canLogIn('ian@example.org', NEW_PASSWORD)).toBe(true);
});

test('a password that changes while it’s checked opens no session', async () => {
  const userId = await addPerson({ email: 'jan@example.org' });
  const racingIdentity: typeof deps.identity = {
    ...deps.identity,
    verifyPassword: async (password, hash) => {
      const isCorrect = await deps.identity.verifyPassword(password, hash);
      await db.kysely.deleteFrom('accounts').where('user_id', '=', userId).execute();
      return isCorrect;
    },
  };
  const caller = {
    client: '192.0.2.1',
    browser: 'Firefox',
    language: undefined,
    findDevice: async () => undefined,
    previousSessionHash: undefined,
  };
  const response = await signInWithPassword(
    { ...deps, identity: racingIdentity },
    { email: 'jan@example.org', password: PASSWORD },
    caller,
  );
  expect(response).toMatchObject({ code: 'wrong-credentials' });
  expect(await db.kysely.selectFrom('sessions').selectAll().where('user_id', '=', userId).execute()).toEqual([]);
});
