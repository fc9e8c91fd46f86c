import { expect, test } from 'vitest';
import type { Answer } from '#contract/schemas.ts';
import { type Action, ROLES, type Role } from '#domain/permissions.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { endEditor, sweepInvitations } from '#server/features/editors/change-role.ts';
import { editorById } from '#server/features/editors/editors.store.ts';
import { peopleWhoMay } from '#server/features/editors/read-editors.ts';
import { grantPending } from '#server/features/users/refresh-claims.ts';
import { buildTestApp, testDeps } from '#test/support/build-app.ts';
import { addEditor } from '#test/support/builders/editor.ts';
import { addInvitation } from '#test/support/builders/invitation.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { addUser } from '#test/support/builders/user.ts';
import { call, outcomeOf } from '#test/support/call.ts';
import { DAY, MINUTE, testClock } from '#test/support/clock.ts';
import { testDatabase } from '#test/support/database.ts';
import { keptJobs } from '#test/support/kept-jobs.ts';
import { type SignedInPerson, signIn } from '#test/support/sign-in.ts';

const db = await testDatabase();
const clock = testClock();
const jobs = keptJobs();
const deps = await testDeps(db, { now: clock.now, jobs });
const app = await buildTestApp(deps);

const add = (as: SignedInPerson | undefined, orgid: string, email: string, role?: Role) =>
  call(app, 'addEditor', { params: { orgid }, as, body: role ? { email, role } : { email } });
const remove = async (as: SignedInPerson, orgid: string, userid: string) =>
  outcomeOf(await call(app, 'removeEditor', { params: { orgid, userid }, as }));
const list = async (as: SignedInPerson, orgid: string) =>
  (await call(app, 'readEditors', { params: { orgid }, as })).json<Answer<'readEditors'>>();
const editorIds = async (as: SignedInPerson, orgid: string) =>
  (await list(as, orgid)).editors.map(({ userId }) => userId);
const mailsTo = (orgId: string) => jobs.dataOf('mail-role-invitation').filter((job) => job.orgId === orgId);

async function orgWithEditor() {
  const orgid = await addOrg(db);
  return { orgid, edith: await signIn(deps, { name: 'Edith', editorOf: [orgid] }) };
}

test('a verified user becomes an editor immediately, whatever the case of the address', async () => {
  const { orgid, edith } = await orgWithEditor();
  const newcomer = await signIn(deps, { name: 'Nora', email: 'nora@example.org' });
  const answer = await add(edith, orgid, ' Nora@Example.org ');
  expect(answer.json()).toEqual({
    userId: newcomer.userId,
    displayName: 'Nora',
    email: 'nora@example.org',
    role: 'editor',
    invitation: null,
  });
  expect(await editorIds(newcomer, orgid)).toEqual(expect.arrayContaining([edith.userId, newcomer.userId]));
  expect(mailsTo(orgid)).toEqual([]);
  const told = jobs.dataOf('mail-new-role').filter((job) => job.orgId === orgid);
  expect(told).toEqual([{ orgId: orgid, userId: newcomer.userId, addedBy: edith.userId }]);
});

test('an editor has the photo of their account', async () => {
  const { orgid, edith } = await orgWithEditor();
  const photoURL = 'https://photos.example/edith.png';
  await db.kysely.updateTable('users').set({ photo_url: photoURL }).where('id', '=', edith.userId).execute();
  const { editors } = (await call(app, 'readEditors', { params: { orgid }, as: edith })).json();
  expect(editors).toMatchObject([{ userId: edith.userId, photoURL }]);
});

test('an editor keeps the display name they had when they were added', async () => {
  const { orgid, edith } = await orgWithEditor();
  const nils = await signIn(deps, { name: 'Nils', email: 'nils@example.org' });
  await add(edith, orgid, nils.email);
  await db.kysely.updateTable('users').set({ display_name: 'Other' }).where('id', '=', nils.userId).execute();
  const { editors } = await list(edith, orgid);
  expect(editors.find(({ userId }) => userId === nils.userId)).toMatchObject({ displayName: 'Nils', role: 'editor' });
});

