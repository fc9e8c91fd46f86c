// @spec 2.my-profile 7.offsetter
import { expect, test } from 'vitest';
import { buildTestApp, testDeps } from '#test/support/build-app.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { addOffsetter } from '#test/support/builders/story.ts';
import { call, outcomeOf } from '#test/support/call.ts';
import { testDatabase } from '#test/support/database.ts';
import { type SignedInPerson, signIn } from '#test/support/sign-in.ts';

const db = await testDatabase();
const deps = await testDeps(db);
const app = await buildTestApp(deps);
const orgid = await addOrg(db);

const readMine = (as: SignedInPerson | undefined, org = orgid) =>
  call(app, 'readMyOffsetter', { params: { orgid: org }, as });
const toEdit = (as: SignedInPerson | undefined, offsetterid: string) =>
  call(app, 'readOffsetterToEdit', { params: { orgid, offsetterid }, as });
const readStory = (as: SignedInPerson | undefined, offsetterid: string) =>
  call(app, 'readOffsetter', { params: { orgid, offsetterid }, as });

test('My profile is my newest offsetter here, shown or not, with the full name', async () => {
  const me = await signIn(deps);
  await addOffsetter(db, orgid, { user_id: me.userId, created_at: new Date('2026-01-01') });
  const newest = await addOffsetter(db, orgid, {
    user_id: me.userId,
    created_at: new Date('2026-01-02'),
    status: 'draft',
    shown_as: 'first',
    email: me.email,
  });
  const response = await readMine(me);
  expect(response.json()).toMatchObject({
    id: newest,
    name: 'Dora Donor',
    shownAs: 'first',
    status: 'draft',
    mine: true,
    profileURL: `/orgs/${orgid}/offsetters/${newest}/`,
  });
  expect(response.body).not.toContain(me.email);
  expect(response.body).not.toContain(me.userId);
});

test('offsetters in other organizations don’t count', async () => {
  const me = await signIn(deps);
  const elsewhere = await addOrg(db);
  await addOffsetter(db, elsewhere, { user_id: me.userId });
  expect((await readMine(me)).json()).toBeNull();
  expect((await readMine(me, elsewhere)).json()).toMatchObject({ mine: true });
  expect(outcomeOf(await readMine(me, 'nowhere'))).toEqual([404, 'org-not-found']);
  expect(outcomeOf(await readMine(undefined))).toEqual([401, 'login-required']);
});

test('an unverified email owns no story, even if its account is linked to one', async () => {
  const eve = await signIn(deps, { verified: false });
  const offsetterid = await addOffsetter(db, orgid, { user_id: eve.userId });
  expect((await readMine(eve)).json()).toBeNull();
  expect(outcomeOf(await toEdit(eve, offsetterid))).toEqual([403, 'email-unverified']);
  expect((await readStory(eve, offsetterid)).json()).not.toHaveProperty('mine');
});

test('only the owner gets "mine" with an offsetter', async () => {
  const [me, otherUser, admin] = [await signIn(deps), await signIn(deps), await signIn(deps, { admin: true })];
  const offsetterid = await addOffsetter(db, orgid, { user_id: me.userId });
  expect((await readStory(me, offsetterid)).json()).toMatchObject({ mine: true });
  for (const as of [undefined, otherUser, admin]) {
    const response = await readStory(as, offsetterid);
    expect(response.json()).not.toHaveProperty('mine');
    expect(response.body).not.toContain(me.userId);
  }
  const list = await call(app, 'readOffsetters', { params: { orgid }, as: me, query: { max: '50' } });
  expect(list.body).not.toContain('mine');
});

test('a hidden offsetter is readable for editing only by its owner and admins', async () => {
  const [me, otherUser, admin] = [await signIn(deps), await signIn(deps), await signIn(deps, { admin: true })];
  const editor = await signIn(deps, { editorOf: [orgid] });
  const offsetterid = await addOffsetter(db, orgid, { user_id: me.userId, status: 'hidden', shown_as: 'none' });
  expect((await toEdit(me, offsetterid)).json()).toMatchObject({ status: 'hidden', shownAs: 'none', mine: true });
  expect((await toEdit(admin, offsetterid)).json()).toMatchObject({ name: 'Dora Donor', mine: false });
  for (const as of [undefined, otherUser, editor]) {
    expect(outcomeOf(await toEdit(as, offsetterid))).toEqual(as ? [403, 'forbidden'] : [401, 'login-required']);
  }
});

test('for a missing offsetter, an admin gets not-found and others are rejected as always', async () => {
  const [me, admin] = [await signIn(deps), await signIn(deps, { admin: true })];
  expect(outcomeOf(await toEdit(admin, 'unknown'))).toEqual([404, 'offsetter-not-found']);
  expect(outcomeOf(await toEdit(me, 'unknown'))).toEqual([403, 'forbidden']);
  const ownerless = await addOffsetter(db, orgid, { email: me.email });
  expect(outcomeOf(await toEdit(me, ownerless))).toEqual([403, 'forbidden']);
});
