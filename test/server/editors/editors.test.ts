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
import { findEditorById } from '#server/features/editors/editors.store.ts';
import { listUserIdsWithPermission } from '#server/features/editors/read-editors.ts';
import { grantPendingClaims } from '#server/features/users/refresh-claims.ts';
import type { QueueableJob } from '#server/jobs/define-job.ts';
import { buildTestApp, createTestDeps } from '#test/support/build-app.ts';
import { addEditor } from '#test/support/builders/editor.ts';
import { addInvitation } from '#test/support/builders/invitation.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { addUser } from '#test/support/builders/user.ts';
import { call, readOutcome } from '#test/support/call.ts';
import { createTestClock, DAY, MINUTE } from '#test/support/clock.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { createJobRecorder } from '#test/support/job-recorder.ts';
import { type SignedInPerson, signIn } from '#test/support/sign-in.ts';

const db = await createTestDatabase();
const clock = createTestClock();
const jobs = createJobRecorder();
const deps = await createTestDeps(db, { now: clock.now, jobs });
const app = await buildTestApp(deps);

const addEditorByEmail = (as: SignedInPerson | undefined, orgId: string, email: string, role?: Role) =>
  call(app, 'addEditor', { params: { orgid: orgId }, as, body: role ? { email, role } : { email } });
const removeEditor = async (as: SignedInPerson, orgId: string, userId: string) =>
  readOutcome(await call(app, 'removeEditor', { params: { orgid: orgId, userid: userId }, as }));
const restoreEditor = async (as: SignedInPerson, orgId: string, userId: string) =>
  readOutcome(await call(app, 'restoreEditor', { params: { orgid: orgId, userid: userId }, as }));
const readEditors = async (as: SignedInPerson, orgId: string) =>
  (await call(app, 'readEditors', { params: { orgid: orgId }, as })).json<ResponseBody<'readEditors'>>();
const readEditorIds = async (as: SignedInPerson, orgId: string) =>
  (await readEditors(as, orgId)).editors.map(({ userId }) => userId);
const findInvitationJobs = (orgId: string) =>
  jobs.findPayloads(sendInvitationEmail).filter((job) => job.orgId === orgId);

async function createOrgWithEditor() {
  const orgId = await addOrg(db);
  const edith = await signIn(deps, { name: 'Edith' });
  const startedAt = new Date(clock.now().getTime() - 2 * DAY);
  await addEditor(db, orgId, edith.userId, { display_name: 'Edith', created_at: startedAt });
  return { orgId, edith };
}

test('a verified user becomes an editor immediately, ignoring the case of the address', async () => {
  const { orgId, edith } = await createOrgWithEditor();
  const newcomer = await signIn(deps, { name: 'Nora', email: 'nora@example.org' });
  const response = await addEditorByEmail(edith, orgId, ' Nora@Example.org ');
  expect(response.json()).toEqual({
    userId: newcomer.userId,
    email: 'nora@example.org',
    role: 'editor',
    invitation: null,
  });
  expect(await readEditorIds(newcomer, orgId)).toEqual(expect.arrayContaining([edith.userId, newcomer.userId]));
  expect(findInvitationJobs(orgId)).toEqual([]);
  const roleJobs = jobs.findPayloads(sendNewRoleEmail).filter((job) => job.orgId === orgId);
  expect(roleJobs).toEqual([{ orgId, userId: newcomer.userId, addedBy: edith.userId }]);
});

test('an editor has their account’s photo', async () => {
  const { orgId, edith } = await createOrgWithEditor();
  const photoURL = 'https://photos.example/edith.png';
  await db.kysely.updateTable('users').set({ photo_url: photoURL }).where('id', '=', edith.userId).execute();
  const { editors } = (await call(app, 'readEditors', { params: { orgid: orgId }, as: edith })).json();
  expect(editors).toMatchObject([{ userId: edith.userId, photoURL }]);
});