test('an editor is not added twice, and gets no second mail', async () => {
  const { orgid, edith } = await orgWithEditor();
  expect(outcomeOf(await add(edith, orgid, edith.email))).toEqual([409, 'already-editor']);
  expect((await add(edith, orgid, edith.email)).json().detail).toBe('Edith is an editor already.');
  expect(mailsTo(orgid)).toEqual([]);
});

test.each(ROLES)('a user can be added, and an address invited, as %s', async (role) => {
  const { orgid, edith } = await orgWithEditor();
  const newcomer = await signIn(deps);
  expect((await add(edith, orgid, newcomer.email, role)).json()).toMatchObject({ userId: newcomer.userId, role });
  const invited = `invited-as-${role}@example.org`;
  expect((await add(edith, orgid, invited, role)).json()).toMatchObject({ invitation: { email: invited, role } });
  const { editors, invitations } = await list(edith, orgid);
  expect(editors.find(({ userId }) => userId === newcomer.userId)).toMatchObject({ role });
  const accepted = await signIn(deps, { email: invited });
  await call(app, 'refreshClaims', { params: {}, as: accepted });
  expect(invitations).toMatchObject([{ email: invited, role }]);
  expect((await call(app, 'authorize', { params: {}, as: accepted })).json()).toMatchObject({
    roles: { [orgid]: role },
  });
});

test('an unknown role is refused', async () => {
  const { orgid, edith } = await orgWithEditor();
  expect((await add(edith, orgid, 'king@example.org', 'king' as Role)).json()).toMatchObject({ field: 'role' });
});

test('an address without an account has one invitation, mailed each time it is added', async () => {
  const { orgid, edith } = await orgWithEditor();
  const first = (await add(edith, orgid, 'Ivo@Example.org')).json<Answer<'addEditor'>>();
  expect(first).toMatchObject({ userId: null, email: 'ivo@example.org', invitation: { email: 'ivo@example.org' } });
  const second = (await add(edith, orgid, 'ivo@example.org')).json<Answer<'addEditor'>>();
  const { invitations } = await list(edith, orgid);
  expect(invitations).toEqual([second.invitation]);
  // Each mail has its own message id: mail programs hide a second one with the same id.
  expect(mailsTo(orgid).map(({ invitationId }) => invitationId)).toEqual([first.invitation?.id, second.invitation?.id]);
  expect(first.invitation?.id).not.toBe(second.invitation?.id);
});

test('an invitation to an unverified account gives no role, and does not reveal the account', async () => {
  const { orgid, edith } = await orgWithEditor();
  const eve = await signIn(deps, { name: 'Eve', email: 'eve@example.org', verified: false });
  const answer = (await add(edith, orgid, eve.email)).json<Answer<'addEditor'>>();
  expect(answer).toMatchObject({ userId: null, displayName: '', invitation: { email: eve.email } });
  expect(await editorIds(edith, orgid)).toEqual([edith.userId]);
  expect(outcomeOf(await call(app, 'readEditors', { params: { orgid }, as: eve }))).toEqual([403, 'forbidden']);
  await call(app, 'refreshClaims', { params: {}, as: eve });
  expect(outcomeOf(await call(app, 'readEditors', { params: { orgid }, as: eve }))).toEqual([403, 'forbidden']);
});

test('an invitation ends after two weeks; a new one is open again', async () => {
  const { orgid, edith } = await orgWithEditor();
  const late = await signIn(deps, { email: 'late.guest@example.org', verified: false });
  const verify = () => inTransaction(db, (tx) => grantPending(tx, late, [], clock.now()));
  await add(edith, orgid, late.email);
  clock.pass(14 * DAY - 1);
  await sweepInvitations(deps);
  expect(await db.kysely.selectFrom('invitations').select('email').where('org_id', '=', orgid).execute()).toEqual([
    { email: late.email },
  ]);
  clock.pass(1);
  await inTransaction(db, async (tx) => {
    await grantPending(tx, late, [], clock.now());
    expect(await editorById(tx, orgid, late.userId)).toBeUndefined();
  });
  const again = await signIn(deps, { userId: edith.userId });
  await add(again, orgid, late.email);
  await verify();
  expect(await editorIds(again, orgid)).toContain(late.userId);
});

