// @spec 3.org 3.member 6.admin 7.add-editor 7.remove-editor decisions.4 decisions.5
import { expect, test } from 'vitest';
import type { ResponseBody } from '#contract/schemas.ts';
import { type Action, ROLES, type Role } from '#domain/permissions.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { sweepEditors } from '#server/features/editors/change-role.ts';
import {
  sendInvitationEmail,
  sendLostRoleEmail,
  sendNewRoleEmail,
} from '#server/features/editors/editor-emails.job.ts';
import { editorById } from '#server/features/editors/editors.store.ts';
import { usersWhoMay } from '#server/features/editors/read-editors.ts';
import { grantPending } from '#server/features/users/refresh-claims.ts';
import type { QueueableJob } from '#server/jobs/define-job.ts';
import { buildTestApp, testDeps } from '#test/support/build-app.ts';
import { addEditor } from '#test/support/builders/editor.ts';
import { addInvitation } from '#test/support/builders/invitation.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { addUser } from '#test/support/builders/user.ts';
import { call, outcomeOf } from '#test/support/call.ts';
import { DAY, MINUTE, testClock } from '#test/support/clock.ts';
import { testDatabase } from '#test/support/database.ts';
import { jobRecorder } from '#test/support/job-recorder.ts';
import { type SignedInPerson, signIn } from '#test/support/sign-in.ts';

const db = await testDatabase();
const clock = testClock();
const jobs = jobRecorder();
const deps = await testDeps(db, { now: clock.now, jobs });
const app = await buildTestApp(deps);

const add = (as: SignedInPerson | undefined, orgid: string, email: string, role?: Role) =>
  call(app, 'addEditor', { params: { orgid }, as, body: role ? { email, role } : { email } });
const remove = async (as: SignedInPerson, orgid: string, userid: string) =>
  outcomeOf(await call(app, 'removeEditor', { params: { orgid, userid }, as }));
const restore = async (as: SignedInPerson, orgid: string, userid: string) =>
  outcomeOf(await call(app, 'restoreEditor', { params: { orgid, userid }, as }));
const list = async (as: SignedInPerson, orgid: string) =>
  (await call(app, 'readEditors', { params: { orgid }, as })).json<ResponseBody<'readEditors'>>();
const editorIds = async (as: SignedInPerson, orgid: string) =>
  (await list(as, orgid)).editors.map(({ userId }) => userId);
const mailsTo = (orgId: string) => jobs.dataOf(sendInvitationEmail).filter((job) => job.orgId === orgId);

async function orgWithEditor() {
  const orgid = await addOrg(db);
  const edith = await signIn(deps, { name: 'Edith' });
  const since = new Date(clock.now().getTime() - 2 * DAY);
  await addEditor(db, orgid, edith.userId, { display_name: 'Edith', created_at: since });
  return { orgid, edith };
}

test('a verified user becomes an editor immediately, ignoring the case of the address', async () => {
  const { orgid, edith } = await orgWithEditor();
  const newcomer = await signIn(deps, { name: 'Nora', email: 'nora@example.org' });
  const response = await add(edith, orgid, ' Nora@Example.org ');
  expect(response.json()).toEqual({
    userId: newcomer.userId,
    email: 'nora@example.org',
    role: 'editor',
    invitation: null,
  });
  expect(await editorIds(newcomer, orgid)).toEqual(expect.arrayContaining([edith.userId, newcomer.userId]));
  expect(mailsTo(orgid)).toEqual([]);
  const roleJobs = jobs.dataOf(sendNewRoleEmail).filter((job) => job.orgId === orgid);
  expect(roleJobs).toEqual([{ orgId: orgid, userId: newcomer.userId, addedBy: edith.userId }]);
});

test('an editor has their account’s photo', async () => {
  const { orgid, edith } = await orgWithEditor();
  const photoURL = 'https://photos.example/edith.png';
  await db.kysely.updateTable('users').set({ photo_url: photoURL }).where('id', '=', edith.userId).execute();
  const { editors } = (await call(app, 'readEditors', { params: { orgid }, as: edith })).json();
  expect(editors).toMatchObject([{ userId: edith.userId, photoURL }]);
});