test('a person added by email is shown by name only after doing something in the organization', async () => {
  const { orgId, edith } = await createOrgWithEditor();
  const nils = await signIn(deps, { name: 'Nils', email: 'nils@example.org' });
  await db.kysely.updateTable('users').set({ photo_url: 'https://photos.example/nils.png' }).execute();
  const readListedEditor = async () => {
    const { editors } = await readEditors(edith, orgId);
    const { displayName, photoURL } = editors.find(({ userId }) => userId === nils.userId) ?? {};
    return [displayName, photoURL];
  };
  await addEditorByEmail(edith, orgId, nils.email);
  expect(await readListedEditor()).toEqual(['', null]);
  expect((await addEditorByEmail(edith, orgId, nils.email)).json().detail).toBe(
    'nils@example.org is already an editor.',
  );
  await removeEditor(edith, orgId, nils.userId);
  expect((await readEditors(edith, orgId)).removed).toMatchObject([{ displayName: '', email: nils.email }]);
  await restoreEditor(edith, orgId, nils.userId);
  expect(await readListedEditor()).toEqual(['', null]);
  await addEditorByEmail(nils, orgId, 'invited.by.nils@example.org');
  expect(await readListedEditor()).toEqual(['Nils', 'https://photos.example/nils.png']);
});

test('an editor isn’t added twice and gets no second email', async () => {
  const { orgId, edith } = await createOrgWithEditor();
  expect(readOutcome(await addEditorByEmail(edith, orgId, edith.email))).toEqual([409, 'already-editor']);
  expect((await addEditorByEmail(edith, orgId, edith.email)).json().detail).toBe('Edith is already an editor.');
  expect(findInvitationJobs(orgId)).toEqual([]);
});

test.each(ROLES)('a user can be added, and an address invited, as %s', async (role) => {
  const { orgId, edith } = await createOrgWithEditor();
  const newcomer = await signIn(deps);
  expect((await addEditorByEmail(edith, orgId, newcomer.email, role)).json()).toMatchObject({
    userId: newcomer.userId,
    role,
  });
  const invitedEmail = `invited-as-${role}@example.org`;
  expect((await addEditorByEmail(edith, orgId, invitedEmail, role)).json()).toMatchObject({
    invitation: { email: invitedEmail, role },
  });
  const { editors, invitations } = await readEditors(edith, orgId);
  expect(editors.find(({ userId }) => userId === newcomer.userId)).toMatchObject({ role });
  const acceptedUser = await signIn(deps, { email: invitedEmail });
  await call(app, 'refreshClaims', { params: {}, as: acceptedUser });
  expect(invitations).toMatchObject([{ email: invitedEmail, role }]);
  expect((await call(app, 'authorize', { params: {}, as: acceptedUser })).json()).toMatchObject({
    roles: { [orgId]: role },
  });
});

test('an unknown role is rejected', async () => {
  const { orgId, edith } = await createOrgWithEditor();
  expect((await addEditorByEmail(edith, orgId, 'king@example.org', 'king' as Role)).json()).toMatchObject({
    field: 'role',
  });
});

test('an address without an account has one invitation, emailed each time it’s added', async () => {
  const { orgId, edith } = await createOrgWithEditor();
  const first = (await addEditorByEmail(edith, orgId, 'Ivo@Example.org')).json<ResponseBody<'addEditor'>>();
  expect(first).toMatchObject({ userId: null, email: 'ivo@example.org', invitation: { email: 'ivo@example.org' } });
  const second = (await addEditorByEmail(edith, orgId, 'ivo@example.org')).json<ResponseBody<'addEditor'>>();
  const { invitations } = await readEditors(edith, orgId);
  expect(invitations).toEqual([second.invitation]);
  // Each email has its own message id, because email clients hide a second email with the same id.
  expect(findInvitationJobs(orgId).map(({ invitationId }) => invitationId)).toEqual([
    first.invitation?.id,
    second.invitation?.id,
  ]);
  expect(first.invitation?.id).not.toBe(second.invitation?.id);
});

test('an invitation to an unverified account gives no role and doesn’t reveal the account', async () => {
  const { orgId, edith } = await createOrgWithEditor();
  const eve = await signIn(deps, { name: 'Eve', email: 'eve@example.org', verified: false });
  const response = (await addEditorByEmail(edith, orgId, eve.email)).json<ResponseBody<'addEditor'>>();
  expect(response).toMatchObject({ userId: null, invitation: { email: eve.email } });
  expect(await readEditorIds(edith, orgId)).toEqual([edith.userId]);
  expect(readOutcome(await call(app, 'readEditors', { params: { orgid: orgId }, as: eve }))).toEqual([
    403,
    'forbidden',
  ]);
  await call(app, 'refreshClaims', { params: {}, as: eve });
  expect(readOutcome(await call(app, 'readEditors', { params: { orgid: orgId }, as: eve }))).toEqual([
    403,
    'forbidden',
  ]);
});