test('an invitation that has ended is no longer listed', async () => {
  const { orgid, edith } = await orgWithEditor();
  await addInvitation(db, orgid, { created_at: new Date(clock.now().getTime() - 14 * DAY) });
  await addInvitation(db, orgid, { email: 'open@example.org', created_at: clock.now() });
  await sweepInvitations(deps);
  expect((await list(edith, orgid)).invitations).toMatchObject([{ email: 'open@example.org' }]);
});

test('an invitation made while the address is being verified is not left open', async () => {
  const { orgid, edith } = await orgWithEditor();
  for (let round = 0; round < 10; round += 1) {
    const person = await signIn(deps, { verified: false });
    const prove = inTransaction(db, async (tx) => {
      await tx.updateTable('users').set({ email_verified: true }).where('id', '=', person.userId).execute();
      await grantPending(tx, person, [], clock.now());
    });
    await Promise.all([prove, add(edith, orgid, person.email)]);
    expect(await editorIds(edith, orgid)).toContain(person.userId);
    expect((await list(edith, orgid)).invitations).toEqual([]);
  }
});

test('adding a user deletes their earlier invitation', async () => {
  const { orgid, edith } = await orgWithEditor();
  await addInvitation(db, orgid, { email: 'olga@example.org' });
  await addUser(db, { email: 'olga@example.org' });
  await add(edith, orgid, 'olga@example.org');
  expect((await list(edith, orgid)).invitations).toEqual([]);
});

test.each([
  ['', 'no-email'],
  ['nobody', 'invalid-email'],
  ['nobody@example', 'invalid-email'],
  ['a@example.org\r\nBcc: b@example.org', 'invalid-email'],
  ['a\u0000@example.org', 'invalid-input'],
])('the address %j is refused as %s, beside its field', async (email, code) => {
  const { orgid, edith } = await orgWithEditor();
  const answer = await add(edith, orgid, email);
  expect(answer.json()).toMatchObject({ code, field: 'email' });
  expect(mailsTo(orgid)).toEqual([]);
});

test('an invalid address gets the specification’s message', async () => {
  const { orgid, edith } = await orgWithEditor();
  expect((await add(edith, orgid, 'nope')).json().detail).toBe('Not a valid email: nope');
});

test('an editor who leaves has no access, and stays logged in', async () => {
  const { orgid, edith } = await orgWithEditor();
  const other = await signIn(deps, { editorOf: [orgid] });
  expect(await remove(other, orgid, other.userId)).toEqual([200]);
  expect(outcomeOf(await call(app, 'authorize', { params: {}, as: other }))).toEqual([200]);
  expect(outcomeOf(await call(app, 'readEditors', { params: { orgid }, as: other }))).toEqual([403, 'forbidden']);
  expect(await editorIds(edith, orgid)).toEqual([edith.userId]);
});

test('an editor cannot log an admin out by adding and removing them', async () => {
  const { orgid, edith } = await orgWithEditor();
  const admin = await signIn(deps, { admin: true });
  expect(outcomeOf(await add(edith, orgid, admin.email))).toEqual([200]);
  expect(await remove(edith, orgid, admin.userId)).toEqual([200]);
  expect(outcomeOf(await call(app, 'searchUsers', { params: {}, as: admin }))).toEqual([200]);
});

const leavingJobs = (orgId: string) => jobs.dataOf('end-role').filter((job) => job.orgId === orgId);

