// @spec decisions.4
import { expect, test } from 'vitest';
import { Failure } from '#domain/failures.ts';
import {
  grantAdmin,
  grantConfiguredAdmins,
  listAdmins,
  logOutUser,
  revokeAdmin,
} from '#server/features/users/admins.ts';
import { sendAdminChangeEmail } from '#server/features/users/send-admin-change-email.job.ts';
import { addUser } from '#test/support/builders/user.ts';
import { startPeople } from '#test/support/people.ts';

const people = await startPeople();
const { db, deps } = people;

const isAdmin = async (email: string) => {
  const row = await db.kysely.selectFrom('users').select('admin').where('email', '=', email).executeTakeFirst();
  return row?.admin;
};
const codeOf = (result: unknown) => (result instanceof Failure ? result.code : result);

test('a verified user becomes an admin immediately, ignoring the case of the address', async () => {
  await people.addUser({ email: 'ada@example.org' });
  expect(await grantAdmin(deps, ' Ada@Example.ORG ')).toEqual({ email: 'ada@example.org', verified: true });
  const { browser: client, token } = await people.logIn('ada@example.org');
  expect((await client.call('authorize', {}, token)).json()).toMatchObject({ admin: true, emailVerified: true });
});

test('an address without an account can be granted admin, which applies once it’s verified', async () => {
  expect(await grantAdmin(deps, 'olga@example.org')).toEqual({ email: 'olga@example.org', verified: false });
  const ownerBrowser = people.openBrowser();
  await ownerBrowser.call('sendSignInLink', { email: 'olga@example.org' });
  const response = await ownerBrowser.call('signInWithLink', {
    email: 'olga@example.org',
    code: await people.readCodeFor('olga@example.org'),
  });
  const { token } = response.json<{ token: string }>();
  expect((await ownerBrowser.call('authorize', {}, token)).json()).toMatchObject({ admin: true, emailVerified: true });
});

test('an unverified account gets no admin rights from the grant', async () => {
  await people.addUser({ email: 'erna@example.org', verified: false });
  await grantAdmin(deps, 'erna@example.org');
  const { token } = await people.logIn('erna@example.org');
  const search = { method: 'GET', url: '/api/users', headers: { authorization: `Bearer ${token}` } } as const;
  expect((await people.app.inject(search)).json()).toMatchObject({ code: 'email-unverified' });
});

test('a revoked admin loses admin rights but stays logged in, and an unknown address is an error', async () => {
  await people.addUser({ email: 'dora@example.org' });
  await grantAdmin(deps, 'dora@example.org');
  const { browser: client, token } = await people.logIn('dora@example.org');
  expect(await revokeAdmin(deps, 'DORA@example.org')).toEqual({ email: 'dora@example.org', verified: true });
  const response = await client.call('authorize', {}, token);
  expect([response.statusCode, response.json().admin]).toEqual([200, false]);
  expect(await isAdmin('dora@example.org')).toBe(false);
  expect(codeOf(await revokeAdmin(deps, 'nobody@example.org'))).toBe('user-not-found');
});

// @asvs 7.4.5
test('logging out a user ends all of that user’s sessions and no others', async () => {
  await people.addUser({ email: 'lotte@example.org' });
  await people.addUser({ email: 'lutz@example.org' });
  const [firstSession, secondSession, otherSession] = [
    await people.logIn('lotte@example.org'),
    await people.logIn('lotte@example.org'),
    await people.logIn('lutz@example.org'),
  ];
  expect(await logOutUser(db, ' Lotte@example.org')).toBe('lotte@example.org');
  const isTokenActive = async (token: string) => (await deps.identity.findActor(token)) !== undefined;
  expect([
    await isTokenActive(firstSession.token),
    await isTokenActive(secondSession.token),
    await isTokenActive(otherSession.token),
  ]).toEqual([false, false, true]);
  expect(await isTokenActive((await people.logIn('lotte@example.org')).token)).toBe(true);
  expect(codeOf(await logOutUser(db, 'nobody@example.org'))).toBe('user-not-found');
  expect(codeOf(await logOutUser(db, 'lotte'))).toBe('invalid-email');
});

test('the last verified admin can’t be revoked', async () => {
  await db.kysely.updateTable('users').set({ admin: false }).execute();
  await addUser(db, { email: 'lena@example.org' });
  await grantAdmin(deps, 'lena@example.org');
  await grantAdmin(deps, 'not-proven@example.org');
  expect(codeOf(await revokeAdmin(deps, 'lena@example.org'))).toBe('last-admin');
  expect(await isAdmin('lena@example.org')).toBe(true);
  expect(await revokeAdmin(deps, 'not-proven@example.org')).toMatchObject({ verified: false });
});

test('an invalid address is rejected', async () => {
  for (const change of [grantAdmin, revokeAdmin]) {
    expect(codeOf(await change(deps, 'ada'))).toBe('invalid-email');
    expect(codeOf(await change(deps, ' '))).toBe('no-email');
  }
});

test('all admins are listed by address and verification', async () => {
  await db.kysely.updateTable('users').set({ admin: false }).execute();
  await addUser(db, { email: 'zoe@example.org', display_name: 'Zoe' });
  for (const email of ['zoe@example.org', 'amy@example.org']) await grantAdmin(deps, email);
  expect(await listAdmins(db)).toEqual([
    { email: 'amy@example.org', name: '', verified: false },
    { email: 'zoe@example.org', name: 'Zoe', verified: true },
  ]);
});

test('at startup, only verified users in the settings become admins', async () => {
  for (const [email, email_verified] of [
    ['carla@example.org', true],
    ['cora@example.org', false],
    ['conny@example.org', true],
  ] as const)
    await addUser(db, { email, email_verified });
  const adminEmails = ['carla@example.org', 'cora@example.org', 'nobody-yet@example.org'];
  await grantConfiguredAdmins({ db, settings: { adminEmails } });
  expect(await isAdmin('carla@example.org')).toBe(true);
  expect(await isAdmin('cora@example.org')).toBe(false);
  expect(await isAdmin('conny@example.org')).toBe(false);
  expect(await isAdmin('nobody-yet@example.org')).toBeUndefined();
});

test('the operator’s command emails all admins and the person once', async () => {
  await db.kysely.updateTable('users').set({ admin: false }).execute();
  const [firstUserId, secondUserId] = [
    await people.addUser({ email: 'first@example.org' }),
    await people.addUser({ email: 'second@example.org' }),
  ];
  const emailJobs = () => people.jobs.findPayloads(sendAdminChangeEmail).map(({ at: _at, ...job }) => job);
  const emailCount = emailJobs().length;
  await grantAdmin(deps, 'first@example.org');
  await grantAdmin(deps, 'second@example.org');
  await grantAdmin(deps, 'second@example.org');
  await revokeAdmin(deps, 'second@example.org');
  const sentEmails = emailJobs()
    .slice(emailCount)
    .map(({ to, userId, admin, changedBy }) => [userId, admin, changedBy, to]);
  expect(sentEmails.slice(0, 1)).toEqual([[firstUserId, true, null, firstUserId]]);
  const emailsToBoth = (admin: boolean) =>
    expect.arrayContaining([firstUserId, secondUserId].map((to) => [secondUserId, admin, null, to]));
  expect([sentEmails.length, sentEmails.slice(1, 3), sentEmails.slice(3)]).toEqual([
    5,
    emailsToBoth(true),
    emailsToBoth(false),
  ]);
});