test('an invitation expires after two weeks, and a new one can be accepted', async () => {
  const { orgId, edith } = await createOrgWithEditor();
  const lateUser = await signIn(deps, { email: 'late.guest@example.org', verified: false });
  const acceptPending = () => inTransaction(db, (tx) => grantPendingClaims(tx, lateUser, [], clock.now()));
  await addEditorByEmail(edith, orgId, lateUser.email);
  clock.advance(14 * DAY - 1);
  await sweepEditors(deps);
  expect(await db.kysely.selectFrom('invitations').select('email').where('org_id', '=', orgId).execute()).toEqual([
    { email: lateUser.email },
  ]);
  clock.advance(1);
  await inTransaction(db, async (tx) => {
    await grantPendingClaims(tx, lateUser, [], clock.now());
    expect(await findEditorById(tx, orgId, lateUser.userId)).toBeUndefined();
  });
  const newLogin = await signIn(deps, { userId: edith.userId });
  await addEditorByEmail(newLogin, orgId, lateUser.email);
  await acceptPending();
  expect(await readEditorIds(newLogin, orgId)).toContain(lateUser.userId);
});

test('an expired invitation isn’t listed', async () => {
  const { orgId, edith } = await createOrgWithEditor();
  await addInvitation(db, orgId, { created_at: new Date(clock.now().getTime() - 14 * DAY) });
  await addInvitation(db, orgId, { email: 'open@example.org', created_at: clock.now() });
  await sweepEditors(deps);
  expect((await readEditors(edith, orgId)).invitations).toMatchObject([{ email: 'open@example.org' }]);
});

test('an invitation sent during email verification isn’t left open', async () => {
  const { orgId, edith } = await createOrgWithEditor();
  for (let round = 0; round < 10; round += 1) {
    const person = await signIn(deps, { verified: false });
    const verification = inTransaction(db, async (tx) => {
      await tx.updateTable('users').set({ email_verified: true }).where('id', '=', person.userId).execute();
      await grantPendingClaims(tx, person, [], clock.now());
    });
    await Promise.all([verification, addEditorByEmail(edith, orgId, person.email)]);
    expect(await readEditorIds(edith, orgId)).toContain(person.userId);
    expect((await readEditors(edith, orgId)).invitations).toEqual([]);
  }
});

test('adding a user deletes their earlier invitation', async () => {
  const { orgId, edith } = await createOrgWithEditor();
  await addInvitation(db, orgId, { email: 'olga@example.org' });
  await addUser(db, { email: 'olga@example.org' });
  await addEditorByEmail(edith, orgId, 'olga@example.org');
  expect((await readEditors(edith, orgId)).invitations).toEqual([]);
});

test.each([
  ['', 'no-email'],
  ['nobody', 'invalid-email'],
  ['nobody@example', 'invalid-email'],
  ['a@example.org\r\nBcc: b@example.org', 'invalid-email'],
  ['a\u0000@example.org', 'invalid-input'],
])('the address %j is rejected as %s with an error for its field', async (email, code) => {
  const { orgId, edith } = await createOrgWithEditor();
  const response = await addEditorByEmail(edith, orgId, email);
  expect(response.json()).toMatchObject({ code, field: 'email' });
  expect(findInvitationJobs(orgId)).toEqual([]);
});

test('shows "Not a valid email" for a malformed address', async () => {
  const { orgId, edith } = await createOrgWithEditor();
  expect((await addEditorByEmail(edith, orgId, 'nope')).json().detail).toBe('Not a valid email: nope');
});

test('an editor who leaves has no access and stays logged in', async () => {
  const { orgId, edith } = await createOrgWithEditor();
  const otherEditor = await signIn(deps, { editorOf: [orgId] });
  expect(await removeEditor(otherEditor, orgId, otherEditor.userId)).toEqual([200]);
  expect(readOutcome(await call(app, 'authorize', { params: {}, as: otherEditor }))).toEqual([200]);
  expect(readOutcome(await call(app, 'readEditors', { params: { orgid: orgId }, as: otherEditor }))).toEqual([
    403,
    'forbidden',
  ]);
  expect(await readEditorIds(edith, orgId)).toEqual([edith.userId]);
});

