// @spec 7.sign-in
import { expect, test } from 'vitest';
import { sendSecondFactorEmail } from '#server/features/second-factors/send-second-factor-email.job.ts';
import { removeSecondFactor } from '#server/features/users/admins.ts';
import { buildTestApp, testDeps, testIdentity } from '#test/support/build-app.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { call, outcomeOf } from '#test/support/call.ts';
import { testDatabase } from '#test/support/database.ts';
import { jobRecorder } from '#test/support/job-recorder.ts';
import { addAuthenticatorTo } from '#test/support/second-factors.ts';
import { type PersonParts, signIn } from '#test/support/sign-in.ts';
import { watchedLog } from '#test/support/watched-log.ts';

const db = await testDatabase();
const plain = await testDeps(db, { production: true });
const identity = testIdentity({ ...plain, log: watchedLog().log, adminsNeedSecondFactor: true });
const deps = { ...plain, identity };
const app = await buildTestApp(deps);

async function someone(parts: PersonParts) {
  const person = await signIn(deps, parts);
  const users = async () => outcomeOf(await call(app, 'searchUsers', { params: {}, as: person }));
  const inert = async () => (await call(app, 'authorize', { params: {}, as: person })).json<{ inert?: object }>().inert;
  const read = async (orgid: string) =>
    outcomeOf(await call(app, 'readOrgSettings', { params: { orgid }, as: person }));
  const need = async (orgid: string, editorsNeedSecondFactor: boolean) =>
    outcomeOf(await call(app, 'editOrg', { params: { orgid }, as: person, body: { editorsNeedSecondFactor } }));
  return { ...person, users, inert, read, need };
}

// @asvs 6.3.3
test('a production admin has no power before a second factor, and keeps it until the last is removed', async () => {
  const ada = await someone({ admin: true });
  expect(await ada.users()).toEqual([403, 'second-factor-needed']);
  expect(await ada.inert()).toEqual({ admin: true, orgs: [] });
  await addAuthenticatorTo(deps, ada);
  expect(await ada.users()).toEqual([200]);
  expect(await ada.inert()).toBeUndefined();
  expect(outcomeOf(await call(app, 'removeAuthenticator', { params: {}, as: ada }))).toEqual([200]);
  expect(await ada.users()).toEqual([403, 'second-factor-needed']);
});

test('a session from before the second factor has no power', async () => {
  const ben = await someone({ admin: true });
  await addAuthenticatorTo(deps, ben);
  await db.kysely.updateTable('sessions').set({ second_factor_at: null }).where('id', '=', ben.sessionId).execute();
  expect(await ben.users()).toEqual([403, 'second-factor-needed']);
});

// @asvs 6.3.3
test('a fund can require a second factor once its editor has one; other roles are blocked until they do', async () => {
  const [orgid, elsewhere] = [await addOrg(db), await addOrg(db)];
  const [cleo, dan] = [await someone({ editorOf: [orgid] }), await someone({ editorOf: [orgid, elsewhere] })];
  expect(await cleo.need(orgid, true)).toEqual([403, 'second-factor-needed']);
  await addAuthenticatorTo(deps, cleo);
  expect(await cleo.need(orgid, true)).toEqual([200]);
  expect([await cleo.read(orgid), await dan.read(orgid), await dan.read(elsewhere)]).toEqual([
    [200],
    [403, 'second-factor-needed'],
    [200],
  ]);
  expect(await dan.inert()).toEqual({ admin: false, orgs: [orgid] });
  await addAuthenticatorTo(deps, dan);
  expect(await dan.read(orgid)).toEqual([200]);
  expect(await dan.need(orgid, false)).toEqual([200]);
});

test('no second step is required without a role, or for an admin outside production', async () => {
  const eva = await someone({});
  expect(await eva.users()).toEqual([403, 'forbidden']);
  expect(await eva.inert()).toBeUndefined();
  const outside = await buildTestApp(plain);
  expect(
    outcomeOf(await call(outside, 'searchUsers', { params: {}, as: await signIn(plain, { admin: true }) })),
  ).toEqual([200]);
});

// @asvs 6.4.4
test('the operator removes the second step of a user who lost everything, who then sets up another', async () => {
  const jobs = jobRecorder();
  const fay = await someone({ admin: true, email: 'fay@example.org' });
  await addAuthenticatorTo(deps, fay);
  expect(await removeSecondFactor({ ...deps, jobs }, 'Fay@example.org')).toBe('fay@example.org');
  expect(jobs.dataOf(sendSecondFactorEmail)).toMatchObject([{ userId: fay.userId, change: 'removed-by-admin' }]);
  expect(await fay.users()).toEqual([401, 'token-invalid']);
  for (const table of ['passkeys', 'authenticators', 'recovery_codes'] as const) {
    expect(await db.kysely.selectFrom(table).selectAll().where('user_id', '=', fay.userId).execute()).toEqual([]);
  }
  const newLogin = await signIn(deps, { userId: fay.userId });
  expect(outcomeOf(await call(app, 'searchUsers', { params: {}, as: newLogin }))).toEqual([
    403,
    'second-factor-needed',
  ]);
  expect(outcomeOf(await call(app, 'offerAuthenticator', { params: {}, as: newLogin }))).toEqual([200]);
  expect(await removeSecondFactor({ ...deps, jobs }, 'nobody@example.org')).toMatchObject({ code: 'user-not-found' });
});