test('a person added by email is shown by name only after doing something there', async () => {
  const { orgid, edith } = await orgWithEditor();
  const nils = await signIn(deps, { name: 'Nils', email: 'nils@example.org' });
  await db.kysely.updateTable('users').set({ photo_url: 'https://photos.example/nils.png' }).execute();
  const listedEditors = async () => {
    const { editors } = await list(edith, orgid);
    const { displayName, photoURL } = editors.find(({ userId }) => userId === nils.userId) ?? {};
    return [displayName, photoURL];
  };
  await add(edith, orgid, nils.email);
  expect(await listedEditors()).toEqual(['', null]);
  expect((await add(edith, orgid, nils.email)).json().detail).toBe('nils@example.org is already an editor.');
  await remove(edith, orgid, nils.userId);
  expect((await list(edith, orgid)).removed).toMatchObject([{ displayName: '', email: nils.email }]);
  await restore(edith, orgid, nils.userId);
  expect(await listedEditors()).toEqual(['', null]);
  await add(nils, orgid, 'invited.by.nils@example.org');
  expect(await listedEditors()).toEqual(['Nils', 'https://photos.example/nils.png']);
});

test('an editor isn’t added twice and gets no second email', async () => {
  const { orgid, edith } = await orgWithEditor();
  expect(outcomeOf(await add(edith, orgid, edith.email))).toEqual([409, 'already-editor']);
  expect((await add(edith, orgid, edith.email)).json().detail).toBe('Edith is already an editor.');
  expect(mailsTo(orgid)).toEqual([]);
});

test.each(ROLES)('a user can be added, and an address invited, as %s', async (role) => {
  const { orgid, edith } = await orgWithEditor();
  const newcomer = await signIn(deps);
  expect((await add(edith, orgid, newcomer.email, role)).json()).toMatchObject({ userId: newcomer.userId, role });
  const invitedEmail = `invited-as-${role}@example.org`;
  expect((await add(edith, orgid, invitedEmail, role)).json()).toMatchObject({
    invitation: { email: invitedEmail, role },
  });
  const { editors, invitations } = await list(edith, orgid);
  expect(editors.find(({ userId }) => userId === newcomer.userId)).toMatchObject({ role });
  const acceptedUser = await signIn(deps, { email: invitedEmail });
  await call(app, 'refreshClaims', { params: {}, as: acceptedUser });
  expect(invitations).toMatchObject([{ email: invitedEmail, role }]);
  expect((await call(app, 'authorize', { params: {}, as: acceptedUser })).json()).toMatchObject({
    roles: { [orgid]: role },
  });
});

test('an unknown role is rejected', async () => {
  const { orgid, edith } = await orgWithEditor();
  expect((await add(edith, orgid, 'king@example.org', 'king' as Role)).json()).toMatchObject({ field: 'role' });
});

test('an address without an account has one invitation, emailed each time it’s added', async () => {
  const { orgid, edith } = await orgWithEditor();
  const first = (await add(edith, orgid, 'Ivo@Example.org')).json<ResponseBody<'addEditor'>>();
  expect(first).toMatchObject({ userId: null, email: 'ivo@example.org', invitation: { email: 'ivo@example.org' } });
  const second = (await add(edith, orgid, 'ivo@example.org')).json<ResponseBody<'addEditor'>>();
  const { invitations } = await list(edith, orgid);
  expect(invitations).toEqual([second.invitation]);
  // Each mail has its own message id: mail programs hide a second one with the same id.
  expect(mailsTo(orgid).map(({ invitationId }) => invitationId)).toEqual([first.invitation?.id, second.invitation?.id]);
  expect(first.invitation?.id).not.toBe(second.invitation?.id);
});

