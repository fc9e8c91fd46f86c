import { expect, test } from 'vitest';
import { Failure } from '#domain/failures.ts';
import {
  appointAdmin,
  appointConfiguredAdmins,
  dismissAdmin,
  listAdmins,
} from '#server/features/users/appoint-admins.ts';
import { addUser } from '#test/support/builders/user.ts';
import { startPeople } from '#test/support/people.ts';

const people = await startPeople();
const { db, deps } = people;

const isAdmin = async (email: string) => {
  const row = await db.kysely.selectFrom('users').select('admin').where('email', '=', email).executeTakeFirst();
  return row?.admin;
};
const codeOf = (result: unknown) => (result instanceof Failure ? result.code : result);

test('whoever has proven the address is an admin at once, however the address is written', async () => {
  await people.add({ email: 'ada@example.org' });
  expect(await appointAdmin(db, ' Ada@Example.ORG ')).toEqual({ email: 'ada@example.org', verified: true });
  const { browser: one, token } = await people.signedIn('ada@example.org');
  expect((await one.call('authorize', {}, token)).json()).toMatchObject({ admin: true, emailVerified: true });
});

test('an address that nobody has can be named: its owner is an admin once it is proven, and not before', async () => {
  expect(await appointAdmin(db, 'olga@example.org')).toEqual({ email: 'olga@example.org', verified: false });
  const owner = people.browser();
  await owner.call('sendSignInLink', { email: 'olga@example.org' });
  const answer = await owner.call('signInByLink', {
    email: 'olga@example.org',
    code: await people.codeFor('olga@example.org'),
  });
  const { token } = answer.json<{ token: string }>();
  expect((await owner.call('authorize', {}, token)).json()).toMatchObject({ admin: true, emailVerified: true });
});

test('whoever registered the address without having it gets no power by it', async () => {
  await people.add({ email: 'erna@example.org', verified: false });
  await appointAdmin(db, 'erna@example.org');
  const { token } = await people.signedIn('erna@example.org');
  const search = { method: 'GET', url: '/api/users', headers: { authorization: `Bearer ${token}` } } as const;
  expect((await people.app.inject(search)).json()).toMatchObject({ code: 'email-unverified' });
});

test('an admin who is dismissed is signed out at once, and an address without an account is told', async () => {
  await people.add({ email: 'dora@example.org' });
  await appointAdmin(db, 'dora@example.org');
  const { browser: one, token } = await people.signedIn('dora@example.org');
  expect(await dismissAdmin(db, 'DORA@example.org')).toEqual({ email: 'dora@example.org', verified: true });
  expect((await one.call('authorize', {}, token)).statusCode).toBe(401);
  expect(await isAdmin('dora@example.org')).toBe(false);
  expect(codeOf(await dismissAdmin(db, 'nobody@example.org'))).toBe('user-not-found');
});

test('the last admin whose address is proven stays one', async () => {
  await db.kysely.updateTable('users').set({ admin: false }).execute();
  await addUser(db, { email: 'lena@example.org' });
  await appointAdmin(db, 'lena@example.org');
  await appointAdmin(db, 'not-proven@example.org');
  expect(codeOf(await dismissAdmin(db, 'lena@example.org'))).toBe('last-admin');
  expect(await isAdmin('lena@example.org')).toBe(true);
  expect(await dismissAdmin(db, 'not-proven@example.org')).toMatchObject({ verified: false });
});

test('what is no address is refused', async () => {
  for (const change of [appointAdmin, dismissAdmin]) {
    expect(codeOf(await change(db, 'ada'))).toBe('invalid-email');
    expect(codeOf(await change(db, ' '))).toBe('no-email');
  }
});

test('all admins are listed by address, with who is not proven yet', async () => {
  await db.kysely.updateTable('users').set({ admin: false }).execute();
  await addUser(db, { email: 'zoe@example.org', display_name: 'Zoe' });
  for (const email of ['zoe@example.org', 'amy@example.org']) await appointAdmin(db, email);
  expect(await listAdmins(db)).toEqual([
    { email: 'amy@example.org', name: '', verified: false },
    { email: 'zoe@example.org', name: 'Zoe', verified: true },
  ]);
});

test('at the start the configured addresses are admins, if they are proven; the others stay what they are', async () => {
  for (const [email, email_verified] of [
    ['carla@example.org', true],
    ['cora@example.org', false],
    ['conny@example.org', true],
  ] as const)
    await addUser(db, { email, email_verified });
  const adminEmails = ['carla@example.org', 'cora@example.org', 'nobody-yet@example.org'];
  await appointConfiguredAdmins({ ...deps, adminEmails });
  expect(await isAdmin('carla@example.org')).toBe(true);
  expect(await isAdmin('cora@example.org')).toBe(false);
  expect(await isAdmin('conny@example.org')).toBe(false);
  expect(await isAdmin('nobody-yet@example.org')).toBeUndefined();
});