test('an editor can’t log an admin out by adding and removing them', async () => {
  const { orgId, edith } = await createOrgWithEditor();
  const admin = await signIn(deps, { admin: true });
  expect(readOutcome(await addEditorByEmail(edith, orgId, admin.email))).toEqual([200]);
  expect(await removeEditor(edith, orgId, admin.userId)).toEqual([200]);
  expect(readOutcome(await call(app, 'searchUsers', { params: {}, as: admin }))).toEqual([200]);
});

const findLostRoleJobs = (orgId: string) => jobs.findPayloads(sendLostRoleEmail).filter((job) => job.orgId === orgId);

test('a removed editor loses access immediately; the person, other editors, and admins get an email', async () => {
  const { orgId, edith } = await createOrgWithEditor();
  const [nora, olga] = [await signIn(deps, { editorOf: [orgId] }), await signIn(deps, { editorOf: [orgId] })];
  await signIn(deps, { editorOf: [orgId], role: 'money' });
  const admin = await signIn(deps, { admin: true });
  expect(await removeEditor(edith, orgId, nora.userId)).toEqual([200]);
  const outcomes = [
    await call(app, 'editOrg', { params: { orgid: orgId }, body: { tag: 'Mine' }, as: nora }),
    await call(app, 'searchCheckouts', { params: { orgid: orgId }, body: {}, as: nora }),
    await call(app, 'restoreEditor', { params: { orgid: orgId, userid: nora.userId }, as: nora }),
  ].map(readOutcome);
  expect(outcomes).toEqual([
    [403, 'forbidden'],
    [403, 'forbidden'],
    [403, 'forbidden'],
  ]);
  const recipients = findLostRoleJobs(orgId).map(({ to }) => to);
  expect(recipients).toEqual(expect.arrayContaining([nora.userId, olga.userId, admin.userId]));
  expect(recipients).not.toContain(edith.userId);
  expect(new Set(recipients).size).toBe(recipients.length);
});

test.each(['editor', 'admin'] as const)(
  'within 24 hours, an %s can undo an editor’s removal with one call',
  async (undoerKind) => {
    const { orgId, edith } = await createOrgWithEditor();
    const nora = await signIn(deps, { name: 'Nora', editorOf: [orgId] });
    const addedAt = (await readEditors(edith, orgId)).editors.find(
      ({ userId }) => userId === nora.userId,
    )?.createdTimestamp;
    const remover =
      undoerKind === 'admin' ? await signIn(deps, { admin: true }) : await signIn(deps, { editorOf: [orgId] });
    await removeEditor(edith, orgId, nora.userId);
    const undoUntil = new Date(clock.now().getTime() + DAY).toISOString();
    const { removed } = await readEditors(remover, orgId);
    expect(removed).toEqual([{ userId: nora.userId, displayName: 'Nora', email: nora.email, undoUntil }]);
    expect(await restoreEditor(remover, orgId, nora.userId)).toEqual([200]);
    const { editors, ...rest } = await readEditors(nora, orgId);
    expect(editors).toContainEqual(expect.objectContaining({ userId: nora.userId, createdTimestamp: addedAt }));
    expect(rest.removed).toEqual([]);
    expect(findEmailJobs(sendNewRoleEmail, orgId)).toEqual([{ orgId, userId: nora.userId, addedBy: remover.userId }]);
    expect(await restoreEditor(remover, orgId, nora.userId)).toEqual([404, 'editor-not-found']);
  },
);

test('a person added by email again and removed again is listed without a name', async () => {
  const { orgId, edith } = await createOrgWithEditor();
  const nora = await signIn(deps, { name: 'Nora', editorOf: [orgId] });
  const removeAndReadName = async () => {
    await removeEditor(edith, orgId, nora.userId);
    return (await readEditors(edith, orgId)).removed.map(({ displayName }) => displayName);
  };
  expect(await removeAndReadName()).toEqual(['Nora']);
  await addEditorByEmail(edith, orgId, nora.email);
  expect(await removeAndReadName()).toEqual(['']);
});