test('an invitation to an unverified account gives no role and doesn’t reveal the account', async () => {
  const { orgid, edith } = await orgWithEditor();
  const eve = await signIn(deps, { name: 'Eve', email: 'eve@example.org', verified: false });
  const response = (await add(edith, orgid, eve.email)).json<ResponseBody<'addEditor'>>();
  expect(response).toMatchObject({ userId: null, invitation: { email: eve.email } });
  expect(await editorIds(edith, orgid)).toEqual([edith.userId]);
  expect(outcomeOf(await call(app, 'readEditors', { params: { orgid }, as: eve }))).toEqual([403, 'forbidden']);
  await call(app, 'refreshClaims', { params: {}, as: eve });
  expect(outcomeOf(await call(app, 'readEditors', { params: { orgid }, as: eve }))).toEqual([403, 'forbidden']);
});

test('an invitation ends after two weeks, and a new one is open again', async () => {
  const { orgid, edith } = await orgWithEditor();
  const lateUser = await signIn(deps, { email: 'late.guest@example.org', verified: false });
  const verify = () => inTransaction(db, (tx) => grantPending(tx, lateUser, [], clock.now()));
  await add(edith, orgid, lateUser.email);
  clock.pass(14 * DAY - 1);
  await sweepEditors(deps);
  expect(await db.kysely.selectFrom('invitations').select('email').where('org_id', '=', orgid).execute()).toEqual([
    { email: lateUser.email },
  ]);
  clock.pass(1);
  await inTransaction(db, async (tx) => {
    await grantPending(tx, lateUser, [], clock.now());
    expect(await editorById(tx, orgid, lateUser.userId)).toBeUndefined();
  });
  const newLogin = await signIn(deps, { userId: edith.userId });
  await add(newLogin, orgid, lateUser.email);
  await verify();
  expect(await editorIds(newLogin, orgid)).toContain(lateUser.userId);
});

test('an ended invitation isn’t listed', async () => {
  const { orgid, edith } = await orgWithEditor();
  await addInvitation(db, orgid, { created_at: new Date(clock.now().getTime() - 14 * DAY) });
  await addInvitation(db, orgid, { email: 'open@example.org', created_at: clock.now() });
  await sweepEditors(deps);
  expect((await list(edith, orgid)).invitations).toMatchObject([{ email: 'open@example.org' }]);
});

test('an invitation made during email verification isn’t left open', async () => {
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
])('the address %j is rejected as %s with an error for its field', async (email, code) => {
  const { orgid, edith } = await orgWithEditor();
  const response = await add(edith, orgid, email);
  expect(response.json()).toMatchObject({ code, field: 'email' });
  expect(mailsTo(orgid)).toEqual([]);
});

test('shows "Not a valid email" for a malformed address', async () => {
  const { orgid, edith } = await orgWithEditor();
  expect((await add(edith, orgid, 'nope')).json().detail).toBe('Not a valid email: nope');
});

test('an editor who leaves has no access and stays logged in', async () => {
  const { orgid, edith } = await orgWithEditor();
  const otherEditor = await signIn(deps, { editorOf: [orgid] });
  expect(await remove(otherEditor, orgid, otherEditor.userId)).toEqual([200]);
  expect(outcomeOf(await call(app, 'authorize', { params: {}, as: otherEditor }))).toEqual([200]);
  expect(outcomeOf(await call(app, 'readEditors', { params: { orgid }, as: otherEditor }))).toEqual([403, 'forbidden']);
  expect(await editorIds(edith, orgid)).toEqual([edith.userId]);
});

test('an editor can’t log an admin out by adding and removing them', async () => {
  const { orgid, edith } = await orgWithEditor();
  const admin = await signIn(deps, { admin: true });
  expect(outcomeOf(await add(edith, orgid, admin.email))).toEqual([200]);
  expect(await remove(edith, orgid, admin.userId)).toEqual([200]);
  expect(outcomeOf(await call(app, 'searchUsers', { params: {}, as: admin }))).toEqual([200]);
});

const lostRoleMails = (orgId: string) => jobs.dataOf(sendLostRoleEmail).filter((job) => job.orgId === orgId);

