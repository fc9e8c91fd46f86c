// @spec decisions.3 decisions.4
import { expect, test } from 'vitest';
import { sendAdminChangeEmail } from '#server/features/users/send-admin-change-email.job.ts';
import type { Email } from '#server/gateways/email/mailer.ts';
import { buildTestApp, createTestDeps } from '#test/support/build-app.ts';
import { addUser } from '#test/support/builders/user.ts';
import { call, readOutcome } from '#test/support/call.ts';
import { createTestClock, MINUTE } from '#test/support/clock.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { createJobRecorder } from '#test/support/job-recorder.ts';
import { type SignedInPerson, signIn } from '#test/support/sign-in.ts';

const db = await createTestDatabase();
const clock = createTestClock();
const jobs = createJobRecorder();
const deps = await createTestDeps(db, { now: clock.now, jobs });
const app = await buildTestApp(deps);

const setAdmin = async (as: SignedInPerson | undefined, userId: string, admin: boolean) =>
  readOutcome(await call(app, 'setAdmin', { params: { userid: userId }, as, body: { admin } }));
const readAdminIds = async () => {
  const rows = await db.kysely.selectFrom('users').select('id').where('admin', '=', true).execute();
  return rows.map(({ id }) => id);
};
/** Keeps tests from seeing each other's admins. */
const removeAllAdmins = () => db.kysely.updateTable('users').set({ admin: false }).execute();

test('a new admin has admin rights immediately, even with an earlier token', async () => {
  const [admin, otherUser] = [await signIn(deps, { admin: true }), await signIn(deps)];
  expect(await setAdmin(otherUser, admin.userId, false)).toEqual([403, 'forbidden']);
  expect(await setAdmin(admin, otherUser.userId, true)).toEqual([200]);
  expect(readOutcome(await call(app, 'searchUsers', { params: {}, as: otherUser }))).toEqual([200]);
});

test('a user who loses the admin role loses its rights but stays logged in', async () => {
  const [admin, otherAdmin, thirdUser] = [
    await signIn(deps, { admin: true }),
    await signIn(deps, { admin: true }),
    await signIn(deps),
  ];
  expect(await setAdmin(admin, otherAdmin.userId, false)).toEqual([200]);
  expect(await setAdmin(admin, thirdUser.userId, false)).toEqual([200]);
  expect(readOutcome(await call(app, 'authorize', { params: {}, as: otherAdmin }))).toEqual([200]);
  expect(readOutcome(await call(app, 'searchUsers', { params: {}, as: otherAdmin }))).toEqual([403, 'forbidden']);
  expect(readOutcome(await call(app, 'authorize', { params: {}, as: thirdUser }))).toEqual([200]);
});

test('the last verified admin can’t be revoked', async () => {
  await removeAllAdmins();
  const admin = await signIn(deps, { admin: true });
  const unverifiedAdmin = await addUser(db, { admin: true, email_verified: false });
  expect(await setAdmin(admin, admin.userId, false)).toEqual([409, 'last-admin']);
  expect(await setAdmin(admin, unverifiedAdmin, false)).toEqual([200]);
  expect(await readAdminIds()).toEqual([admin.userId]);
});

test('when two admins revoke each other simultaneously, one stays an admin', async () => {
  for (let round = 0; round < 5; round += 1) {
    await removeAllAdmins();
    const [firstAdmin, secondAdmin] = [await signIn(deps, { admin: true }), await signIn(deps, { admin: true })];
    await Promise.all([
      setAdmin(firstAdmin, secondAdmin.userId, false),
      setAdmin(secondAdmin, firstAdmin.userId, false),
    ]);
    expect(await readAdminIds()).toHaveLength(1);
  }
});

test('setting an admin needs a login or confirmation in the last hour', async () => {
  const [admin, otherUserId] = [await signIn(deps, { admin: true }), await addUser(db)];
  const oldConfirmation = new Date(clock.now().getTime() - 61 * MINUTE);
  await db.kysely
    .updateTable('sessions')
    .set({ authenticated_at: oldConfirmation })
    .where('id', '=', admin.sessionId)
    .execute();
  expect(await setAdmin(admin, otherUserId, true)).toEqual([401, 'confirmation-required']);
  expect(await readAdminIds()).not.toContain(otherUserId);
  expect(await setAdmin(await signIn(deps, { userId: admin.userId }), otherUserId, true)).toEqual([200]);
});

test('an unknown user is not found', async () => {
  expect(await setAdmin(await signIn(deps, { admin: true }), 'nobody', true)).toEqual([404, 'user-not-found']);
});

test('all admins and the affected person are emailed about a change, and no one if nothing changed', async () => {
  await removeAllAdmins();
  const [ada, bea] = [await signIn(deps, { admin: true, name: 'Ada' }), await signIn(deps, { admin: true })];
  const nora = await signIn(deps, { name: 'Nora' });
  const changeAdminAndReadEmails = async (admin: boolean) => {
    const emailCount = jobs.findPayloads(sendAdminChangeEmail).length;
    await setAdmin(ada, nora.userId, admin);
    await setAdmin(ada, nora.userId, admin);
    const emails: Email[] = [];
    const mailer = { send: async (email: Email) => void emails.push(email) };
    for (const job of jobs.findPayloads(sendAdminChangeEmail).slice(emailCount))
      await sendAdminChangeEmail.run({ ...deps, mailer }, job);
    const textOf = ({ email }: SignedInPerson) => emails.find(({ to }) => to === email)?.text;
    return { count: emails.length, texts: [ada, bea, nora].map(textOf) };
  };
  const grantEmails = await changeAdminAndReadEmails(true);
  expect(grantEmails.count).toBe(3);
  expect(grantEmails.texts[0]).toContain('Ada made Nora an admin.');
  expect(grantEmails.texts[1]).toContain('Ada made Nora an admin.');
  expect(grantEmails.texts[2]).toContain('Ada made you an admin.');
  const revokeEmails = await changeAdminAndReadEmails(false);
  expect(revokeEmails.count).toBe(3);
  expect(revokeEmails.texts[1]).toContain('Ada removed Nora as an admin.');
  expect(revokeEmails.texts[2]).toContain('Ada removed you as an admin.');
});
