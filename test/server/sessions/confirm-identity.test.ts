// @spec 7.sign-in
import { expect, test } from 'vitest';
import { VISITOR } from '#domain/permissions.ts';
import { confirmIdentity } from '#server/features/sessions/confirm-identity.ts';
import { requireSignedIn } from '#server/http/actor.ts';
import { call, readOutcome } from '#test/support/call.ts';
import { DAY, HOUR, MINUTE } from '#test/support/clock.ts';
import { PASSWORD, startPeople } from '#test/support/people.ts';

const { db, deps, app, clock, openBrowser, addUser: addPerson, logIn, readEmailsTo } = await startPeople();
const JUST_OVER_AN_HOUR = 60 * MINUTE + 1;

async function createPerson(name: string, verified = true) {
  const email = `${name}@example.org`;
  const userId = await addPerson({ email, verified });
  const login = await logIn(email);
  const renewToken = async () => (await login.browser.call('readToken')).json<{ token: string }>().token;
  /** Makes a call that requires a recent confirmation, with a new token. */
  const download = async () => {
    const headers = { authorization: `Bearer ${await renewToken()}`, 'x-requested-with': 'test' };
    return readOutcome(await call(app, 'downloadUser', { params: { userid: userId }, as: { headers } }));
  };
  const emailCode = async () => {
    expect(readOutcome(await login.browser.call('sendConfirmationCode', {}, await renewToken()))).toEqual([200]);
    return extractCode((await readEmailsTo(email)).at(-1)?.text);
  };
  const confirm = async (body: object) =>
    readOutcome(await login.browser.call('confirmIdentity', body, await renewToken()));
  const readSession = () =>
    db.kysely.selectFrom('sessions').selectAll().where('user_id', '=', userId).executeTakeFirstOrThrow();
  return { email, userId, ...login, renewToken, download, emailCode, confirm, readSession };
}

function extractCode(text = ''): string {
  return /Your code is (\d{6})\./.exec(text)?.[1] ?? 'no code';
}

test('a login counts as a confirmation for an hour, and a renewed token doesn’t', async () => {
  const { download } = await createPerson('ada');
  clock.advance(60 * MINUTE);
  expect(await download()).toEqual([200]);
  clock.advance(1);
  expect(await download()).toEqual([401, 'confirmation-required']);
});

test('the password confirms the user again for an hour', async () => {
  const { download, confirm, readSession } = await createPerson('bea');
  clock.advance(JUST_OVER_AN_HOUR);
  expect(await confirm({ password: 'cold homes' })).toEqual([422, 'wrong-password']);
  expect(await download()).toEqual([401, 'confirmation-required']);
  expect(await confirm({ password: PASSWORD })).toEqual([200]);
  expect(await readSession()).toMatchObject({ authenticated_at: clock.now(), authentication_method: 'password' });
  expect(await download()).toEqual([200]);
  clock.advance(JUST_OVER_AN_HOUR);
  expect(await download()).toEqual([401, 'confirmation-required']);
});

test('a stolen token isn’t upgraded by its owner’s later confirmation', async () => {
  const { confirm, renewToken, download, userId } = await createPerson('bob');
  clock.advance(JUST_OVER_AN_HOUR);
  const headers = { authorization: `Bearer ${await renewToken()}`, 'x-requested-with': 'test' };
  // The page may have renewed its token just before the confirmation.
  clock.advance(1000);
  expect(await confirm({ password: PASSWORD })).toEqual([200]);
  const useStolenToken = () => call(app, 'downloadUser', { params: { userid: userId }, as: { headers } });
  expect(readOutcome(await useStolenToken())).toEqual([401, 'token-stale']);
  // The page renews its token with the session's new secret.
  expect(await download()).toEqual([200]);
});

// @asvs 6.5.1
test('an emailed code confirms once, with or without a space', async () => {
  const { download, confirm, emailCode, readSession } = await createPerson('cleo');
  clock.advance(JUST_OVER_AN_HOUR);
  const code = await emailCode();
  expect(await confirm({ code: ` ${code.slice(0, 3)} ${code.slice(3)}` })).toEqual([200]);
  expect(await readSession()).toMatchObject({ authenticated_at: clock.now(), authentication_method: 'mail' });
  expect(await download()).toEqual([200]);
  clock.advance(JUST_OVER_AN_HOUR);
  expect(await confirm({ code })).toEqual([422, 'code-invalid']);
  expect(await download()).toEqual([401, 'confirmation-required']);
});

// @asvs 6.6.2
test('a code is valid for ten minutes, for its session and purpose only', async () => {
  const { confirm, emailCode, email } = await createPerson('dora');
  const otherPerson = await createPerson('dolf');
  const otherSession = await logIn(email);
  const code = await emailCode();
  expect(await otherPerson.confirm({ code })).toEqual([422, 'code-invalid']);
  expect(readOutcome(await otherSession.browser.call('confirmIdentity', { code }, otherSession.token))).toEqual([
    422,
    'code-invalid',
  ]);
  expect(readOutcome(await openBrowser().call('signInWithLink', { email, code }))).toEqual([422, 'link-invalid']);
  clock.advance(10 * MINUTE);
  expect(await confirm({ code })).toEqual([422, 'code-invalid']);
  const secondCode = await emailCode();
  clock.advance(10 * MINUTE - 1);
  expect(await confirm({ code: secondCode })).toEqual([200]);
});