test('after 24 hours a removal can’t be undone and is deleted', async () => {
  const { orgId, edith } = await createOrgWithEditor();
  const nora = await signIn(deps, { editorOf: [orgId] });
  await removeEditor(edith, orgId, nora.userId);
  const countRemovals = async () =>
    (await db.kysely.selectFrom('removed_editors').select('user_id').where('org_id', '=', orgId).execute()).length;
  clock.advance(DAY - 1);
  await sweepEditors(deps);
  expect(await countRemovals()).toBe(1);
  clock.advance(1);
  const newLogin = await signIn(deps, { userId: edith.userId });
  expect((await readEditors(newLogin, orgId)).removed).toEqual([]);
  expect(await restoreEditor(newLogin, orgId, nora.userId)).toEqual([404, 'editor-not-found']);
  await sweepEditors(deps);
  expect(await countRemovals()).toBe(0);
});

test('an editor of less than 24 hours can remove and demote only later editors', async () => {
  const { orgId, edith } = await createOrgWithEditor();
  const [newcomer, laterEditor] = [await signIn(deps), await signIn(deps)];
  const timeAgo = (ms: number) => new Date(clock.now().getTime() - ms);
  await db.kysely
    .updateTable('org_editors')
    .set({ created_at: timeAgo(3 * DAY) })
    .where('org_id', '=', orgId)
    .execute();
  await addEditor(db, orgId, newcomer.userId, { created_at: timeAgo(DAY - 1) });
  await addEditor(db, orgId, laterEditor.userId, { created_at: timeAgo(MINUTE) });
  expect(await removeEditor(newcomer, orgId, edith.userId)).toEqual([409, 'editor-too-new']);
  expect(readOutcome(await changeRole(newcomer, orgId, edith.userId, 'reader'))).toEqual([409, 'editor-too-new']);
  expect(await removeEditor(newcomer, orgId, laterEditor.userId)).toEqual([200]);
  clock.advance(1);
  const newLogin = await signIn(deps, { userId: newcomer.userId });
  expect(await removeEditor(newLogin, orgId, edith.userId)).toEqual([200]);
});

test('accepting an invitation creates an editor', async () => {
  const { orgId } = await createOrgWithEditor();
  const person = await signIn(deps, { email: 'accepts@example.org' });
  await addInvitation(db, orgId, { email: person.email, created_at: clock.now() });
  await call(app, 'refreshClaims', { params: {}, as: person });
  expect((await inTransaction(db, (tx) => findEditorById(tx, orgId, person.userId)))?.created_at).toEqual(clock.now());
});

test('only an admin can remove the last editor', async () => {
  const { orgId, edith } = await createOrgWithEditor();
  expect(await removeEditor(edith, orgId, edith.userId)).toEqual([409, 'last-editor']);
  const admin = await signIn(deps, { admin: true });
  expect(await removeEditor(admin, orgId, edith.userId)).toEqual([200]);
  expect(await readEditorIds(admin, orgId)).toEqual([]);
});

test('a person with another role doesn’t count as an editor', async () => {
  const { orgId, edith } = await createOrgWithEditor();
  const helper = await addUser(db);
  await addEditor(db, orgId, helper, { role: 'reader' });
  expect(await removeEditor(edith, orgId, edith.userId)).toEqual([409, 'last-editor']);
  expect(readOutcome(await call(app, 'deleteUser', { params: { userid: edith.userId }, as: edith }))).toEqual([
    409,
    'last-editor',
  ]);
  expect(await removeEditor(edith, orgId, helper)).toEqual([200]);
});

const NARROWER_ROLES = ROLES.filter((role) => role !== 'editor');
const changeRole = async (as: SignedInPerson, orgId: string, userId: string, role: Role) =>
  call(app, 'changeEditor', { params: { orgid: orgId, userid: userId }, body: { role }, as });
const readRoles = async (as: SignedInPerson, orgId: string) =>
  Object.fromEntries((await readEditors(as, orgId)).editors.map(({ userId, role }) => [userId, role]));
const findEmailJobs = <Payload extends { readonly orgId: string }>(job: QueueableJob<Payload>, orgId: string) =>
  jobs.findPayloads(job).filter((payload) => payload.orgId === orgId);