test('whom an editor removes stays for a day, in which each editor is told and can object', async () => {
  const { orgid, edith } = await orgWithEditor();
  const [nora, olga] = [await signIn(deps, { editorOf: [orgid] }), await signIn(deps, { editorOf: [orgid] })];
  const leavesTimestamp = new Date(clock.now().getTime() + 24 * 60 * MINUTE).toISOString();
  const answer = await call(app, 'removeEditor', { params: { orgid, userid: nora.userId }, as: edith });
  expect(answer.json()).toEqual({ leavesTimestamp });
  const { editors } = await list(nora, orgid);
  expect(editors.find(({ userId }) => userId === nora.userId)).toMatchObject({ leavesTimestamp });
  const told = jobs.dataOf('mail-leaving-editor').filter((job) => job.orgId === orgid);
  expect(told.map(({ to }) => to).toSorted()).toEqual([nora.userId, olga.userId].toSorted());
  expect(jobs.kept.findLast(({ name }) => name === 'end-role')?.startAfter?.toISOString()).toBe(leavesTimestamp);
  const [end] = leavingJobs(orgid);
  if (!end) throw new Error('The removal has no end.');

  const object = () => call(app, 'keepEditor', { params: { orgid, userid: nora.userId }, as: nora });
  expect(outcomeOf(await object())).toEqual([200]);
  await endEditor(deps, end);
  expect(await editorIds(edith, orgid)).toContain(nora.userId);

  clock.pass(1000);
  const fresh = await signIn(deps, { userId: edith.userId });
  await remove(fresh, orgid, nora.userId);
  const last = leavingJobs(orgid).at(-1);
  if (last) await endEditor(deps, last);
  expect(await editorIds(edith, orgid)).not.toContain(nora.userId);
});

test('one editor cannot remove all others and then stay alone, if they object; an admin removes at once', async () => {
  const { orgid, edith } = await orgWithEditor();
  const nora = await signIn(deps, { editorOf: [orgid] });
  await remove(edith, orgid, nora.userId);
  expect(await remove(nora, orgid, edith.userId)).toEqual([409, 'last-editor']);
  expect(await remove(edith, orgid, edith.userId)).toEqual([409, 'last-editor']);
  // Nobody is left who stays: an admin took the other one.
  const admin = await signIn(deps, { admin: true });
  expect(await remove(admin, orgid, edith.userId)).toEqual([200]);
  const [end] = leavingJobs(orgid);
  if (end) await endEditor(deps, end);
  expect(await editorIds(admin, orgid)).toEqual([nora.userId]);
});

test('only an admin can remove the last editor', async () => {
  const { orgid, edith } = await orgWithEditor();
  expect(await remove(edith, orgid, edith.userId)).toEqual([409, 'last-editor']);
  const admin = await signIn(deps, { admin: true });
  expect(await remove(admin, orgid, edith.userId)).toEqual([200]);
  expect(await editorIds(admin, orgid)).toEqual([]);
});

test('someone with another role does not count as an editor', async () => {
  const { orgid, edith } = await orgWithEditor();
  const helper = await addUser(db);
  await addEditor(db, orgid, helper, { role: 'reader' });
  expect(await remove(edith, orgid, edith.userId)).toEqual([409, 'last-editor']);
  expect(outcomeOf(await call(app, 'deleteUser', { params: { userid: edith.userId }, as: edith }))).toEqual([
    409,
    'last-editor',
  ]);
  expect(await remove(edith, orgid, helper)).toEqual([200]);
});

const NARROWER = ROLES.filter((role) => role !== 'editor');
const change = async (as: SignedInPerson, orgid: string, userid: string, role: Role) =>
  call(app, 'changeEditor', { params: { orgid, userid }, body: { role }, as });
const rolesIn = async (as: SignedInPerson, orgid: string) =>
  Object.fromEntries((await list(as, orgid)).editors.map(({ userId, role }) => [userId, role]));
const mailed = (name: 'mail-new-role' | 'mail-lost-role' | 'mail-leaving-editor', orgId: string) =>
  jobs.dataOf(name).filter((job) => job.orgId === orgId);

test.each(NARROWER)('%s is changed and taken away at once, with a mail each', async (role) => {
  const { orgid, edith } = await orgWithEditor();
  const nora = await signIn(deps, { name: 'Nora', editorOf: [orgid], role });
  const other = role === 'money' ? 'texts' : 'money';
  expect((await change(edith, orgid, nora.userId, other)).json()).toEqual({ leavesTimestamp: null });
  expect(await rolesIn(edith, orgid)).toMatchObject({ [nora.userId]: other });
  expect(mailed('mail-new-role', orgid)).toEqual([{ orgId: orgid, userId: nora.userId, addedBy: edith.userId }]);
  // The same again changes nothing.
  await change(edith, orgid, nora.userId, other);
  expect(mailed('mail-new-role', orgid)).toHaveLength(1);
  expect(await remove(edith, orgid, nora.userId)).toEqual([200]);
  expect(await rolesIn(edith, orgid)).toEqual({ [edith.userId]: 'editor' });
  expect(mailed('mail-lost-role', orgid)).toMatchObject([
    { userId: nora.userId, role: other, removedBy: edith.userId },
  ]);
  expect(mailed('mail-leaving-editor', orgid)).toEqual([]);
});