test('an empty confirmation, or one with the code of a sign-in link, is rejected', async () => {
  const { browser: client, confirm, email } = await createPerson('ebba');
  await client.call('sendSignInLink', { email });
  const link = /code=([\w-]+)/.exec((await readEmailsTo(email)).at(-1)?.text ?? '')?.[1];
  for (const body of [{}, { code: '' }, { code: link }, { password: '' }]) {
    expect((await confirm(body))[1]).toMatch(/^(code-invalid|wrong-password)$/);
  }
});

// @asvs 6.6.3
test('wrong confirmations are limited to ten an hour, but logging in again still confirms', async () => {
  const { confirm, email, userId } = await createPerson('fay');
  for (let tries = 0; tries < 10; tries += 1)
    expect(await confirm({ code: `00000${tries}` })).toEqual([422, 'code-invalid']);
  expect(await confirm({ password: PASSWORD })).toEqual([429, 'too-many-requests']);
  const failedConfirmations = db.kysely
    .selectFrom('activities')
    .select('ip_address')
    .where('kind', '=', 'login-failed');
  expect(await failedConfirmations.where('affected_user_id', '=', userId).execute()).toHaveLength(10);
  const newSession = await logIn(email);
  const headers = { authorization: `Bearer ${newSession.token}`, 'x-requested-with': 'test' };
  const download = await call(app, 'downloadUser', { params: { userid: userId }, as: { headers } });
  expect(readOutcome(download)).toEqual([200]);
  clock.advance(HOUR);
  expect(await confirm({ password: PASSWORD })).toEqual([200]);
});

test('correct confirmations don’t count toward the limit', async () => {
  const { confirm } = await createPerson('gil');
  for (let tries = 0; tries < 12; tries += 1) expect(await confirm({ password: PASSWORD })).toEqual([200]);
});

test('at most five codes are emailed per fifteen minutes, regardless of other requests', async () => {
  const { browser: client, renewToken, email } = await createPerson('hal');
  for (let count = 0; count < 12; count += 1) await openBrowser().call('sendSignInLink', { email });
  const token = await renewToken();
  const outcomes = [];
  for (let tries = 0; tries < 6; tries += 1)
    outcomes.push(readOutcome(await client.call('sendConfirmationCode', {}, token)));
  expect(outcomes).toEqual([...Array.from({ length: 5 }, () => [200]), [429, 'too-many-requests']]);
});

test('an unverified address gets no code', async () => {
  const { browser: client, token } = await createPerson('ida', false);
  expect(readOutcome(await client.call('sendConfirmationCode', {}, token))).toEqual([403, 'email-unverified']);
});

// @asvs 7.2.4
test('a confirmation keeps the session, replaces its cookie secret, and puts the confirmation time in the token', async () => {
  const { browser: client, token, readSession, email } = await createPerson('jo');
  const initialSession = await readSession();
  const stolenCookies = [...client.cookies].map(([name, { value }]) => `${name}=${value}`).join('; ');
  clock.advance(MINUTE);
  const { token: confirmedToken } = (await client.call('confirmIdentity', { password: PASSWORD }, token)).json<{
    token: string;
  }>();
  const finalSession = await readSession();
  expect([finalSession.id, finalSession.max_expires_at]).toEqual([initialSession.id, initialSession.max_expires_at]);
  expect(finalSession.token).not.toBe(initialSession.token);
  const headers = { cookie: stolenCookies, 'x-requested-with': 'test' };
  expect((await app.inject({ method: 'POST', url: '/api/session/token', headers })).json()).toBeNull();
  expect((await client.call('readToken')).json()).not.toBeNull();
  expect(JSON.parse(Buffer.from(confirmedToken.split('.')[1] ?? '', 'base64url').toString())).toMatchObject({
    email,
    auth_time: Math.floor(clock.now().getTime() / 1000),
  });
});

test('a session that ends while it’s confirmed stays ended', async () => {
  const { token, readSession } = await createPerson('kim');
  const actor = await deps.identity.findActor(token);
  const { id } = await readSession();
  const racingIdentity = {
    ...deps.identity,
    verifyPassword: async () => {
      await db.kysely.updateTable('sessions').set({ max_expires_at: clock.now() }).where('id', '=', id).execute();
      return true;
    },
  };
  const outcome = await confirmIdentity(
    { ...deps, identity: racingIdentity },
    requireSignedIn(actor ?? VISITOR),
    { password: PASSWORD },
    '192.0.2.1',
  );
  expect(outcome).toMatchObject({ code: 'token-invalid' });
});

test('a password that changes while it’s checked isn’t accepted as a confirmation', async () => {
  const { token, userId, readSession } = await createPerson('kay');
  const actor = await deps.identity.findActor(token);
  const initialSession = await readSession();
  const racingIdentity: typeof deps.identity = {
    ...deps.identity,
    verifyPassword: async (password, hash) => {
      const isCorrect = await deps.identity.verifyPassword(password, hash);
      await db.kysely.deleteFrom('accounts').where('user_id', '=', userId).execute();
      return isCorrect;
    },
  };
  const outcome = await confirmIdentity(
    { ...deps, identity: racingIdentity },
    requireSignedIn(actor ?? VISITOR),
    { password: PASSWORD },
    '::1',
  );
  expect(outcome).toMatchObject({ code: 'wrong-password' });
  expect((await readSession()).token).toBe(initialSession.token);
});

test('no code is emailed for an ended session', async () => {
  const { browser: client, token, email } = await createPerson('lea');
  await client.call('sendConfirmationCode', {}, token);
  clock.advance(15 * DAY);
  await client.call('signOutEverywhere', {}, token);
  await db.kysely.deleteFrom('sessions').execute();
  expect((await readEmailsTo(email)).filter(({ text }) => text.includes('code'))).toEqual([]);
});