test.each(NARROWER_ROLES)('%s is changed and removed immediately, with an email each time', async (role) => {
  const { orgId, edith } = await createOrgWithEditor();
  const nora = await signIn(deps, { name: 'Nora', editorOf: [orgId], role });
  const otherRole = role === 'money' ? 'texts' : 'money';
  expect(readOutcome(await changeRole(edith, orgId, nora.userId, otherRole))).toEqual([200]);
  expect(await readRoles(edith, orgId)).toMatchObject({ [nora.userId]: otherRole });
  expect(findEmailJobs(sendNewRoleEmail, orgId)).toEqual([{ orgId, userId: nora.userId, addedBy: edith.userId }]);
  // Repeating the change does nothing.
  await changeRole(edith, orgId, nora.userId, otherRole);
  expect(findEmailJobs(sendNewRoleEmail, orgId)).toHaveLength(1);
  expect(await removeEditor(edith, orgId, nora.userId)).toEqual([200]);
  expect(await readRoles(edith, orgId)).toEqual({ [edith.userId]: 'editor' });
  expect(findEmailJobs(sendLostRoleEmail, orgId)).toMatchObject([
    { userId: nora.userId, to: nora.userId, role: otherRole, newRole: null, removedBy: edith.userId },
  ]);
  expect((await readEditors(edith, orgId)).removed).toEqual([]);
});

test.each(NARROWER_ROLES)('%s sees the editors, can step down, and can’t remove others', async (role) => {
  const { orgId, edith } = await createOrgWithEditor();
  const nora = await signIn(deps, { editorOf: [orgId], role });
  const olga = await signIn(deps, { editorOf: [orgId], role });
  await addInvitation(db, orgId);
  const removedUser = await addUser(db);
  await addEditor(db, orgId, removedUser);
  await removeEditor(edith, orgId, removedUser);
  expect(await readRoles(nora, orgId)).toMatchObject({ [edith.userId]: 'editor', [nora.userId]: role });
  const { editors, invitations, removed } = await readEditors(nora, orgId);
  expect(editors).toHaveLength(2);
  expect([invitations, removed]).toEqual([[], []]);
  for (const userId of [edith.userId, olga.userId])
    expect(await removeEditor(nora, orgId, userId)).toEqual([403, 'forbidden']);
  expect(readOutcome(await changeRole(nora, orgId, nora.userId, 'editor'))).toEqual([403, 'forbidden']);
  expect(await removeEditor(nora, orgId, nora.userId)).toEqual([200]);
  expect(findEmailJobs(sendLostRoleEmail, orgId).filter(({ userId }) => userId === nora.userId)).toEqual([]);
  expect(readOutcome(await call(app, 'readEditors', { params: { orgid: orgId }, as: nora }))).toEqual([
    403,
    'forbidden',
  ]);
  expect(Object.keys(await readRoles(edith, orgId))).toEqual(expect.arrayContaining([edith.userId, olga.userId]));
  expect(await readRoles(edith, orgId)).not.toHaveProperty(nora.userId);
});

test('a demoted editor has the narrower role immediately, and Undo restores the earlier one', async () => {
  const { orgId, edith } = await createOrgWithEditor();
  const [nora, olga] = [await signIn(deps, { editorOf: [orgId] }), await signIn(deps, { editorOf: [orgId] })];
  expect(readOutcome(await changeRole(edith, orgId, nora.userId, 'reader'))).toEqual([200]);
  expect(await readRoles(nora, orgId)).toMatchObject({ [nora.userId]: 'reader' });
  expect(readOutcome(await changeRole(nora, orgId, olga.userId, 'reader'))).toEqual([403, 'forbidden']);
  expect(findLostRoleJobs(orgId).map(({ to, newRole }) => [to, newRole])).toEqual(
    expect.arrayContaining([
      [nora.userId, 'reader'],
      [olga.userId, 'reader'],
    ]),
  );
  expect(await restoreEditor(olga, orgId, nora.userId)).toEqual([200]);
  expect(await readRoles(edith, orgId)).toMatchObject({ [nora.userId]: 'editor' });
});

test('an editor who was added again isn’t listed as removed', async () => {
  const { orgId, edith } = await createOrgWithEditor();
  const nora = await signIn(deps, { editorOf: [orgId] });
  await removeEditor(edith, orgId, nora.userId);
  await addEditorByEmail(edith, orgId, nora.email);
  expect((await readEditors(edith, orgId)).removed).toEqual([]);
});

