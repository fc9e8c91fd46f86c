// @spec 7.sign-in
import { afterAll, beforeEach, expect, test } from 'vitest';
import { inTransaction } from '#server/db/transaction.ts';
import { setRemovalTime } from '#server/features/second-factors/second-factors.store.ts';
import type { Browser } from '#test/support/browser.ts';
import { readOutcome } from '#test/support/call.ts';
import { HOUR, MINUTE } from '#test/support/clock.ts';
import { createLogSpy } from '#test/support/log-spy.ts';
import { startOpenIdProvider } from '#test/support/openid-provider.ts';
import { PASSWORD, startPeople } from '#test/support/people.ts';
import { addAuthenticatorTo, addPasskeyTo } from '#test/support/second-factors.ts';
import { createSoftwarePasskey } from '#test/support/software-passkey.ts';

const provider = await startOpenIdProvider();
afterAll(() => provider.close());
const {
  db,
  deps,
  clock,
  openBrowser,
  addUser: addPerson,
  logIn,
  readEmailsTo,
} = await startPeople({
  google: { client: provider.client, log: createLogSpy().log },
});
const origin = deps.publicUrl();
const wrongCode = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

beforeEach(() => clock.advance(10 * MINUTE));

/** Creates a user who logged in before the account had a second factor. */
async function createPerson(name: string) {
  const email = `${name}@example.org`;
  const userId = await addPerson({ email });
  const login = await logIn(email);
  return { email, userId, ...userActions(login.browser, email, userId) };
}

function userActions(client: Browser, email: string, userId: string) {
  const readToken = async () => (await client.call('readToken')).json<{ token: string }>().token;
  const startConfirmation = async () =>
    (await client.call('startConfirmation', {}, await readToken())).json<{
      methods: string[];
      passkey: { challenge: string } | null;
      secondFactor: object | null;
    }>();
  const confirm = async (body: object) => readOutcome(await client.call('confirmIdentity', body, await readToken()));
  const emailCode = async () => {
    await client.call('sendConfirmationCode', {}, await readToken());
    return /Your code is (\d{6})\./.exec((await readEmailsTo(email)).at(-1)?.text ?? '')?.[1] ?? 'no code';
  };
  const readSession = async () =>
    db.kysely
      .selectFrom('sessions')
      .select(['authentication_method', 'authenticated_at', 'second_factor_at'])
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow();
  const confirmByGoogle = async () => {
    const { url } = (await client.call('startGoogleConfirmation', {}, await readToken())).json<{ url: string }>();
    return client.open((await provider.confirmLogin(url)).replace(origin, ''));
  };
  return {
    client,
    readToken,
    startConfirmation,
    confirm,
    emailCode,
    readSession,
    confirmByGoogle,
  };
}

test('with a second step, neither password, email, nor app code alone is enough', async () => {
  const ada = await createPerson('ada');
  const { code } = await addAuthenticatorTo(deps, ada);
  const initialSession = await ada.readSession();
  const sentCode = await ada.emailCode();
  expect(await ada.confirm({ password: PASSWORD })).toEqual([401, 'wrong-code']);
  expect(await ada.confirm({ code: sentCode })).toEqual([401, 'wrong-code']);
  expect(await ada.confirm({ secondFactor: { code: code() } })).toEqual([422, 'code-invalid']);
  expect(await ada.confirm({ password: 'not mine', secondFactor: { code: code() } })).toEqual([422, 'wrong-password']);
  expect(await ada.confirm({ password: PASSWORD, secondFactor: { code: wrongCode(code()) } })).toEqual([
    401,
    'wrong-code',
  ]);
  expect(await ada.readSession()).toEqual(initialSession);
  // The failed attempts didn't use up the valid codes.
  expect(await ada.confirm({ code: sentCode, secondFactor: { code: code() } })).toEqual([200]);
  expect(await ada.readSession()).toEqual({
    authentication_method: 'mail',
    authenticated_at: clock.now(),
    second_factor_at: clock.now(),
  });
  expect(await ada.confirm({ code: sentCode, secondFactor: { code: code() } })).toEqual([422, 'code-invalid']);
});