test('a removed editor loses access immediately; the person, other editors, and admins get an email', async () => {
  const { orgid, edith } = await orgWithEditor();
  const [nora, olga] = [await signIn(deps, { editorOf: [orgid] }), await signIn(deps, { editorOf: [orgid] })];
  await signIn(deps, { editorOf: [orgid], role: 'money' });
  const admin = await signIn(deps, { admin: true });
  expect(await remove(edith, orgid, nora.userId)).toEqual([200]);
  const outcomes = [
    await call(app, 'editOrg', { params: { orgid }, body: { tag: 'Mine' }, as: nora }),
    await call(app, 'searchCheckouts', { params: { orgid }, body: {}, as: nora }),
    await call(app, 'restoreEditor', { params: { orgid, userid: nora.userId }, as: nora }),
  ].map(outcomeOf);
  expect(outcomes).toEqual([
    [403, 'forbidden'],
    [403, 'forbidden'],
    [403, 'forbidden'],
  ]);
  const readers = lostRoleMails(orgid).map(({ to }) => to);
  expect(readers).toEqual(expect.arrayContaining([nora.userId, olga.userId, admin.userId]));
  expect(readers).not.toContain(edith.userId);
  expect(new Set(readers).size).toBe(readers.length);
});

test.each(['editor', 'admin'] as const)(
  'within 24 hours, an %s can undo an editor’s removal with one call',
  async (who) => {
    const { orgid, edith } = await orgWithEditor();
    const nora = await signIn(deps, { name: 'Nora', editorOf: [orgid] });
    const since = (await list(edith, orgid)).editors.find(({ userId }) => userId === nora.userId)?.createdTimestamp;
    const remover = who === 'admin' ? await signIn(deps, { admin: true }) : await signIn(deps, { editorOf: [orgid] });
    await remove(edith, orgid, nora.userId);
    const undoUntil = new Date(clock.now().getTime() + DAY).toISOString();
    const { removed } = await list(remover, orgid);
    expect(removed).toEqual([{ userId: nora.userId, displayName: 'Nora', email: nora.email, undoUntil }]);
    expect(await restore(remover, orgid, nora.userId)).toEqual([200]);
    const { editors, ...rest } = await list(nora, orgid);
    expect(editors).toContainEqual(expect.objectContaining({ userId: nora.userId, createdTimestamp: since }));
    expect(rest.removed).toEqual([]);
    expect(emailsOf(sendNewRoleEmail, orgid)).toEqual([{ orgId: orgid, userId: nora.userId, addedBy: remover.userId }]);
    expect(await restore(remover, orgid, nora.userId)).toEqual([404, 'editor-not-found']);
  },
);

test('after 24 hours a removal can’t be undone and is deleted', async () => {
  const { orgid, edith } = await orgWithEditor();
  const nora = await signIn(deps, { editorOf: [orgid] });
  await remove(edith, orgid, nora.userId);
  const remainingEditors = async () =>
    (await db.kysely.selectFrom('removed_editors').select('user_id').where('org_id', '=', orgid).execute()).length;
  clock.pass(DAY - 1);
  await sweepEditors(deps);
  expect(await remainingEditors()).toBe(1);
  clock.pass(1);
  const newLogin = await signIn(deps, { userId: edith.userId });
  expect((await list(newLogin, orgid)).removed).toEqual([]);
  expect(await restore(newLogin, orgid, nora.userId)).toEqual([404, 'editor-not-found']);
  await sweepEditors(deps);
  expect(await remainingEditors()).toBe(0);
});