test.each(NARROWER)('%s sees the editors and themselves, steps down, and removes nobody', async (role) => {
  const { orgid, edith } = await orgWithEditor();
  const nora = await signIn(deps, { editorOf: [orgid], role });
  const olga = await signIn(deps, { editorOf: [orgid], role });
  await addInvitation(db, orgid);
  await addEditor(db, orgid, await addUser(db), { leaves_at: new Date(), becomes: 'reader' });
  expect(await rolesIn(nora, orgid)).toMatchObject({ [edith.userId]: 'editor', [nora.userId]: role });
  const { editors } = await list(nora, orgid);
  expect(editors).toHaveLength(3);
  for (const { leavesTimestamp, becomes } of editors) expect([leavesTimestamp, becomes]).toEqual([null, null]);
  expect((await list(nora, orgid)).invitations).toEqual([]);
  for (const userid of [edith.userId, olga.userId])
    expect(await remove(nora, orgid, userid)).toEqual([403, 'forbidden']);
  expect(outcomeOf(await change(nora, orgid, nora.userId, 'editor'))).toEqual([403, 'forbidden']);
  expect(await remove(nora, orgid, nora.userId)).toEqual([200]);
  expect(mailed('mail-lost-role', orgid)).toEqual([]);
  expect(outcomeOf(await call(app, 'readEditors', { params: { orgid }, as: nora }))).toEqual([403, 'forbidden']);
  expect(Object.keys(await rolesIn(edith, orgid))).toEqual(expect.arrayContaining([edith.userId, olga.userId]));
  expect(await rolesIn(edith, orgid)).not.toHaveProperty(nora.userId);
});

test('demoting another editor takes the same day, in which everybody is told and can object', async () => {
  const { orgid, edith } = await orgWithEditor();
  const [nora, olga] = [await signIn(deps, { editorOf: [orgid] }), await signIn(deps, { editorOf: [orgid] })];
  const leavesTimestamp = new Date(clock.now().getTime() + 24 * 60 * MINUTE).toISOString();
  expect((await change(edith, orgid, nora.userId, 'reader')).json()).toEqual({ leavesTimestamp });
  const { editors } = await list(nora, orgid);
  expect(editors.find(({ userId }) => userId === nora.userId)).toMatchObject({
    ...{ role: 'editor', leavesTimestamp, becomes: 'reader' },
  });
  const told = mailed('mail-leaving-editor', orgid).map((job) => ('to' in job ? job.to : ''));
  expect(told.toSorted()).toEqual([nora.userId, olga.userId].toSorted());
  const [demotion] = leavingJobs(orgid);
  if (!demotion) throw new Error('The demotion has no end.');
  await call(app, 'keepEditor', { params: { orgid, userid: nora.userId }, as: nora });
  await endEditor(deps, demotion);
  expect(await rolesIn(edith, orgid)).toMatchObject({ [nora.userId]: 'editor' });

  clock.pass(1000);
  const fresh = await signIn(deps, { userId: edith.userId });
  await change(fresh, orgid, nora.userId, 'reader');
  const last = leavingJobs(orgid).at(-1);
  if (last) await endEditor(deps, last);
  expect(await rolesIn(edith, orgid)).toMatchObject({ [nora.userId]: 'reader' });
});

test('a demotion that becomes a removal has a day of its own', async () => {
  const { orgid, edith } = await orgWithEditor();
  const nora = await signIn(deps, { editorOf: [orgid] });
  await change(edith, orgid, nora.userId, 'reader');
  clock.pass(MINUTE);
  await remove(edith, orgid, nora.userId);
  const [demotion, removal] = leavingJobs(orgid);
  if (!demotion || !removal) throw new Error('There are not two ends.');
  expect(Date.parse(removal.leavesAt) - Date.parse(demotion.leavesAt)).toBe(MINUTE);
  await endEditor(deps, demotion);
  expect(await rolesIn(edith, orgid)).toMatchObject({ [nora.userId]: 'editor' });
  await endEditor(deps, removal);
  expect(await rolesIn(edith, orgid)).toEqual({ [edith.userId]: 'editor' });
});