test('the last editor can’t give up the role; with another editor it works immediately, without an email', async () => {
  const { orgId, edith } = await createOrgWithEditor();
  await signIn(deps, { editorOf: [orgId], role: 'money' });
  expect(readOutcome(await changeRole(edith, orgId, edith.userId, 'reader'))).toEqual([409, 'last-editor']);
  const nora = await signIn(deps, { editorOf: [orgId] });
  expect(readOutcome(await changeRole(nora, orgId, nora.userId, 'money'))).toEqual([200]);
  expect(await readRoles(edith, orgId)).toMatchObject({ [nora.userId]: 'money' });
  expect(findEmailJobs(sendNewRoleEmail, orgId)).toEqual([]);
  // An admin can remove even the last editor.
  const admin = await signIn(deps, { admin: true });
  expect(readOutcome(await changeRole(admin, orgId, edith.userId, 'texts'))).toEqual([200]);
  expect(findEmailJobs(sendLostRoleEmail, orgId)).toContainEqual(
    expect.objectContaining({ userId: edith.userId, to: edith.userId, newRole: 'texts', removedBy: admin.userId }),
  );
  expect(readOutcome(await changeRole(admin, orgId, nora.userId, 'editor'))).toEqual([200]);
  expect(await readRoles(admin, orgId)).toMatchObject({ [edith.userId]: 'texts', [nora.userId]: 'editor' });
});

test('a person has one role: a second one is rejected with the person’s name, and each invitation replaces the last', async () => {
  const { orgId, edith } = await createOrgWithEditor();
  const nora = await signIn(deps, { name: 'Nora', editorOf: [orgId], role: 'texts' });
  for (const role of ['editor', 'texts', 'money'] as const)
    expect((await addEditorByEmail(edith, orgId, nora.email, role)).json().detail).toBe(
      'Nora is already a page editor.',
    );
  for (const role of ['reader', 'editor', 'money', 'texts'] as const) {
    await addEditorByEmail(edith, orgId, 'often@example.org', role);
    expect((await readEditors(edith, orgId)).invitations).toMatchObject([{ email: 'often@example.org', role }]);
  }
});

test('a role from a later version grants no access here and is kept', async () => {
  const { orgId, edith } = await createOrgWithEditor();
  const nora = await signIn(deps, { email: 'later@example.org' });
  await addEditor(db, orgId, nora.userId, { role: 'auditor' as Role });
  expect((await call(app, 'authorize', { params: {}, as: nora })).json()).toMatchObject({ roles: {} });
  expect(readOutcome(await call(app, 'readEditors', { params: { orgid: orgId }, as: nora }))).toEqual([
    403,
    'forbidden',
  ]);
  expect(await readRoles(edith, orgId)).toEqual({ [edith.userId]: 'editor' });
  expect(readOutcome(await addEditorByEmail(edith, orgId, nora.email, 'reader'))).toEqual([409, 'already-editor']);
  const { rows } = await db.pool.query('select role from org_editors where user_id = $1', [nora.userId]);
  expect(rows).toEqual([{ role: 'auditor' }]);
});

test('emails go to people whose roles allow the action', async () => {
  const orgId = await addOrg(db);
  const people = new Map<Role, string>();
  for (const role of ROLES) people.set(role, (await signIn(deps, { editorOf: [orgId], role })).userId);
  const findPermittedUsers = (action: Action) =>
    inTransaction(db, (tx) => listUserIdsWithPermission(tx, orgId, action));
  const listUsersWithRoles = (...roles: readonly Role[]) => roles.flatMap((role) => people.get(role) ?? []).toSorted();
  expect((await findPermittedUsers('stories.edit')).toSorted()).toEqual(listUsersWithRoles('editor', 'stories'));
  expect((await findPermittedUsers('payments.refund')).toSorted()).toEqual(listUsersWithRoles('editor', 'money'));
  expect((await findPermittedUsers('editors.manage')).toSorted()).toEqual(listUsersWithRoles('editor'));
});

test('if two editors remove each other simultaneously, one stays', async () => {
  const twoDaysAgo = new Date(clock.now().getTime() - 2 * DAY);
  for (let round = 0; round < 5; round += 1) {
    const { orgId, edith } = await createOrgWithEditor();
    const otherEditor = await signIn(deps, { editorOf: [orgId] });
    await db.kysely.updateTable('org_editors').set({ created_at: twoDaysAgo }).where('org_id', '=', orgId).execute();
    const outcomes = await Promise.all([
      removeEditor(edith, orgId, otherEditor.userId),
      removeEditor(otherEditor, orgId, edith.userId),
    ]);
    expect(outcomes.toSorted()).toEqual([[200], [403, 'forbidden']]);
    expect(await db.kysely.selectFrom('org_editors').select('role').where('org_id', '=', orgId).execute()).toEqual([
      { role: 'editor' },
    ]);
  }
});