test('an editor of less than 24 hours can remove and demote only later editors', async () => {
  const { orgid, edith } = await orgWithEditor();
  const [newcomer, later] = [await signIn(deps), await signIn(deps)];
  const timeAgo = (ms: number) => new Date(clock.now().getTime() - ms);
  await db.kysely
    .updateTable('org_editors')
    .set({ created_at: timeAgo(3 * DAY) })
    .where('org_id', '=', orgid)
    .execute();
  await addEditor(db, orgid, newcomer.userId, { created_at: timeAgo(DAY - 1) });
  await addEditor(db, orgid, later.userId, { created_at: timeAgo(MINUTE) });
  expect(await remove(newcomer, orgid, edith.userId)).toEqual([409, 'editor-too-new']);
  expect(outcomeOf(await change(newcomer, orgid, edith.userId, 'reader'))).toEqual([409, 'editor-too-new']);
  expect(await remove(newcomer, orgid, later.userId)).toEqual([200]);
  clock.pass(1);
  const fresh = await signIn(deps, { userId: newcomer.userId });
  expect(await remove(fresh, orgid, edith.userId)).toEqual([200]);
});

test('an accepted invitation makes a new editor', async () => {
  const { orgid } = await orgWithEditor();
  const person = await signIn(deps, { email: 'accepts@example.org' });
  await addInvitation(db, orgid, { email: person.email, created_at: clock.now() });
  await call(app, 'refreshClaims', { params: {}, as: person });
  expect((await inTransaction(db, (tx) => editorById(tx, orgid, person.userId)))?.created_at).toEqual(clock.now());
});

test('only an admin can remove the last editor', async () => {
  const { orgid, edith } = await orgWithEditor();
  expect(await remove(edith, orgid, edith.userId)).toEqual([409, 'last-editor']);
  const admin = await signIn(deps, { admin: true });
  expect(await remove(admin, orgid, edith.userId)).toEqual([200]);
  expect(await editorIds(admin, orgid)).toEqual([]);
});