test('a password plus an authenticator or recovery code confirms identity, and each code works once', async () => {
  const bea = await createPerson('bea');
  const { code, recoveryCodes } = await addAuthenticatorTo(deps, bea);
  expect(await bea.confirm({ password: PASSWORD, secondFactor: { code: code() } })).toEqual([200]);
  expect(await bea.readSession()).toMatchObject({ authentication_method: 'password', authenticated_at: clock.now() });
  expect(await bea.confirm({ password: PASSWORD, secondFactor: { code: code() } })).toEqual([401, 'wrong-code']);
  const recoveryCode = recoveryCodes[0] ?? '';
  expect(await bea.confirm({ password: PASSWORD, secondFactor: { recoveryCode } })).toEqual([200]);
  expect(await bea.confirm({ password: PASSWORD, secondFactor: { recoveryCode } })).toEqual([
    401,
    'wrong-recovery-code',
  ]);
});

test('a passkey alone confirms once, in this session, if its device verified its owner', async () => {
  const cleo = await createPerson('cleo');
  const passkey = createSoftwarePasskey();
  await addPasskeyTo(deps, cleo, passkey, origin);
  const usePasskey = async (verified: boolean, user = cleo) =>
    passkey.authenticate(
      { challenge: (await user.startConfirmation()).passkey?.challenge ?? '' },
      { origin, verified },
    );
  expect(await cleo.confirm({ passkey: await usePasskey(false) })).toEqual([401, 'passkey-rejected']);
  const response = await usePasskey(true);
  expect(await cleo.confirm({ passkey: response })).toEqual([200]);
  expect(await cleo.readSession()).toMatchObject({ authentication_method: 'passkey', second_factor_at: clock.now() });
  expect(await cleo.confirm({ passkey: response })).toEqual([401, 'passkey-rejected']);
  expect(await cleo.confirm({ passkey: passkey.authenticate({ challenge: 'another' }, { origin }) })).toEqual([
    401,
    'passkey-rejected',
  ]);
  const dan = await createPerson('dan');
  await addPasskeyTo(deps, dan, createSoftwarePasskey(), origin);
  expect(await cleo.confirm({ passkey: await usePasskey(true, dan) })).toEqual([401, 'passkey-rejected']);
  expect(await dan.confirm({ passkey: await usePasskey(true, dan) })).toEqual([401, 'passkey-rejected']);
  // As a second step, the device doesn't have to verify its owner.
  expect(await cleo.confirm({ secondFactor: { passkey: await usePasskey(false) } })).toEqual([422, 'code-invalid']);
  expect(await cleo.confirm({ password: PASSWORD, secondFactor: { passkey: await usePasskey(false) } })).toEqual([200]);
});

test('the page gets the available methods, quickest first', async () => {
  const eva = await createPerson('eva');
  expect(await eva.startConfirmation()).toEqual({ methods: ['password', 'mail'], passkey: null, secondFactor: null });
  await addAuthenticatorTo(deps, eva);
  expect(await eva.startConfirmation()).toMatchObject({
    methods: ['password', 'mail'],
    secondFactor: { passkey: false, authenticator: true, recoveryCodes: true },
  });
  await addPasskeyTo(deps, eva, createSoftwarePasskey(), origin);
  expect(await eva.startConfirmation()).toMatchObject({
    methods: ['passkey', 'password', 'mail'],
    secondFactor: { passkey: true },
  });
  await db.kysely.updateTable('users').set({ email_verified: false }).where('id', '=', eva.userId).execute();
  await db.kysely.deleteFrom('accounts').where('user_id', '=', eva.userId).execute();
  expect((await eva.startConfirmation()).methods).toEqual(['passkey']);
});

/** Creates a user who is logged in with Google. */
async function addGoogleUser(name: string) {
  const email = `${name}@example.org`;
  const person = { sub: `subject-${name}`, email, emailVerified: true, name: 'Grace Google' };
  provider.people = [person];
  const client = openBrowser();
  const { url } = (await client.call('signInWithGoogle', {})).json<{ url: string }>();
  await client.open((await provider.confirmLogin(url)).replace(origin, ''));
  const user = await db.kysely.selectFrom('users').select('id').where('email', '=', email).executeTakeFirstOrThrow();
  return { person, userId: user.id, email, ...userActions(client, email, user.id) };
}

