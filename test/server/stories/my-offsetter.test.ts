// @spec 2.my-profile 7.offsetter
import { expect, test } from 'vitest';
import { buildTestApp, createTestDeps } from '#test/support/build-app.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { addOffsetter } from '#test/support/builders/story.ts';
import { call, readOutcome } from '#test/support/call.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { type SignedInPerson, signIn } from '#test/support/sign-in.ts';

const db = await createTestDatabase();
const deps = await createTestDeps(db);
const app = await buildTestApp(deps);
const orgId = await addOrg(db);

const readOwnOffsetter = (as: SignedInPerson | undefined, targetOrgId = orgId) =>
  call(app, 'readMyOffsetter', { params: { orgid: targetOrgId }, as });
const readForEdit = (as: SignedInPerson | undefined, offsetterId: string) =>
  call(app, 'readOffsetterToEdit', { params: { orgid: orgId, offsetterid: offsetterId }, as });
const readStory = (as: SignedInPerson | undefined, offsetterId: string) =>
  call(app, 'readOffsetter', { params: { orgid: orgId, offsetterid: offsetterId }, as });

test('My profile shows the user’s newest offsetter in the organization, public or not, with the full name', async () => {
  const user = await signIn(deps);
  await addOffsetter(db, orgId, { user_id: user.userId, created_at: new Date('2026-01-01') });
  const newestId = await addOffsetter(db, orgId, {
    user_id: user.userId,
    created_at: new Date('2026-01-02'),
    status: 'draft',
    shown_as: 'first',
    email: user.email,
  });
  const response = await readOwnOffsetter(user);
  expect(response.json()).toMatchObject({
    id: newestId,
    name: 'Dora Donor',
    shownAs: 'first',
    status: 'draft',
    mine: true,
    profileURL: `/orgs/${orgId}/offsetters/${newestId}/`,
  });
  expect(response.body).not.toContain(user.email);
  expect(response.body).not.toContain(user.userId);
});

test('offsetters in other organizations don’t count', async () => {
  const user = await signIn(deps);
  const otherOrgId = await addOrg(db);
  await addOffsetter(db, otherOrgId, { user_id: user.userId });
  expect((await readOwnOffsetter(user)).json()).toBeNull();
  expect((await readOwnOffsetter(user, otherOrgId)).json()).toMatchObject({ mine: true });
  expect(readOutcome(await readOwnOffsetter(user, 'nowhere'))).toEqual([404, 'org-not-found']);
  expect(readOutcome(await readOwnOffsetter(undefined))).toEqual([401, 'login-required']);
});

test('a user with an unverified email doesn’t own a story, even one linked to the account', async () => {
  const eve = await signIn(deps, { verified: false });
  const offsetterId = await addOffsetter(db, orgId, { user_id: eve.userId });
  expect((await readOwnOffsetter(eve)).json()).toBeNull();
  expect(readOutcome(await readForEdit(eve, offsetterId))).toEqual([403, 'email-unverified']);
  expect((await readStory(eve, offsetterId)).json()).not.toHaveProperty('mine');
});

test('only the owner’s response has "mine"', async () => {
  const [owner, otherUser, admin] = [await signIn(deps), await signIn(deps), await signIn(deps, { admin: true })];
  const offsetterId = await addOffsetter(db, orgId, { user_id: owner.userId });
  expect((await readStory(owner, offsetterId)).json()).toMatchObject({ mine: true });
  for (const as of [undefined, otherUser, admin]) {
    const response = await readStory(as, offsetterId);
    expect(response.json()).not.toHaveProperty('mine');
    expect(response.body).not.toContain(owner.userId);
  }
  const listResponse = await call(app, 'readOffsetters', { params: { orgid: orgId }, as: owner, query: { max: '50' } });
  expect(listResponse.body).not.toContain('mine');
});

test('a hidden offsetter is readable for editing only by its owner and admins', async () => {
  const [owner, otherUser, admin] = [await signIn(deps), await signIn(deps), await signIn(deps, { admin: true })];
  const editor = await signIn(deps, { editorOf: [orgId] });
  const offsetterId = await addOffsetter(db, orgId, { user_id: owner.userId, status: 'hidden', shown_as: 'none' });
  expect((await readForEdit(owner, offsetterId)).json()).toMatchObject({
    status: 'hidden',
    shownAs: 'none',
    mine: true,
  });
  expect((await readForEdit(admin, offsetterId)).json()).toMatchObject({ name: 'Dora Donor', mine: false });
  for (const as of [undefined, otherUser, editor]) {
    expect(readOutcome(await readForEdit(as, offsetterId))).toEqual(as ? [403, 'forbidden'] : [401, 'login-required']);
  }
});

test('a missing offsetter is not found for an admin and forbidden for others', async () => {
  const [user, admin] = [await signIn(deps), await signIn(deps, { admin: true })];
  expect(readOutcome(await readForEdit(admin, 'unknown'))).toEqual([404, 'offsetter-not-found']);
  expect(readOutcome(await readForEdit(user, 'unknown'))).toEqual([403, 'forbidden']);
  const ownerlessOffsetterId = await addOffsetter(db, orgId, { email: user.email });
  expect(readOutcome(await readForEdit(user, ownerlessOffsetterId))).toEqual([403, 'forbidden']);
});
