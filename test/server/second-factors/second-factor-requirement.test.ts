// @spec 7.sign-in
import { expect, test } from 'vitest';
import { sendSecondFactorEmail } from '#server/features/second-factors/send-second-factor-email.job.ts';
import { removeSecondFactor } from '#server/features/users/admins.ts';
import { buildTestApp, createTestDeps, createTestIdentity } from '#test/support/build-app.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { call, readOutcome } from '#test/support/call.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { createJobRecorder } from '#test/support/job-recorder.ts';
import { createLogSpy } from '#test/support/log-spy.ts';
import { addAuthenticatorTo } from '#test/support/second-factors.ts';
import { type PersonParts, signIn } from '#test/support/sign-in.ts';

const db = await createTestDatabase();
const plainDeps = await createTestDeps(db, { settings: { production: true } });
const identity = createTestIdentity({ ...plainDeps, log: createLogSpy().log, adminsNeedSecondFactor: true });
const deps = { ...plainDeps, identity };
const app = await buildTestApp(deps);

async function createPerson(parts: PersonParts) {
  const person = await signIn(deps, parts);
  const searchUsers = async () => readOutcome(await call(app, 'searchUsers', { params: {}, as: person }));
  const readInactivePermissions = async () =>
    (await call(app, 'authorize', { params: {}, as: person })).json<{ inactivePermissions?: object }>()
      .inactivePermissions;
  const readSettings = async (orgId: string) =>
    readOutcome(await call(app, 'readOrgSettings', { params: { orgid: orgId }, as: person }));
  const setRequirement = async (orgId: string, editorsNeedSecondFactor: boolean) =>
    readOutcome(
      await call(app, 'editOrg', { params: { orgid: orgId }, as: person, body: { editorsNeedSecondFactor } }),
    );
  return {
    ...person,
    users: searchUsers,
    readInactivePermissions,
    read: readSettings,
    need: setRequirement,
  };
}

// @asvs 6.3.3
test('a production admin has admin rights only while they have a second factor', async () => {
  const ada = await createPerson({ admin: true });
  expect(await ada.users()).toEqual([403, 'second-factor-needed']);
  expect(await ada.readInactivePermissions()).toEqual({ admin: true, orgs: [] });
  await addAuthenticatorTo(deps, ada);
  expect(await ada.users()).toEqual([200]);
  expect(await ada.readInactivePermissions()).toBeUndefined();
  expect(readOutcome(await call(app, 'removeAuthenticator', { params: {}, as: ada }))).toEqual([200]);
  expect(await ada.users()).toEqual([403, 'second-factor-needed']);
});

test('a session started before the second factor was added has no admin rights', async () => {
  const ben = await createPerson({ admin: true });
  await addAuthenticatorTo(deps, ben);
  await db.kysely.updateTable('sessions').set({ second_factor_at: null }).where('id', '=', ben.sessionId).execute();
  expect(await ben.users()).toEqual([403, 'second-factor-needed']);
});

// @asvs 6.3.3
test('a fund can require a second factor once its editor has one; other editors are blocked until they have one too', async () => {
  const [orgid, otherOrgId] = [await addOrg(db), await addOrg(db)];
  const [cleo, dan] = [
    await createPerson({ editorOf: [orgid] }),
    await createPerson({ editorOf: [orgid, otherOrgId] }),
  ];
  expect(await cleo.need(orgid, true)).toEqual([403, 'second-factor-needed']);
  await addAuthenticatorTo(deps, cleo);
  expect(await cleo.need(orgid, true)).toEqual([200]);
  expect([await cleo.read(orgid), await dan.read(orgid), await dan.read(otherOrgId)]).toEqual([
    [200],
    [403, 'second-factor-needed'],
    [200],
  ]);
  expect(await dan.readInactivePermissions()).toEqual({ admin: false, orgs: [orgid] });
  await addAuthenticatorTo(deps, dan);
  expect(await dan.read(orgid)).toEqual([200]);
  expect(await dan.need(orgid, false)).toEqual([200]);
});

test('no second step is required without a role, or for an admin outside production', async () => {
  const eva = await createPerson({});
  expect(await eva.users()).toEqual([403, 'forbidden']);
  expect(await eva.readInactivePermissions()).toBeUndefined();
  const nonProductionApp = await buildTestApp(plainDeps);
  expect(
    readOutcome(
      await call(nonProductionApp, 'searchUsers', { params: {}, as: await signIn(plainDeps, { admin: true }) }),
    ),
  ).toEqual([200]);
});

// @asvs 6.4.4
test('the operator can remove the second step of a locked-out user, who then sets up another', async () => {
  const jobs = createJobRecorder();
  const fay = await createPerson({ admin: true, email: 'fay@example.org' });
  await addAuthenticatorTo(deps, fay);
  expect(await removeSecondFactor({ ...deps, jobs }, 'Fay@example.org')).toBe('fay@example.org');
  expect(jobs.findPayloads(sendSecondFactorEmail)).toMatchObject([{ userId: fay.userId, change: 'removed-by-admin' }]);
  expect(await fay.users()).toEqual([401, 'token-invalid']);
  for (const table of ['passkeys', 'authenticators', 'recovery_codes'] as const) {
    expect(await db.kysely.selectFrom(table).selectAll().where('user_id', '=', fay.userId).execute()).toEqual([]);
  }
  const newLogin = await signIn(deps, { userId: fay.userId });
  expect(readOutcome(await call(app, 'searchUsers', { params: {}, as: newLogin }))).toEqual([
    403,
    'second-factor-needed',
  ]);
  expect(readOutcome(await call(app, 'offerAuthenticator', { params: {}, as: newLogin }))).toEqual([200]);
  expect(await removeSecondFactor({ ...deps, jobs }, 'nobody@example.org')).toMatchObject({ code: 'user-not-found' });
});
