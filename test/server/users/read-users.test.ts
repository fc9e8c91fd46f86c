// @spec 2.users 3.user 7.authorize 7.user decisions.4
import { expect, test } from 'vitest';
import type { ListedUser, User } from '#contract/schemas/users.ts';
import { buildTestApp, createTestDeps } from '#test/support/build-app.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { addUser } from '#test/support/builders/user.ts';
import { call, readOutcome } from '#test/support/call.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { readWholeList } from '#test/support/read-list.ts';
import { signIn } from '#test/support/sign-in.ts';

const db = await createTestDatabase();
const deps = await createTestDeps(db);
const app = await buildTestApp(deps);

test('/authorize returns the user, admin flag, email verification, and roles by organization', async () => {
  const orgs = [await addOrg(db), await addOrg(db)].toSorted();
  const edith = await signIn(deps, { name: 'Edith', email: 'edith@example.org', editorOf: orgs });
  expect((await call(app, 'authorize', { params: {}, as: edith })).json()).toEqual({
    id: edith.userId,
    email: 'edith@example.org',
    emailVerified: true,
    displayName: 'Edith',
    admin: false,
    roles: Object.fromEntries(orgs.map((orgId) => [orgId, 'editor'])),
  });
  const unverifiedUser = await signIn(deps, { verified: false });
  const response = await call(app, 'authorize', { params: {}, as: unverifiedUser });
  expect(response.json()).toMatchObject({ emailVerified: false, roles: {} });
  expect(readOutcome(await call(app, 'authorize', { params: {} }))).toEqual([401, 'login-required']);
});

test('users read their own profile with sign-in methods, and never a password', async () => {
  const user = await signIn(deps, { name: 'Mia', verified: false });
  const account = { user_id: user.userId, account_id: user.userId };
  await db.kysely
    .insertInto('accounts')
    .values([
      { id: 'a1', ...account, provider_id: 'google' },
      { id: 'a2', ...account, provider_id: 'credential', password: 'the-hash' },
    ])
    .execute();
  const response = await call(app, 'readUser', { params: { userid: user.userId }, as: user });
  expect(response.json()).toMatchObject({ id: user.userId, displayName: 'Mia', admin: false, emailVerified: false });
  expect(response.json<User>().providerData).toEqual([{ providerId: 'password' }, { providerId: 'google' }]);
  expect(response.body).not.toContain('the-hash');
});

test('only admins read another user’s profile; others are rejected whether or not it exists', async () => {
  const [user, admin, otherUserId] = [await signIn(deps), await signIn(deps, { admin: true }), await addUser(db)];
  const read = async (as: typeof user, userId: string) =>
    readOutcome(await call(app, 'readUser', { params: { userid: userId }, as }));
  expect(await read(admin, otherUserId)).toEqual([200]);
  expect(await read(admin, 'nobody')).toEqual([404, 'user-not-found']);
  expect(await read(user, otherUserId)).toEqual([403, 'forbidden']);
  expect(await read(user, 'nobody')).toEqual([403, 'forbidden']);
});

// @asvs 1.2.4
test('an admin finds users by part of the name or address, without % and _ wildcards', async () => {
  const admin = await signIn(deps, { admin: true });
  const userByName = await addUser(db, { display_name: 'Quentin 100%_Sure', email: 'q1@example.org' });
  const userByAddress = await addUser(db, { display_name: 'Somebody', email: 'quentin@example.org' });
  await addUser(db, { display_name: 'Quenton', email: 'q3@example.org' });
  const search = async (query: string) => {
    const response = await call(app, 'searchUsers', { params: {}, as: admin, query: { query, max: '50' } });
    return response.json<User[]>().map(({ id }) => id);
  };
  expect((await search('QUENTIN')).toSorted()).toEqual([userByName, userByAddress].toSorted());
  expect(await search('100%_sure')).toEqual([userByName]);
  expect(await search('que%tin')).toEqual([]);
  expect(await search('\\')).toEqual([]);
});

test('the list names each user’s roles and their organizations', async () => {
  const [ithaca, rio] = [await addOrg(db, { name: 'Ithaca' }), await addOrg(db, { name: 'Rio' })];
  const admin = await signIn(deps, { admin: true });
  const tess = await signIn(deps, { name: 'Tess Twice', editorOf: [rio, ithaca], role: 'money' });
  const response = await call(app, 'searchUsers', { params: {}, as: admin, query: { query: tess.email } });
  expect(response.json<ListedUser[]>().map(({ roles }) => roles)).toEqual([
    [
      { orgid: ithaca, orgName: 'Ithaca', role: 'money' },
      { orgid: rio, orgName: 'Rio', role: 'money' },
    ],
  ]);
});

test('paging through the list returns every user once', async () => {
  const admin = await signIn(deps, { admin: true });
  const ids = [];
  for (let n = 0; n < 5; n += 1) ids.push(await addUser(db));
  const listedIds = await readWholeList(app, '/api/users', { max: 2 }, undefined, admin.headers);
  expect(new Set(listedIds).size).toBe(listedIds.length);
  expect(listedIds).toEqual(expect.arrayContaining(ids));
});

test('only admins list users', async () => {
  const orgId = await addOrg(db);
  expect(readOutcome(await call(app, 'searchUsers', { params: {} }))).toEqual([401, 'login-required']);
  for (const as of [await signIn(deps), await signIn(deps, { editorOf: [orgId] })]) {
    expect(readOutcome(await call(app, 'searchUsers', { params: {}, as }))).toEqual([403, 'forbidden']);
  }
  const unverifiedAdmin = await signIn(deps, { admin: true, verified: false });
  expect(readOutcome(await call(app, 'searchUsers', { params: {}, as: unverifiedAdmin }))).toEqual([
    403,
    'email-unverified',
  ]);
});
