// @spec decisions.3 decisions.4
import { expect, test } from 'vitest';
import { sendAdminChangeEmail } from '#server/features/users/send-admin-change-email.job.ts';
import type { Mail } from '#server/gateways/mail/mailer.ts';
import { buildTestApp, testDeps } from '#test/support/build-app.ts';
import { addUser } from '#test/support/builders/user.ts';
import { call, outcomeOf } from '#test/support/call.ts';
import { MINUTE, testClock } from '#test/support/clock.ts';
import { testDatabase } from '#test/support/database.ts';
import { jobRecorder } from '#test/support/job-recorder.ts';
import { type SignedInPerson, signIn } from '#test/support/sign-in.ts';

const db = await testDatabase();
const clock = testClock();
const jobs = jobRecorder();
const deps = await testDeps(db, { now: clock.now, jobs });
const app = await buildTestApp(deps);

const set = async (as: SignedInPerson | undefined, userid: string, admin: boolean) =>
  outcomeOf(await call(app, 'setAdmin', { params: { userid }, as, body: { admin } }));
const admins = async () => {
  const rows = await db.kysely.selectFrom('users').select('id').where('admin', '=', true).execute();
  return rows.map(({ id }) => id);
};
/** Keeps tests from seeing each other's admins. */
const noAdmins = () => db.kysely.updateTable('users').set({ admin: false }).execute();

test('a new admin has the power immediately, with the earlier token', async () => {
  const [admin, otherUser] = [await signIn(deps, { admin: true }), await signIn(deps)];
  expect(await set(otherUser, admin.userId, false)).toEqual([403, 'forbidden']);
  expect(await set(admin, otherUser.userId, true)).toEqual([200]);
  expect(outcomeOf(await call(app, 'searchUsers', { params: {}, as: otherUser }))).toEqual([200]);
});

test('a user who loses the admin role has no power and stays logged in', async () => {
  const [admin, otherAdmin, third] = [
    await signIn(deps, { admin: true }),
    await signIn(deps, { admin: true }),
    await signIn(deps),
  ];
  expect(await set(admin, otherAdmin.userId, false)).toEqual([200]);
  expect(await set(admin, third.userId, false)).toEqual([200]);
  expect(outcomeOf(await call(app, 'authorize', { params: {}, as: otherAdmin }))).toEqual([200]);
  expect(outcomeOf(await call(app, 'searchUsers', { params: {}, as: otherAdmin }))).toEqual([403, 'forbidden']);
  expect(outcomeOf(await call(app, 'authorize', { params: {}, as: third }))).toEqual([200]);
});

test('the last admin stays; an unverified one doesn’t count', async () => {
  await noAdmins();
  const admin = await signIn(deps, { admin: true });
  const unverifiedAdmin = await addUser(db, { admin: true, email_verified: false });
  expect(await set(admin, admin.userId, false)).toEqual([409, 'last-admin']);
  expect(await set(admin, unverifiedAdmin, false)).toEqual([200]);
  expect(await admins()).toEqual([admin.userId]);
});

test('if two admins revoke each other simultaneously, one stays', async () => {
  for (let round = 0; round < 5; round += 1) {
    await noAdmins();
    const [firstAdmin, secondAdmin] = [await signIn(deps, { admin: true }), await signIn(deps, { admin: true })];
    await Promise.all([set(firstAdmin, secondAdmin.userId, false), set(secondAdmin, firstAdmin.userId, false)]);
    expect(await admins()).toHaveLength(1);
  }
});

test('setting an admin needs a login or confirmation in the last hour', async () => {
  const [admin, otherUserId] = [await signIn(deps, { admin: true }), await addUser(db)];
  const old = new Date(clock.now().getTime() - 61 * MINUTE);
  await db.kysely.updateTable('sessions').set({ authenticated_at: old }).where('id', '=', admin.sessionId).execute();
  expect(await set(admin, otherUserId, true)).toEqual([401, 'proof-required']);
  expect(await admins()).not.toContain(otherUserId);
  expect(await set(await signIn(deps, { userId: admin.userId }), otherUserId, true)).toEqual([200]);
});

test('an unknown user is not found', async () => {
  expect(await set(await signIn(deps, { admin: true }), 'nobody', true)).toEqual([404, 'user-not-found']);
});

test('all admins and the person are emailed who changed an admin, and no one if nothing changed', async () => {
  await noAdmins();
  const [ada, bea] = [await signIn(deps, { admin: true, name: 'Ada' }), await signIn(deps, { admin: true })];
  const nora = await signIn(deps, { name: 'Nora' });
  const emailAfter = async (admin: boolean) => {
    const emailCount = jobs.dataOf(sendAdminChangeEmail).length;
    await set(ada, nora.userId, admin);
    await set(ada, nora.userId, admin);
    const mails: Mail[] = [];
    const mailer = { send: async (mail: Mail) => void mails.push(mail), close: async () => {} };
    for (const job of jobs.dataOf(sendAdminChangeEmail).slice(emailCount))
      await sendAdminChangeEmail.run({ ...deps, mailer }, job);
    const textOf = ({ email }: SignedInPerson) => mails.find(({ to }) => to === email)?.text;
    return { count: mails.length, texts: [ada, bea, nora].map(textOf) };
  };
  const grantEmails = await emailAfter(true);
  expect(grantEmails.count).toBe(3);
  expect(grantEmails.texts[0]).toContain('Ada made Nora an admin.');
  expect(grantEmails.texts[1]).toContain('Ada made Nora an admin.');
  expect(grantEmails.texts[2]).toContain('Ada made you an admin.');
  const revoked = await emailAfter(false);
  expect(revoked.count).toBe(3);
  expect(revoked.texts[1]).toContain('Ada took the admin role from Nora.');
  expect(revoked.texts[2]).toContain('Ada took the admin role from you.');
});
