// @spec 1.sign-in 7.sign-in decisions.4
import { expect, test } from 'vitest';
import { signInByPassword } from '#server/features/sessions/sign-in.ts';
import { outcomeOf } from '#test/support/call.ts';
import { HOUR, MINUTE } from '#test/support/clock.ts';
import { PASSWORD, startPeople } from '#test/support/people.ts';

const { db, deps, clock, browser, add, signedIn, mailsTo, codeFor } = await startPeople();
const NEW = 'a roof without a leak';

const reset = (code: string, password = NEW) => browser().call('resetPassword', { code, password });
const lives = async (token: string) => (await deps.identity.actorOf(token)) !== undefined;
const signsIn = async (email: string, password: string) =>
  (await browser().call('signInByPassword', { email, password })).statusCode === 200;

async function resetCodeFor(email: string): Promise<string> {
  await browser().call('sendPasswordReset', { email });
  return codeFor(email);
}

// @asvs 6.4.3 7.4.3
test('a reset sets a new password, ends every session, and emails the owner', async () => {
  await add({ email: 'ann@example.org' });
  const { token } = await signedIn('ann@example.org');
  const response = await reset(await resetCodeFor('ann@example.org'));
  expect([outcomeOf(response), response.body]).toEqual([[200], '{}']);
  // This creates no session.
  expect([response.headers['set-cookie']].flat()).toEqual([expect.stringContaining('known_browser=')]);
  expect(await lives(token)).toBe(false);
  expect([await signsIn('ann@example.org', PASSWORD), await signsIn('ann@example.org', NEW)]).toEqual([false, true]);
  expect((await mailsTo('ann@example.org')).map(({ subject }) => subject)).toContainEqual(
    expect.stringContaining('was changed'),
  );
});

test('an address without an account gets the same response and no email', async () => {
  const response = await browser().call('sendPasswordReset', { email: 'nobody@example.org' });
  expect([outcomeOf(response), response.body]).toEqual([[200], '{}']);
  expect(await mailsTo('nobody@example.org')).toEqual([]);
});

// @asvs 6.4.3
test('a reset link works once, within an hour', async () => {
  await add({ email: 'ben@example.org' });
  const code = await resetCodeFor('ben@example.org');
  clock.pass(HOUR);
  expect(outcomeOf(await reset(code))).toEqual([422, 'link-invalid']);
  const second = await resetCodeFor('ben@example.org');
  clock.pass(HOUR - 1);
  expect(outcomeOf(await reset(second))).toEqual([200]);
  expect(outcomeOf(await reset(second, 'another roof'))).toEqual([422, 'link-invalid']);
});

test('a rejected password doesn’t use up the link', async () => {
  await add({ email: 'cat@example.org' });
  const code = await resetCodeFor('cat@example.org');
  expect(outcomeOf(await reset(code, 'password1'))).toEqual([422, 'password-too-common']);
  expect(outcomeOf(await reset(code, 'Cat@example.org'))).toEqual([422, 'password-is-address']);
  expect(outcomeOf(await reset(code))).toEqual([200]);
});