test('the last editor gives the role up for no other; with another one, at once and without a mail', async () => {
  const { orgid, edith } = await orgWithEditor();
  await signIn(deps, { editorOf: [orgid], role: 'money' });
  expect(outcomeOf(await change(edith, orgid, edith.userId, 'reader'))).toEqual([409, 'last-editor']);
  const nora = await signIn(deps, { editorOf: [orgid] });
  expect((await change(nora, orgid, nora.userId, 'money')).json()).toEqual({ leavesTimestamp: null });
  expect(await rolesIn(edith, orgid)).toMatchObject({ [nora.userId]: 'money' });
  expect(mailed('mail-new-role', orgid)).toEqual([]);
  // An admin can take also the last one.
  const admin = await signIn(deps, { admin: true });
  expect((await change(admin, orgid, edith.userId, 'texts')).json()).toEqual({ leavesTimestamp: null });
  expect(mailed('mail-new-role', orgid)).toMatchObject([{ userId: edith.userId, addedBy: admin.userId }]);
  expect((await change(admin, orgid, nora.userId, 'editor')).json()).toEqual({ leavesTimestamp: null });
  expect(await rolesIn(admin, orgid)).toMatchObject({ [edith.userId]: 'texts', [nora.userId]: 'editor' });
});

test('someone has one role: a second is refused by the name of the first, and each invitation replaces the last', async () => {
  const { orgid, edith } = await orgWithEditor();
  const nora = await signIn(deps, { name: 'Nora', editorOf: [orgid], role: 'texts' });
  for (const role of ['editor', 'texts', 'money'] as const)
    expect((await add(edith, orgid, nora.email, role)).json().detail).toBe('Nora is a texts editor already.');
  for (const role of ['reader', 'editor', 'money', 'texts'] as const) {
    await add(edith, orgid, 'often@example.org', role);
    expect((await list(edith, orgid)).invitations).toMatchObject([{ email: 'often@example.org', role }]);
  }
});

test('a role of a later version gives nothing here, and stays', async () => {
  const { orgid, edith } = await orgWithEditor();
  const nora = await signIn(deps, { email: 'later@example.org' });
  await addEditor(db, orgid, nora.userId, { role: 'auditor' as Role });
  expect((await call(app, 'authorize', { params: {}, as: nora })).json()).toMatchObject({ roles: {} });
  expect(outcomeOf(await call(app, 'readEditors', { params: { orgid }, as: nora }))).toEqual([403, 'forbidden']);
  expect(await rolesIn(edith, orgid)).toEqual({ [edith.userId]: 'editor' });
  expect(outcomeOf(await add(edith, orgid, nora.email, 'reader'))).toEqual([409, 'already-editor']);
  const { rows } = await db.pool.query('select role from org_editors where user_id = $1', [nora.userId]);
  expect(rows).toEqual([{ role: 'auditor' }]);
});

test('what is mailed about a thing goes to those whose role may do something about it', async () => {
  const orgid = await addOrg(db);
  const people = new Map<Role, string>();
  for (const role of ROLES) people.set(role, (await signIn(deps, { editorOf: [orgid], role })).userId);
  const mayDo = (action: Action) => inTransaction(db, (tx) => peopleWhoMay(tx, orgid, action));
  const those = (...roles: readonly Role[]) => roles.flatMap((role) => people.get(role) ?? []).toSorted();
  expect((await mayDo('stories.edit')).toSorted()).toEqual(those('editor', 'stories'));
  expect((await mayDo('payments.refund')).toSorted()).toEqual(those('editor', 'money'));
  expect((await mayDo('editors.manage')).toSorted()).toEqual(those('editor'));
});