test('another organization’s editor is not found and keeps that role', async () => {
  const { orgId, edith } = await createOrgWithEditor();
  const otherOrg = await createOrgWithEditor();
  expect(await removeEditor(edith, orgId, otherOrg.edith.userId)).toEqual([404, 'editor-not-found']);
  expect(await readEditorIds(otherOrg.edith, otherOrg.orgId)).toEqual([otherOrg.edith.userId]);
});

test('an invitation is canceled once, and only by its organization’s editors', async () => {
  const { orgId, edith } = await createOrgWithEditor();
  const otherOrg = await createOrgWithEditor();
  const invitationId = await addInvitation(db, orgId);
  const withdrawInvitation = async (as: SignedInPerson, targetOrg: string) =>
    readOutcome(
      await call(app, 'withdrawInvitation', { params: { orgid: targetOrg, invitationid: invitationId }, as }),
    );
  expect(await withdrawInvitation(otherOrg.edith, orgId)).toEqual([403, 'forbidden']);
  expect(await withdrawInvitation(otherOrg.edith, otherOrg.orgId)).toEqual([404, 'invitation-not-found']);
  expect(await withdrawInvitation(edith, orgId)).toEqual([200]);
  expect(await withdrawInvitation(edith, orgId)).toEqual([404, 'invitation-not-found']);
});

test('an admin manages editors of an organization without any, but not of an unknown one', async () => {
  const admin = await signIn(deps, { admin: true });
  const orgId = await addOrg(db);
  const newcomer = await addUser(db, { email: 'first@example.org' });
  expect(readOutcome(await addEditorByEmail(admin, orgId, 'first@example.org'))).toEqual([200]);
  expect(await readEditorIds(admin, orgId)).toEqual([newcomer]);
  expect(readOutcome(await addEditorByEmail(admin, 'nowhere', 'first@example.org'))).toEqual([404, 'org-not-found']);
  expect(readOutcome(await call(app, 'readEditors', { params: { orgid: 'nowhere' }, as: admin }))).toEqual([
    404,
    'org-not-found',
  ]);
});

test('changing roles requires a login or confirmation within the last hour', async () => {
  const { orgId, edith } = await createOrgWithEditor();
  const otherUser = await addUser(db, { email: 'late@example.org' });
  await addEditor(db, orgId, otherUser);
  const expiredAt = new Date(clock.now().getTime() - 61 * MINUTE);
  await db.kysely
    .updateTable('sessions')
    .set({ authenticated_at: expiredAt })
    .where('id', '=', edith.sessionId)
    .execute();
  expect(readOutcome(await addEditorByEmail(edith, orgId, 'new@example.org'))).toEqual([401, 'confirmation-required']);
  expect(await removeEditor(edith, orgId, otherUser)).toEqual([401, 'confirmation-required']);
  expect(findInvitationJobs(orgId)).toEqual([]);
});

test('repeated invitations to an address are limited until the wait is over', async () => {
  const { orgId, edith } = await createOrgWithEditor();
  for (let count = 0; count < 5; count += 1)
    expect((await addEditorByEmail(edith, orgId, 'much@example.org')).statusCode).toBe(200);
  expect(readOutcome(await addEditorByEmail(edith, orgId, 'Much@example.org'))).toEqual([429, 'too-many-requests']);
  expect(findInvitationJobs(orgId)).toHaveLength(5);
  expect((await addEditorByEmail(edith, orgId, 'another@example.org')).statusCode).toBe(200);
});

test('an editor adds at most thirty people a day', async () => {
  // Resets the rate limit of the network address that the tests share.
  clock.advance(16 * MINUTE);
  const { orgId, edith } = await createOrgWithEditor();
  for (let count = 0; count < 30; count += 1) await addEditorByEmail(edith, orgId, `many-${count}@example.org`);
  expect(readOutcome(await addEditorByEmail(edith, orgId, 'one-more@example.org'))).toEqual([429, 'too-many-requests']);
  const otherEditor = await signIn(deps, { editorOf: [orgId] });
  expect(readOutcome(await addEditorByEmail(otherEditor, orgId, 'one-more@example.org'))).toEqual([200]);
});
