// @spec 7.sign-in decisions.4
import { expect, test } from 'vitest';
import { readOutcome } from '#test/support/call.ts';
import { DAY } from '#test/support/clock.ts';
import { PASSWORD, startPeople } from '#test/support/people.ts';

const {
  db,
  deps,
  clock,
  jobs,
  openBrowser,
  addUser: addPerson,
  logIn,
  readEmailsTo,
  readCodeFor,
} = await startPeople();

const signUp = (email: string, overrides: object = {}) =>
  openBrowser().call('signUp', { email, password: PASSWORD, ...overrides });
const verify = (login: Awaited<ReturnType<typeof logIn>>, code: string) =>
  login.browser.call('verifyAddress', { code }, login.token);

test('a new user can log in and gets permissions once the address is verified', async () => {
  await signUp('Rae@example.org', { name: 'Rae Reader', returnTo: '/orgs/ithaca/donate' });
  const [email, ...otherEmails] = await readEmailsTo('rae@example.org');
  expect(otherEmails).toEqual([]);
  expect(email).toMatchObject({ to: 'rae@example.org', text: expect.stringContaining('/verify-email?code=') });
  expect(email?.text).toContain(`return_to=${encodeURIComponent('/orgs/ithaca/donate')}`);
  const login = await logIn('rae@example.org');
  expect(await deps.identity.findActor(login.token)).toMatchObject({ emailVerified: false });
  const response = await verify(login, await readCodeFor('rae@example.org'));
  expect(readOutcome(response)).toEqual([200]);
  expect(await deps.identity.findActor(response.json<{ token: string }>().token)).toMatchObject({
    emailVerified: true,
  });
  const person = await db.kysely
    .selectFrom('users')
    .selectAll()
    .where('email', '=', 'rae@example.org')
    .executeTakeFirst();
  expect(person).toMatchObject({ email_verified: true, display_name: 'Rae Reader' });
});

test('signing up with a known address changes nothing and emails the owner', async () => {
  await addPerson({ email: 'known@example.org', name: 'Kim Known' });
  await signUp('known@example.org', { password: 'the password of somebody else', name: 'Not Kim' });
  const emails = await readEmailsTo('known@example.org');
  expect(emails).toMatchObject([{ to: 'known@example.org', text: expect.stringContaining('/email-signin?code=') }]);
  const wrongSignUp = { email: 'known@example.org', password: 'the password of somebody else' };
  expect(readOutcome(await openBrowser().call('signInWithPassword', wrongSignUp))).toEqual([401, 'wrong-credentials']);
  expect((await logIn('known@example.org')).token).toBeDefined();
  const person = await db.kysely
    .selectFrom('users')
    .selectAll()
    .where('email', '=', 'known@example.org')
    .executeTakeFirst();
  expect(person).toMatchObject({ display_name: 'Kim Known' });
});

test('known and unknown addresses get the same response and the same job', async () => {
  await addPerson({ email: 'sam@example.org' });
  const jobCount = jobs.recordedJobs.length;
  const responses = [await signUp('sam@example.org'), await signUp('sue@example.org')];
  expect(responses.map(({ statusCode, body, headers }) => [statusCode, body, headers['set-cookie']])).toEqual([
    [200, '{}', undefined],
    [200, '{}', undefined],
  ]);
  expect(jobs.recordedJobs.slice(jobCount).map(({ name }) => name)).toEqual(['finish-sign-up', 'finish-sign-up']);
});

test('a pending sign-up stores no password and is deleted when done', async () => {
  await signUp('tom@example.org');
  const pendingRows = JSON.stringify([await db.kysely.selectFrom('sign_ups').selectAll().execute(), jobs.recordedJobs]);
  expect(pendingRows).not.toContain(PASSWORD);
  await readEmailsTo('tom@example.org');
  expect(await db.kysely.selectFrom('sign_ups').selectAll().execute()).toEqual([]);
});