test('of two editors who remove each other at the same time, one stays', async () => {
  for (let round = 0; round < 5; round += 1) {
    const { orgid, edith } = await orgWithEditor();
    const other = await signIn(deps, { editorOf: [orgid] });
    await Promise.all([remove(edith, orgid, other.userId), remove(other, orgid, edith.userId)]);
    const { editors } = await list(edith, orgid);
    expect(editors.filter(({ leavesTimestamp }) => leavesTimestamp === null)).toHaveLength(1);
  }
});

test('an editor of another organization is not found, and keeps that role', async () => {
  const { orgid, edith } = await orgWithEditor();
  const elsewhere = await orgWithEditor();
  expect(await remove(edith, orgid, elsewhere.edith.userId)).toEqual([404, 'editor-not-found']);
  expect(await editorIds(elsewhere.edith, elsewhere.orgid)).toEqual([elsewhere.edith.userId]);
});

test('an invitation is withdrawn once, and only by editors of its organization', async () => {
  const { orgid, edith } = await orgWithEditor();
  const elsewhere = await orgWithEditor();
  const invitationid = await addInvitation(db, orgid);
  const withdraw = async (as: SignedInPerson, from: string) =>
    outcomeOf(await call(app, 'withdrawInvitation', { params: { orgid: from, invitationid }, as }));
  expect(await withdraw(elsewhere.edith, orgid)).toEqual([403, 'forbidden']);
  expect(await withdraw(elsewhere.edith, elsewhere.orgid)).toEqual([404, 'invitation-not-found']);
  expect(await withdraw(edith, orgid)).toEqual([200]);
  expect(await withdraw(edith, orgid)).toEqual([404, 'invitation-not-found']);
});

test('an admin manages the editors of an organization without any, but not of an unknown one', async () => {
  const admin = await signIn(deps, { admin: true });
  const orgid = await addOrg(db);
  const newcomer = await addUser(db, { email: 'first@example.org' });
  expect(outcomeOf(await add(admin, orgid, 'first@example.org'))).toEqual([200]);
  expect(await editorIds(admin, orgid)).toEqual([newcomer]);
  expect(outcomeOf(await add(admin, 'nowhere', 'first@example.org'))).toEqual([404, 'org-not-found']);
  expect(outcomeOf(await call(app, 'readEditors', { params: { orgid: 'nowhere' }, as: admin }))).toEqual([
    404,
    'org-not-found',
  ]);
});

test('changing roles needs a login or proof of the last hour', async () => {
  const { orgid, edith } = await orgWithEditor();
  const other = await addUser(db, { email: 'late@example.org' });
  await addEditor(db, orgid, other);
  const old = new Date(clock.now().getTime() - 61 * MINUTE);
  await db.kysely.updateTable('sessions').set({ proven_at: old }).where('id', '=', edith.sessionId).execute();
  expect(outcomeOf(await add(edith, orgid, 'new@example.org'))).toEqual([401, 'proof-required']);
  expect(await remove(edith, orgid, other)).toEqual([401, 'proof-required']);
  expect(mailsTo(orgid)).toEqual([]);
});

test('repeated invitations to an address are limited, until the wait is over', async () => {
  const { orgid, edith } = await orgWithEditor();
  for (let time = 0; time < 5; time += 1) expect((await add(edith, orgid, 'much@example.org')).statusCode).toBe(200);
  expect(outcomeOf(await add(edith, orgid, 'Much@example.org'))).toEqual([429, 'too-many-requests']);
  expect(mailsTo(orgid)).toHaveLength(5);
  expect((await add(edith, orgid, 'another@example.org')).statusCode).toBe(200);
});

test('an editor adds no more than thirty a day', async () => {
  // The network of all tests is counted, too.
  clock.pass(16 * MINUTE);
  const { orgid, edith } = await orgWithEditor();
  for (let time = 0; time < 30; time += 1) await add(edith, orgid, `many-${time}@example.org`);
  expect(outcomeOf(await add(edith, orgid, 'one-more@example.org'))).toEqual([429, 'too-many-requests']);
  const other = await signIn(deps, { editorOf: [orgid] });
  expect(outcomeOf(await add(other, orgid, 'one-more@example.org'))).toEqual([200]);
});