test('simultaneous resets with one link set one password', async () => {
  await add({ email: 'dee@example.org' });
  const code = await resetCodeFor('dee@example.org');
  const responses = await Promise.all(['first roof', 'second roof', 'third roof'].map((each) => reset(code, each)));
  expect(responses.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
});

test('a new password invalidates all other reset links', async () => {
  await add({ email: 'don@example.org' });
  const first = await resetCodeFor('don@example.org');
  await reset(await resetCodeFor('don@example.org'));
  expect(outcomeOf(await reset(first, 'the thief was here'))).toEqual([422, 'link-invalid']);
});

test('a user who only used links can choose a password', async () => {
  await browser().call('sendSignInLink', { email: 'eve@example.org' });
  await browser().call('signInByLink', { email: 'eve@example.org', code: await codeFor('eve@example.org') });
  expect(outcomeOf(await reset(await resetCodeFor('eve@example.org')))).toEqual([200]);
  expect(await signsIn('eve@example.org', NEW)).toBe(true);
});

test('a code for one purpose is rejected for every other', async () => {
  await add({ email: 'fin@example.org', verified: false });
  const { browser: client, token } = await signedIn('fin@example.org');
  await client.call('sendVerification', {}, token);
  const verify = await codeFor('fin@example.org');
  const resetting = await resetCodeFor('fin@example.org');
  await browser().call('sendSignInLink', { email: 'fin@example.org' });
  const signIn = await codeFor('fin@example.org');
  for (const code of [verify, signIn]) expect(outcomeOf(await reset(code))).toEqual([422, 'link-invalid']);
  for (const code of [verify, resetting]) {
    const response = await browser().call('signInByLink', { email: 'fin@example.org', code });
    expect(outcomeOf(response)).toEqual([422, 'link-invalid']);
  }
  for (const code of [signIn, resetting]) {
    expect(outcomeOf(await client.call('verifyAddress', { code }, token))).toEqual([422, 'link-invalid']);
  }
  expect(outcomeOf(await client.call('verifyAddress', { code: verify }, token))).toEqual([200]);
});

// @asvs 6.2.2 6.2.3 7.4.3
test('changing the password requires the current one and leaves one new session', async () => {
  await add({ email: 'gia@example.org' });
  const [first, second] = [await signedIn('gia@example.org'), await signedIn('gia@example.org')];
  const wrongResponse = await first.browser.call('changePassword', { current: NEW, password: NEW }, first.token);
  expect(outcomeOf(wrongResponse)).toEqual([401, 'wrong-credentials']);
  expect(outcomeOf(await first.browser.call('changePassword', { password: NEW }, first.token))).toEqual([
    401,
    'wrong-credentials',
  ]);
  expect([await lives(first.token), await lives(second.token)]).toEqual([true, true]);
  const address = { current: PASSWORD, password: 'gia@example.org' };
  expect(outcomeOf(await first.browser.call('changePassword', address, first.token))).toEqual([
    422,
    'password-is-address',
  ]);
  const response = await first.browser.call('changePassword', { current: PASSWORD, password: NEW }, first.token);
  expect([await lives(first.token), await lives(second.token)]).toEqual([false, false]);
  expect(await lives(response.json<{ token: string }>().token)).toBe(true);
  expect((await first.browser.call('readToken')).json()).not.toBeNull();
  expect((await second.browser.call('readToken')).json()).toBeNull();
  expect((await mailsTo('gia@example.org')).at(-1)?.subject).toContain('was changed');
  expect(await signsIn('gia@example.org', NEW)).toBe(true);
});

test('changing the password needs a token from the last five minutes', async () => {
  await add({ email: 'hans@example.org' });
  const login = await signedIn('hans@example.org');
  const change = (token: string) => login.browser.call('changePassword', { current: PASSWORD, password: NEW }, token);
  clock.pass(5 * MINUTE + 1000);
  expect(outcomeOf(await change(login.token))).toEqual([401, 'token-stale']);
  const fresh = (await login.browser.call('readToken')).json<{ token: string }>().token;
  expect(outcomeOf(await change(fresh))).toEqual([200]);
});

// @asvs 7.5.1
test('a first password needs an emailed confirmation in the last hour', async () => {
  await browser().call('sendSignInLink', { email: 'ian@example.org' });
  const client = browser();
  const response = await client.call('signInByLink', {
    email: 'ian@example.org',
    code: await codeFor('ian@example.org'),
  });
  const set = async (by: 'mail' | 'google' | 'passkey') => {
    await db.kysely.updateTable('sessions').set({ authentication_method: by }).execute();
    const { token } = (await client.call('readToken')).json<{ token: string }>();
    return outcomeOf(await client.call('changePassword', { password: NEW }, token));
  };
  expect(response.statusCode).toBe(200);
  expect([await set('google'), await set('passkey')]).toEqual([
    [401, 'mail-proof-required'],
    [401, 'mail-proof-required'],
  ]);
  clock.pass(60 * MINUTE + 1);
  expect(await set('mail')).toEqual([401, 'mail-proof-required']);
  const { token } = (await client.call('readToken')).json<{ token: string }>();
  await client.call('sendProofCode', {}, token);
  const { text = '' } = (await mailsTo('ian@example.org')).at(-1) ?? {};
  expect(outcomeOf(await client.call('prove', { code: /code is (\d{6})/.exec(text)?.[1] ?? '' }, token))).toEqual([
    200,
  ]);
  expect(outcomeOf(await client.call('changePassword', { password: NEW }, token))).toEqual([200]);
  expect(await signsIn('ian@example.org', NEW)).toBe(true);
});

test('a password that changes while it’s checked opens no session', async () => {
  const userId = await add({ email: 'jan@example.org' });
  const slow: typeof deps.identity = {
    ...deps.identity,
    verifyPassword: async (password, hash) => {
      const isRight = await deps.identity.verifyPassword(password, hash);
      await db.kysely.deleteFrom('accounts').where('user_id', '=', userId).execute();
      return isRight;
    },
  };
  const caller = {
    client: '192.0.2.1',
    browser: 'Firefox',
    language: undefined,
    deviceOf: async () => undefined,
    formerSession: undefined,
  };
  const response = await signInByPassword(
    { ...deps, identity: slow },
    { email: 'jan@example.org', password: PASSWORD },
    caller,
  );
  expect(response).toMatchObject({ code: 'wrong-credentials' });
  expect(await db.kysely.selectFrom('sessions').selectAll().where('user_id', '=', userId).execute()).toEqual([]);
});
