// @spec 7.claims decisions.4
import { expect, test } from 'vitest';
import { inTransaction } from '#server/db/transaction.ts';
import { grantPendingClaims, type VerifiedUser } from '#server/features/users/refresh-claims.ts';
import { buildTestApp, createTestDeps } from '#test/support/build-app.ts';
import { addEditor } from '#test/support/builders/editor.ts';
import { addInvitation } from '#test/support/builders/invitation.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { addOffsetter } from '#test/support/builders/story.ts';
import { addUser } from '#test/support/builders/user.ts';
import { call, readOutcome } from '#test/support/call.ts';
import { createTestClock, MINUTE } from '#test/support/clock.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { signIn } from '#test/support/sign-in.ts';

const db = await createTestDatabase();
const clock = createTestClock();
const deps = await createTestDeps(db, { now: clock.now, settings: { adminEmails: ['ada@example.org'] } });
const app = await buildTestApp(deps);

test('refreshing claims grants everything pending since the last login and returns it', async () => {
  const orgId = await addOrg(db);
  const ada = await signIn(deps, { email: 'ada@example.org' });
  await addInvitation(db, orgId, { email: ada.email });
  await addOffsetter(db, orgId, { email: 'ADA@example.org' });
  const response = await call(app, 'refreshClaims', { params: {}, as: ada });
  expect(response.json()).toMatchObject({ id: ada.userId, admin: true, roles: { [orgId]: 'editor' } });
  const ownOffsetter = await call(app, 'readMyOffsetter', { params: { orgid: orgId }, as: ada });
  expect(ownOffsetter.json()).toMatchObject({ mine: true });
});

test('an unverified address gets no stories or roles', async () => {
  const orgId = await addOrg(db);
  const eve = await signIn(deps, { email: 'eve@example.org', verified: false });
  await addInvitation(db, orgId, { email: eve.email });
  await addOffsetter(db, orgId, { email: eve.email });
  const response = await call(app, 'refreshClaims', { params: {}, as: eve });
  expect(response.json()).toMatchObject({ emailVerified: false, admin: false, roles: {} });
  const ownOffsetter = await call(app, 'readMyOffsetter', { params: { orgid: orgId }, as: eve });
  expect(ownOffsetter.json()).toBeNull();
});

test('refreshing claims needs a fresh token', async () => {
  const person = await signIn(deps);
  expect(readOutcome(await call(app, 'refreshClaims', { params: {} }))).toEqual([401, 'login-required']);
  clock.advance(6 * MINUTE);
  expect(readOutcome(await call(app, 'refreshClaims', { params: {}, as: person }))).toEqual([401, 'token-stale']);
});

const grantClaims = (person: VerifiedUser, adminEmails: readonly string[] = []) =>
  inTransaction(db, (tx) => grantPendingClaims(tx, person, adminEmails, new Date()));

const readOwner = async (id: string) =>
  (await db.kysely.selectFrom('offsetters').select('user_id').where('id', '=', id).executeTakeFirstOrThrow()).user_id;
const readEditors = async (orgId: string) =>
  db.kysely.selectFrom('org_editors').select(['user_id', 'display_name']).where('org_id', '=', orgId).execute();
const readInvitations = (orgId: string) =>
  db.kysely.selectFrom('invitations').select('email').where('org_id', '=', orgId).execute();
const isAdmin = async (id: string) =>
  (await db.kysely.selectFrom('users').select('admin').where('id', '=', id).executeTakeFirstOrThrow()).admin;

test('stories submitted while logged out are assigned to the address’s owner in every organization, ignoring case', async () => {
  const email = 'wanda@example.org';
  const userId = await addUser(db, { email });
  const firstOffsetterId = await addOffsetter(db, await addOrg(db), { email });
  const secondOffsetterId = await addOffsetter(db, await addOrg(db), { email: 'Wanda@Example.ORG' });
  await grantClaims({ userId, email: 'WANDA@example.org' });
  expect([await readOwner(firstOffsetterId), await readOwner(secondOffsetterId)]).toEqual([userId, userId]);
});

test('stories with another address or owner don’t change', async () => {
  const email = 'xenia@example.org';
  const [userId, otherUserId] = [await addUser(db, { email }), await addUser(db)];
  const orgId = await addOrg(db);
  const otherStory = await addOffsetter(db, orgId, { email: 'xenia@example.com' });
  const ownedOffsetter = await addOffsetter(db, orgId, { email, user_id: otherUserId });
  await grantClaims({ userId, email });
  expect([await readOwner(otherStory), await readOwner(ownedOffsetter)]).toEqual([null, otherUserId]);
});

test('an invitation becomes a role and is deleted', async () => {
  const email = 'yara@example.org';
  const userId = await addUser(db, { email, display_name: 'Yara' });
  const [invitingOrgId, otherOrgId] = [await addOrg(db), await addOrg(db)];
  await addInvitation(db, invitingOrgId, { email });
  await addInvitation(db, invitingOrgId, { email: 'somebody@example.org' });
  await grantClaims({ userId, email });
  expect(await readEditors(invitingOrgId)).toEqual([{ user_id: userId, display_name: 'Yara' }]);
  expect(await readEditors(otherOrgId)).toEqual([]);
  expect(await readInvitations(invitingOrgId)).toEqual([{ email: 'somebody@example.org' }]);
});

test('an invitation for an existing editor is deleted and changes nothing', async () => {
  const email = 'zoe@example.org';
  const userId = await addUser(db, { email });
  const orgId = await addOrg(db);
  await addEditor(db, orgId, userId, { display_name: 'Existing name' });
  await addInvitation(db, orgId, { email });
  await grantClaims({ userId, email });
  expect(await readEditors(orgId)).toEqual([{ user_id: userId, display_name: 'Existing name' }]);
  expect(await readInvitations(orgId)).toEqual([]);
});

test('only an address in the settings becomes an admin', async () => {
  const anna = { userId: await addUser(db, { email: 'anna@example.org' }), email: 'anna@example.org' };
  const otherUser = { userId: await addUser(db, { email: 'bea@example.org' }), email: 'bea@example.org' };
  for (const person of [anna, otherUser]) await grantClaims(person, ['Anna@Example.org']);
  expect([await isAdmin(anna.userId), await isAdmin(otherUser.userId)]).toEqual([true, false]);
});

test('simultaneous refreshes grant everything once', async () => {
  const email = 'carla@example.org';
  const userId = await addUser(db, { email });
  const orgId = await addOrg(db);
  await addInvitation(db, orgId, { email });
  const offsetter = await addOffsetter(db, orgId, { email });
  await Promise.all(Array.from({ length: 10 }, () => grantClaims({ userId, email })));
  expect(await readEditors(orgId)).toHaveLength(1);
  expect(await readOwner(offsetter)).toBe(userId);
});
