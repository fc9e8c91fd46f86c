// @spec 7.sign-in
import { expect, test } from 'vitest';
import type { User } from '#contract/schemas/users.ts';
import { call, readOutcome } from '#test/support/call.ts';
import { HOUR } from '#test/support/clock.ts';
import { PASSWORD, startPeople } from '#test/support/people.ts';
import { addAuthenticatorTo } from '#test/support/second-factors.ts';
import { type SignedInPerson, signIn } from '#test/support/sign-in.ts';

const { db, deps, app, clock, addUser: addPerson, openBrowser, readEmailsTo } = await startPeople();

async function createPerson(name: string) {
  const email = `${name}@example.org`;
  const userId = await addPerson({ email });
  const { code } = await addAuthenticatorTo(deps, { userId, email });
  const logIn = async () => {
    const client = openBrowser();
    const response = (await client.call('signInWithPassword', { email, password: PASSWORD })).json<{
      secondStep?: true;
    }>();
    return { client, needsSecondStep: response.secondStep === true };
  };
  const readSubjects = async () => (await readEmailsTo(email)).map(({ subject }) => subject);
  return { email, userId, code, logIn, subjects: readSubjects };
}

const removeSecondFactors = (as: SignedInPerson, userId: string) =>
  call(app, 'removeSecondFactors', { params: { userid: userId }, as });
const readUser = async (as: SignedInPerson, userId: string) =>
  (await call(app, 'readUser', { params: { userid: userId }, as })).json<User>();

test('a second step that an admin removes still works for a day after its owner is notified', async () => {
  const [admin, ada] = [await signIn(deps, { admin: true }), await createPerson('ada')];
  const removalTime = new Date(clock.now().getTime() + 24 * HOUR).toISOString();
  expect((await removeSecondFactors(admin, ada.userId)).json()).toMatchObject({
    secondFactors: ['authenticator'],
    secondFactorRemovalTimestamp: removalTime,
  });
  const [email] = await readEmailsTo(ada.email);
  expect(email?.subject).toContain('will be removed');
  expect(email?.text).toContain('To keep it, use it to log in before then');
  clock.advance(HOUR);
  // A second request changes nothing and sends no email.
  const newLogin = await signIn(deps, { userId: admin.userId });
  expect((await removeSecondFactors(newLogin, ada.userId)).json()).toMatchObject({
    secondFactorRemovalTimestamp: removalTime,
  });
  clock.advance(22 * HOUR);
  expect((await ada.logIn()).needsSecondStep).toBe(true);
  clock.advance(HOUR);
  expect((await ada.logIn()).needsSecondStep).toBe(false);
  const laterLogin = await signIn(deps, { userId: admin.userId });
  expect(await readUser(laterLogin, ada.userId)).toMatchObject({
    secondFactors: [],
    secondFactorRemovalTimestamp: null,
  });
  expect(await ada.subjects()).toEqual([
    expect.stringContaining('will be removed'),
    expect.stringContaining('was removed'),
    expect.stringContaining('New login'),
  ]);
});

test('logging in with the second step cancels its removal, and both are recorded', async () => {
  const [admin, ben] = [await signIn(deps, { admin: true }), await createPerson('ben')];
  await removeSecondFactors(admin, ben.userId);
  const { client } = await ben.logIn();
  expect(readOutcome(await client.call('finishSecondStep', { code: ben.code() }))).toEqual([200]);
  expect(await readUser(admin, ben.userId)).toMatchObject({ secondFactorRemovalTimestamp: null });
  clock.advance(25 * HOUR);
  expect((await ben.logIn()).needsSecondStep).toBe(true);
  const activities = await db.kysely
    .selectFrom('activities')
    .select(['verb', 'actor_id'])
    .where('affected_user_id', '=', ben.userId)
    .where('kind', '=', 'second-step')
    .orderBy('id')
    .execute();
  expect(activities).toEqual([
    { verb: 'changed', actor_id: admin.userId },
    { verb: 'changed', actor_id: null },
  ]);
});

test('removal has no effect without a second step, fails for an unknown user, and is limited to ten a day per admin', async () => {
  const [admin, cleo] = [await signIn(deps, { admin: true }), await signIn(deps)];
  expect((await removeSecondFactors(admin, cleo.userId)).json()).toMatchObject({ secondFactorRemovalTimestamp: null });
  expect(await readEmailsTo(cleo.email)).toEqual([]);
  expect(readOutcome(await removeSecondFactors(admin, 'nobody'))).toEqual([404, 'user-not-found']);
  for (let count = 3; count <= 10; count += 1)
    expect((await removeSecondFactors(admin, cleo.userId)).statusCode).toBe(200);
  expect(readOutcome(await removeSecondFactors(admin, cleo.userId))).toEqual([429, 'too-many-requests']);
});