test('a person with another role doesn’t count as an editor', async () => {
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
const emailsOf = <Payload extends { readonly orgId: string }>(job: QueueableJob<Payload>, orgId: string) =>
  jobs.dataOf(job).filter((payload) => payload.orgId === orgId);

test.each(NARROWER)('%s is changed and removed at once, with an email each time', async (role) => {
  const { orgid, edith } = await orgWithEditor();
  const nora = await signIn(deps, { name: 'Nora', editorOf: [orgid], role });
  const otherRole = role === 'money' ? 'texts' : 'money';
  expect(outcomeOf(await change(edith, orgid, nora.userId, otherRole))).toEqual([200]);
  expect(await rolesIn(edith, orgid)).toMatchObject({ [nora.userId]: otherRole });
  expect(emailsOf(sendNewRoleEmail, orgid)).toEqual([{ orgId: orgid, userId: nora.userId, addedBy: edith.userId }]);
  // The same change again does nothing.
  await change(edith, orgid, nora.userId, otherRole);
  expect(emailsOf(sendNewRoleEmail, orgid)).toHaveLength(1);
  expect(await remove(edith, orgid, nora.userId)).toEqual([200]);
  expect(await rolesIn(edith, orgid)).toEqual({ [edith.userId]: 'editor' });
  expect(emailsOf(sendLostRoleEmail, orgid)).toMatchObject([
    { userId: nora.userId, to: nora.userId, role: otherRole, becomes: null, removedBy: edith.userId },
  ]);
  expect((await list(edith, orgid)).removed).toEqual([]);
});

test.each(NARROWER)('%s sees the editors, can step down, and can’t remove others', async (role) => {
  const { orgid, edith } = await orgWithEditor();
  const nora = await signIn(deps, { editorOf: [orgid], role });
  const olga = await signIn(deps, { editorOf: [orgid], role });
  await addInvitation(db, orgid);
  const removedUser = await addUser(db);
  await addEditor(db, orgid, removedUser);
  await remove(edith, orgid, removedUser);
  expect(await rolesIn(nora, orgid)).toMatchObject({ [edith.userId]: 'editor', [nora.userId]: role });
  const { editors, invitations, removed } = await list(nora, orgid);
  expect(editors).toHaveLength(2);
  expect([invitations, removed]).toEqual([[], []]);
  for (const userid of [edith.userId, olga.userId])
    expect(await remove(nora, orgid, userid)).toEqual([403, 'forbidden']);
  expect(outcomeOf(await change(nora, orgid, nora.userId, 'editor'))).toEqual([403, 'forbidden']);
  expect(await remove(nora, orgid, nora.userId)).toEqual([200]);
  expect(emailsOf(sendLostRoleEmail, orgid).filter(({ userId }) => userId === nora.userId)).toEqual([]);
  expect(outcomeOf(await call(app, 'readEditors', { params: { orgid }, as: nora }))).toEqual([403, 'forbidden']);
  expect(Object.keys(await rolesIn(edith, orgid))).toEqual(expect.arrayContaining([edith.userId, olga.userId]));
  expect(await rolesIn(edith, orgid)).not.toHaveProperty(nora.userId);
});

test('a demoted editor has the narrower role immediately, and Undo restores the earlier one', async () => {
  const { orgid, edith } = await orgWithEditor();
  const [nora, olga] = [await signIn(deps, { editorOf: [orgid] }), await signIn(deps, { editorOf: [orgid] })];
  expect(outcomeOf(await change(edith, orgid, nora.userId, 'reader'))).toEqual([200]);
  expect(await rolesIn(nora, orgid)).toMatchObject({ [nora.userId]: 'reader' });
  expect(outcomeOf(await change(nora, orgid, olga.userId, 'reader'))).toEqual([403, 'forbidden']);
  expect(lostRoleMails(orgid).map(({ to, becomes }) => [to, becomes])).toEqual(
    expect.arrayContaining([
      [nora.userId, 'reader'],
      [olga.userId, 'reader'],
    ]),
  );
  expect(await restore(olga, orgid, nora.userId)).toEqual([200]);
  expect(await rolesIn(edith, orgid)).toMatchObject({ [nora.userId]: 'editor' });
});

test('an editor who was added again isn’t listed as removed', async () => {
  const { orgid, edith } = await orgWithEditor();
  const nora = await signIn(deps, { editorOf: [orgid] });
  await remove(edith, orgid, nora.userId);
  await add(edith, orgid, nora.email);
  expect((await list(edith, orgid)).removed).toEqual([]);
});

test('the last editor can’t give up the role; with another editor it works immediately, without an email', async () => {
  const { orgid, edith } = await orgWithEditor();
  await signIn(deps, { editorOf: [orgid], role: 'money' });
  expect(outcomeOf(await change(edith, orgid, edith.userId, 'reader'))).toEqual([409, 'last-editor']);
  const nora = await signIn(deps, { editorOf: [orgid] });
  expect(outcomeOf(await change(nora, orgid, nora.userId, 'money'))).toEqual([200]);
  expect(await rolesIn(edith, orgid)).toMatchObject({ [nora.userId]: 'money' });
  expect(emailsOf(sendNewRoleEmail, orgid)).toEqual([]);
  // An admin can remove even the last editor.
  const admin = await signIn(deps, { admin: true });
  expect(outcomeOf(await change(admin, orgid, edith.userId, 'texts'))).toEqual([200]);
  expect(emailsOf(sendLostRoleEmail, orgid)).toContainEqual(
    expect.objectContaining({ userId: edith.userId, to: edith.userId, becomes: 'texts', removedBy: admin.userId }),
  );
  expect(outcomeOf(await change(admin, orgid, nora.userId, 'editor'))).toEqual([200]);
  expect(await rolesIn(admin, orgid)).toMatchObject({ [edith.userId]: 'texts', [nora.userId]: 'editor' });
});

test('a person has one role: a second is rejected by name, and each invitation replaces the last', async () => {
  const { orgid, edith } = await orgWithEditor();
  const nora = await signIn(deps, { name: 'Nora', editorOf: [orgid], role: 'texts' });
  for (const role of ['editor', 'texts', 'money'] as const)
    expect((await add(edith, orgid, nora.email, role)).json().detail).toBe('Nora is already a page editor.');
  for (const role of ['reader', 'editor', 'money', 'texts'] as const) {
    await add(edith, orgid, 'often@example.org', role);
    expect((await list(edith, orgid)).invitations).toMatchObject([{ email: 'often@example.org', role }]);
  }
});

test('a role from a later version grants no access here and is kept', async () => {
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

test('emails go to people whose role can act on them', async () => {
  const orgid = await addOrg(db);
  const people = new Map<Role, string>();
  for (const role of ROLES) people.set(role, (await signIn(deps, { editorOf: [orgid], role })).userId);
  const mayDo = (action: Action) => inTransaction(db, (tx) => usersWhoMay(tx, orgid, action));
  const those = (...roles: readonly Role[]) => roles.flatMap((role) => people.get(role) ?? []).toSorted();
  expect((await mayDo('stories.edit')).toSorted()).toEqual(those('editor', 'stories'));
  expect((await mayDo('payments.refund')).toSorted()).toEqual(those('editor', 'money'));
  expect((await mayDo('editors.manage')).toSorted()).toEqual(those('editor'));
});

test('if two editors remove each other simultaneously, one stays', async () => {
  const long = new Date(clock.now().getTime() - 2 * DAY);
  for (let round = 0; round < 5; round += 1) {
    const { orgid, edith } = await orgWithEditor();
    const otherEditor = await signIn(deps, { editorOf: [orgid] });
    await db.kysely.updateTable('org_editors').set({ created_at: long }).where('org_id', '=', orgid).execute();
    const outcomes = await Promise.all([
      remove(edith, orgid, otherEditor.userId),
      remove(otherEditor, orgid, edith.userId),
    ]);
    expect(outcomes.toSorted()).toEqual([[200], [403, 'forbidden']]);
    expect(await db.kysely.selectFrom('org_editors').select('role').where('org_id', '=', orgid).execute()).toEqual([
      { role: 'editor' },
    ]);
  }
});

test('another organization’s editor is not found and keeps that role', async () => {
  const { orgid, edith } = await orgWithEditor();
  const elsewhere = await orgWithEditor();
  expect(await remove(edith, orgid, elsewhere.edith.userId)).toEqual([404, 'editor-not-found']);
  expect(await editorIds(elsewhere.edith, elsewhere.orgid)).toEqual([elsewhere.edith.userId]);
});

test('an invitation is canceled once, and only by its organization’s editors', async () => {
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

test('an admin manages editors of an organization without any, but not of an unknown one', async () => {
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

test('changing roles needs a login or confirmation in the last hour', async () => {
  const { orgid, edith } = await orgWithEditor();
  const otherUser = await addUser(db, { email: 'late@example.org' });
  await addEditor(db, orgid, otherUser);
  const old = new Date(clock.now().getTime() - 61 * MINUTE);
  await db.kysely.updateTable('sessions').set({ authenticated_at: old }).where('id', '=', edith.sessionId).execute();
  expect(outcomeOf(await add(edith, orgid, 'new@example.org'))).toEqual([401, 'proof-required']);
  expect(await remove(edith, orgid, otherUser)).toEqual([401, 'proof-required']);
  expect(mailsTo(orgid)).toEqual([]);
});

test('repeated invitations to an address are limited until the wait is over', async () => {
  const { orgid, edith } = await orgWithEditor();
  for (let time = 0; time < 5; time += 1) expect((await add(edith, orgid, 'much@example.org')).statusCode).toBe(200);
  expect(outcomeOf(await add(edith, orgid, 'Much@example.org'))).toEqual([429, 'too-many-requests']);
  expect(mailsTo(orgid)).toHaveLength(5);
  expect((await add(edith, orgid, 'another@example.org')).statusCode).toBe(200);
});

test('an editor adds at most thirty people a day', async () => {
  // The rate limit of the shared network counts too.
  clock.pass(16 * MINUTE);
  const { orgid, edith } = await orgWithEditor();
  for (let time = 0; time < 30; time += 1) await add(edith, orgid, `many-${time}@example.org`);
  expect(outcomeOf(await add(edith, orgid, 'one-more@example.org'))).toEqual([429, 'too-many-requests']);
  const otherEditor = await signIn(deps, { editorOf: [orgid] });
  expect(outcomeOf(await add(otherEditor, orgid, 'one-more@example.org'))).toEqual([200]);
});
