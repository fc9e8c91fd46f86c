// @spec 7.sign-in decisions.4
import { expect, test } from 'vitest';
import { readOutcome } from '#test/support/call.ts';
import { startPeople } from '#test/support/people.ts';

const { db, deps, openBrowser, readCodeFor, logIn } = await startPeople();
const ATTACKER_PASSWORD = 'the password of the attacker';
const readUser = (email: string) =>
  db.kysely.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirstOrThrow();
const readAccounts = (userId: string) =>
  db.kysely.selectFrom('accounts').select('provider_id').where('user_id', '=', userId).execute();

/** Signs up with someone else's address and stays logged in. */
async function signUpAsAttacker(email: string) {
  await openBrowser().call('signUp', { email, password: ATTACKER_PASSWORD, name: 'Mallory' });
  const code = await readCodeFor(email);
  const attacker = openBrowser();
  const response = await attacker.call('signInWithPassword', { email, password: ATTACKER_PASSWORD });
  return { attacker, token: response.json<{ token: string }>().token, code };
}

/** Expects that the attacker's password, session, and token no longer work. */
async function expectLockedOut(
  email: string,
  { attacker, token }: Awaited<ReturnType<typeof signUpAsAttacker>>,
): Promise<void> {
  expect(await deps.identity.findActor(token)).toBeUndefined();
  expect((await attacker.call('readToken')).json()).toBeNull();
  const passwordLogin = await openBrowser().call('signInWithPassword', { email, password: ATTACKER_PASSWORD });
  expect(readOutcome(passwordLogin)).toEqual([401, 'wrong-credentials']);
  expect(await readUser(email)).toMatchObject({ email_verified: true, display_name: '' });
}

test('an attacker who signed up first loses access after the owner logs in by link', async () => {
  const email = 'owner-by-link@example.org';
  const attempt = await signUpAsAttacker(email);
  await openBrowser().call('sendSignInLink', { email });
  const response = await openBrowser().call('signInWithLink', { email, code: await readCodeFor(email) });
  expect(readOutcome(response)).toEqual([200]);
  await expectLockedOut(email, attempt);
  expect(await readAccounts((await readUser(email)).id)).toEqual([]);
});

test('an attacker who signed up first loses access after the owner uses the existing-account link', async () => {
  const email = 'owner-signs-up@example.org';
  const attempt = await signUpAsAttacker(email);
  await openBrowser().call('signUp', { email, password: 'the password of the owner' });
  await openBrowser().call('signInWithLink', { email, code: await readCodeFor(email) });
  await expectLockedOut(email, attempt);
});

test('an attacker who signed up first loses access after the owner resets the password', async () => {
  const email = 'owner-by-reset@example.org';
  const attempt = await signUpAsAttacker(email);
  const { id } = await readUser(email);
  await db.kysely
    .insertInto('accounts')
    .values({ id: 'planted', user_id: id, provider_id: 'google', account_id: 'mallory-at-google' })
    .execute();
  await openBrowser().call('sendPasswordReset', { email });
  await openBrowser().call('resetPassword', { code: await readCodeFor(email), password: 'the password of the owner' });
  await expectLockedOut(email, attempt);
  expect(await readAccounts(id)).toEqual([{ provider_id: 'credential' }]);
  const ownerLogin = await openBrowser().call('signInWithPassword', { email, password: 'the password of the owner' });
  expect(readOutcome(ownerLogin)).toEqual([200]);
});

test('an owner who opens the link of an attacker’s sign-up doesn’t confirm that account', async () => {
  const email = 'owner-clicks@example.org';
  const { attacker, token, code } = await signUpAsAttacker(email);
  expect(readOutcome(await openBrowser().call('verifyAddress', { code }))).toEqual([401, 'login-required']);
  // The code doesn't work while the owner is logged in to another account either.
  const otherAttempt = await signUpAsAttacker('owners-other@example.org');
  expect(readOutcome(await openBrowser().call('verifyAddress', { code }, otherAttempt.token))).toEqual([
    422,
    'link-invalid',
  ]);
  expect(await readUser(email)).toMatchObject({ email_verified: false });
  // The attacker has the session but not the code.
  expect(readOutcome(await attacker.call('verifyAddress', { code: otherAttempt.code }, token))).toEqual([
    422,
    'link-invalid',
  ]);
  expect(await deps.identity.findActor(token)).toMatchObject({ emailVerified: false });
});

test('a password checked just before the owner verifies the address opens no session', async () => {
  const email = 'owner-at-once@example.org';
  await signUpAsAttacker(email);
  await openBrowser().call('sendSignInLink', { email });
  const code = await readCodeFor(email);
  const [linkLogin] = await Promise.all([
    openBrowser().call('signInWithLink', { email, code }),
    ...Array.from({ length: 5 }, () =>
      openBrowser().call('signInWithPassword', { email, password: ATTACKER_PASSWORD }),
    ),
  ]);
  const { id } = await readUser(email);
  const sessions = await db.kysely.selectFrom('sessions').select('id').where('user_id', '=', id).execute();
  const actor = await deps.identity.findActor(linkLogin.json<{ token: string }>().token);
  expect(sessions).toEqual([{ id: actor?.kind === 'user' ? actor.sessionId : '' }]);
});

test('an unverified account gets no role from an invitation to its address', async () => {
  const email = 'invited@example.org';
  await db.kysely.insertInto('orgs').values({ id: 'fund', slug: 'fund', name: 'Fund', tag: 'Fund' }).execute();
  await db.kysely.insertInto('invitations').values({ id: 'i', org_id: 'fund', email }).execute();
  const { token } = await signUpAsAttacker(email);
  expect(await deps.identity.findActor(token)).toMatchObject({ roles: {} });
  await openBrowser().call('sendSignInLink', { email });
  const response = await openBrowser().call('signInWithLink', { email, code: await readCodeFor(email) });
  expect(await deps.identity.findActor(response.json<{ token: string }>().token)).toMatchObject({
    roles: { fund: 'editor' },
  });
  expect(await logIn(email)).toMatchObject({ token: undefined });
});