test('a Google user can confirm with Google once, plus the second step if there is one', async () => {
  const fay = await addGoogleUser('fay');
  expect((await fay.startConfirmation()).methods).toEqual(['google', 'mail']);
  clock.advance(10 * MINUTE);
  expect(await fay.confirm({ google: true })).toEqual([422, 'google-unconfirmed']);
  const response = await fay.confirmByGoogle();
  expect([response.statusCode, response.headers.location]).toEqual([303, '/login/confirmed']);
  expect(await fay.confirm({ google: true })).toEqual([200]);
  expect(await fay.readSession()).toMatchObject({ authentication_method: 'google', authenticated_at: clock.now() });
  expect(await fay.confirm({ google: true })).toEqual([422, 'google-unconfirmed']);
  const { code } = await addAuthenticatorTo(deps, fay);
  await fay.confirmByGoogle();
  expect(await fay.confirm({ google: true })).toEqual([401, 'wrong-code']);
  expect(await fay.confirm({ google: true, secondFactor: { code: code() } })).toEqual([200]);
  await fay.confirmByGoogle();
  clock.advance(10 * MINUTE);
  expect(await fay.confirm({ google: true, secondFactor: { code: code() } })).toEqual([422, 'google-unconfirmed']);
});

test('a different Google account neither confirms nor logs anyone in', async () => {
  const [gil, hana] = [await addGoogleUser('gil'), await addGoogleUser('hana')];
  for (const sub of ['subject-hana', 'subject-unknown']) {
    provider.people = [{ ...hana.person, sub, email: 'new@example.org' }];
    await gil.confirmByGoogle();
    expect(await gil.confirm({ google: true })).toEqual([422, 'google-unconfirmed']);
  }
  expect(await hana.confirm({ google: true })).toEqual([422, 'google-unconfirmed']);
  const accounts = db.kysely.selectFrom('users').select('id').where('email', '=', 'new@example.org');
  expect(await accounts.execute()).toEqual([]);
  provider.people = [gil.person];
  provider.fault = 'wrong-nonce';
  await gil.confirmByGoogle();
  provider.fault = undefined;
  expect(await gil.confirm({ google: true })).toEqual([422, 'google-unconfirmed']);
});

test('with a second step, the current password alone doesn’t change the password', async () => {
  const ida = await createPerson('ida');
  const { code } = await addAuthenticatorTo(deps, ida);
  const changePassword = async () =>
    readOutcome(
      await ida.client.call(
        'changePassword',
        { current: PASSWORD, password: 'a new one, as long as that' },
        await ida.readToken(),
      ),
    );
  clock.advance(61 * MINUTE);
  // Not limited, because nothing was guessed.
  for (let tries = 0; tries < 12; tries += 1) expect(await changePassword()).toEqual([401, 'confirmation-required']);
  expect(await ida.confirm({ password: PASSWORD, secondFactor: { code: code() } })).toEqual([200]);
  expect(await changePassword()).toEqual([200]);
});

test('a removal of the second step that is due also takes effect on confirmation', async () => {
  const jo = await createPerson('jo');
  await addAuthenticatorTo(deps, jo);
  await inTransaction(db, (tx) => setRemovalTime(tx, jo.userId, clock.now()));
  expect(await jo.confirm({ password: PASSWORD })).toEqual([200]);
  expect(await jo.startConfirmation()).toMatchObject({ secondFactor: null });
});

test('wrong second-step codes are limited to ten an hour and sixty a day, as at login', async () => {
  const kim = await createPerson('kim');
  const { code } = await addAuthenticatorTo(deps, kim);
  for (let hours = 0; hours < 6; hours += 1) {
    for (let tries = 0; tries < 10; tries += 1) {
      expect(await kim.confirm({ secondFactor: { code: wrongCode(code()) } })).toEqual([422, 'code-invalid']);
    }
    expect(await kim.confirm({ password: PASSWORD, secondFactor: { code: code() } })).toEqual([
      429,
      'too-many-requests',
    ]);
    clock.advance(HOUR);
  }
  expect(await kim.confirm({ password: PASSWORD, secondFactor: { code: code() } })).toEqual([429, 'too-many-requests']);
  expect(await kim.confirm({ password: PASSWORD })).toEqual([401, 'wrong-code']);
});