test.each([
  ['', PASSWORD, 'no-email'],
  ['una', PASSWORD, 'invalid-email'],
  ['una@example.org', '12345', 'password-too-short'],
  ['una@example.org', 'qwertyuiop', 'password-too-common'],
  ['una@example.org', 'UNA@example.org', 'password-is-email'],
  ['una@example.org', 'x'.repeat(257), 'password-too-long'],
])('signing up as "%s" with an unacceptable password is rejected', async (email, password, code) => {
  expect(readOutcome(await openBrowser().call('signUp', { email, password }))).toEqual([422, code]);
});

test('a sign-up name can’t contain an address', async () => {
  const response = await openBrowser().call('signUp', {
    email: 'una@example.org',
    password: PASSWORD,
    name: 'See https://evil.example',
  });
  expect(readOutcome(response)).toEqual([422, 'text-with-address']);
});

test('a verification code works only while logged in to its own account', async () => {
  await signUp('vera@example.org');
  const code = await readCodeFor('vera@example.org');
  expect(readOutcome(await openBrowser().call('verifyAddress', { code }))).toEqual([401, 'login-required']);
  await addPerson({ email: 'will@example.org', verified: false });
  const otherPerson = await logIn('will@example.org');
  expect(readOutcome(await verify(otherPerson, code))).toEqual([422, 'link-invalid']);
  expect(await deps.identity.findActor(otherPerson.token)).toMatchObject({ emailVerified: false });
  expect(readOutcome(await verify(await logIn('vera@example.org'), code))).toEqual([200]);
});

// @asvs 6.4.1
test('a verification link works once, within a day, and can be requested again', async () => {
  await signUp('xena@example.org');
  const lateCode = await readCodeFor('xena@example.org');
  clock.advance(DAY);
  const login = await logIn('xena@example.org');
  expect(readOutcome(await verify(login, lateCode))).toEqual([422, 'link-invalid']);
  await login.browser.call('sendVerification', {}, login.token);
  const code = await readCodeFor('xena@example.org');
  expect(readOutcome(await verify(login, code))).toEqual([200]);
  expect(readOutcome(await verify(login, code))).toEqual([422, 'link-invalid']);
});

test('a verified user gets no more verification emails', async () => {
  await addPerson({ email: 'yan@example.org' });
  const login = await logIn('yan@example.org');
  const initialEmails = await readEmailsTo('yan@example.org');
  expect(readOutcome(await login.browser.call('sendVerification', {}, login.token))).toEqual([200]);
  expect(await readEmailsTo('yan@example.org')).toEqual(initialEmails);
});

test('verifying while logged in keeps that session and the password, and ends all others', async () => {
  await signUp('zoe@example.org');
  const code = await readCodeFor('zoe@example.org');
  const [firstLogin, secondLogin] = [await logIn('zoe@example.org'), await logIn('zoe@example.org')];
  await verify(firstLogin, code);
  expect(await deps.identity.findActor(firstLogin.token)).toMatchObject({ emailVerified: true });
  expect(await deps.identity.findActor(secondLogin.token)).toBeUndefined();
  expect((await logIn('zoe@example.org')).token).toBeDefined();
});

test('a user’s language is the language of the page where they last signed up or logged in', async () => {
  const readLanguage = async (email: string) =>
    (await db.kysely.selectFrom('users').select('language').where('email', '=', email).executeTakeFirst())?.language;
  const email = 'lupe@example.org';
  const credentials = { email, password: PASSWORD };
  expect(readOutcome(await openBrowser('es').call('signUp', credentials))).toEqual([200]);
  await readEmailsTo(email);
  expect(await readLanguage(email)).toBe('es');
  // A stranger who knows the address can't change the language.
  await openBrowser('en').call('signUp', credentials);
  await openBrowser('en').call('sendSignInLink', { email });
  await openBrowser('en').call('signInWithPassword', { email, password: 'another password' });
  await readEmailsTo(email);
  expect(await readLanguage(email)).toBe('es');
  await openBrowser('en').call('signInWithPassword', credentials);
  expect(await readLanguage(email)).toBeNull();
  await openBrowser('es').call('signInWithPassword', credentials);
  expect(await readLanguage(email)).toBe('es');
  await openBrowser('es-MX,es;q=0.9').call('signInWithPassword', credentials);
  expect(await readLanguage(email)).toBeNull();
});
