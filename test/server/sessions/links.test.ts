// @spec 1.sign-in 7.sign-in decisions.4
import { expect, test } from 'vitest';
import { inTransaction } from '#server/db/transaction.ts';
import { sendSecondFactorEmail } from '#server/features/second-factors/send-second-factor-email.job.ts';
import { sendSessionEmail } from '#server/features/sessions/send-session-email.job.ts';
import { readOutcome } from '#test/support/call.ts';
import { MINUTE } from '#test/support/clock.ts';
import { extractLinks } from '#test/support/email-text.ts';
import { extractCode, PASSWORD, startPeople } from '#test/support/people.ts';

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

const sendLink = (email: string, returnTo?: string) => openBrowser().call('sendSignInLink', { email, returnTo });
const readSessions = (email: string) =>
  db.kysely
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select('sessions.id')
    .where('email', '=', email)
    .execute();

test('an email link logs its owner in with a verified address and an account', async () => {
  expect((await sendLink(' Lia@example.org')).json()).toEqual({});
  const code = await readCodeFor('lia@example.org');
  const client = openBrowser();
  const response = await client.call('signInWithLink', { email: 'lia@EXAMPLE.org', code });
  expect(await deps.identity.findActor(response.json<{ token: string }>().token)).toMatchObject({
    emailVerified: true,
  });
  expect((await client.call('readToken')).json()).not.toBeNull();
});

test('a link opens its page on the configured site and contains no email address', async () => {
  await sendLink('leo@example.org', '/orgs/ithaca/donate?amount=25');
  const [email] = await readEmailsTo('leo@example.org');
  const links = extractLinks(email?.html ?? '').filter((link) => link.includes('code='));
  expect(email?.to).toBe('leo@example.org');
  for (const link of links) {
    const { origin, pathname, searchParams } = new URL(link);
    expect([origin, pathname]).toEqual(['https://fund.example', '/email-signin']);
    expect([...searchParams.keys()]).toEqual(['code', 'return_to']);
    expect(searchParams.get('return_to')).toBe('/orgs/ithaca/donate?amount=25');
    expect(email?.text).toContain(link);
  }
  expect(links.length).toBeGreaterThan(0);
});

test('account emails use the requesting page’s language, and so do their links', async () => {
  const email = 'lupe@example.org';
  const spanishBrowser = openBrowser('es');
  await spanishBrowser.call('sendSignInLink', { email, returnTo: '/user-home' });
  const [signInEmail] = await readEmailsTo(email);
  expect(signInEmail?.subject).toBe('Su enlace para iniciar sesión en City Climate Fund');
  expect(signInEmail?.text).toContain('\nhttps://fund.example/es/email-signin?code=');
  expect(signInEmail?.text).toContain('&return_to=%2Fuser-home\n');
  const body = { email, code: await readCodeFor(email) };
  const { token } = (await spanishBrowser.call('signInWithLink', body)).json<{ token: string }>();
  await spanishBrowser.call('sendPasswordReset', { email });
  await spanishBrowser.call('sendConfirmationCode', {}, token);
  const emails = (await readEmailsTo(email)).map(({ subject }) => subject);
  expect(emails).toContain('Elija una contraseña nueva de City Climate Fund');
  expect(emails).toContain('Su código de City Climate Fund');
  await openBrowser('en').call('sendPasswordReset', { email });
  expect((await readEmailsTo(email)).at(-1)?.text).toContain('\nhttps://fund.example/reset-password?code=');
});

test('an email not requested from a page is in the user’s language or the default language', async () => {
  const email = 'lola@example.org';
  const userId = await addPerson({ email });
  await db.kysely.updateTable('users').set({ language: 'es' }).where('id', '=', userId).execute();
  const issuedAt = clock.now().toISOString();
  await inTransaction(db, async (tx) => {
    await jobs.enqueue(tx, sendSecondFactorEmail, { userId, change: 'passkey-added', at: issuedAt });
    await jobs.enqueue(tx, sendSessionEmail, { kind: 'password-changed', userId, changedAt: issuedAt });
    await jobs.enqueue(tx, sendSessionEmail, { kind: 'reset', email });
  });
  expect((await readEmailsTo(email)).map(({ subject }) => subject)).toEqual([
    'Se agregó una clave de acceso a su cuenta de City Climate Fund',
    'Se cambió su contraseña de City Climate Fund',
    'Reset your City Climate Fund password',
  ]);
});

test('a link can’t redirect to another site', async () => {
  await sendLink('lou@example.org', '//evil.example');
  const [email] = await readEmailsTo('lou@example.org');
  expect(email?.html).not.toContain('evil.example');
  expect(email?.text).not.toContain('return_to');
});

test('known and unknown addresses get the same response and the same writes', async () => {
  await addPerson({ email: 'known@example.org' });
  const responses = [await sendLink('known@example.org'), await sendLink('unknown@example.org')];
  expect(responses.map(({ statusCode, body }) => [statusCode, body])).toEqual([
    [200, '{}'],
    [200, '{}'],
  ]);
  for (const email of ['known@example.org', 'unknown@example.org']) expect(await readEmailsTo(email)).toHaveLength(1);
});

// @asvs 6.4.1 6.5.1
test('a link works once', async () => {
  await sendLink('mia@example.org');
  const request = { email: 'mia@example.org', code: await readCodeFor('mia@example.org') };
  expect(readOutcome(await openBrowser().call('signInWithLink', request))).toEqual([200]);
  expect(readOutcome(await openBrowser().call('signInWithLink', request))).toEqual([422, 'link-invalid']);
});

// @asvs 6.5.1
test('fifty simultaneous uses of a link open one session', async () => {
  await sendLink('max@example.org');
  const request = { email: 'max@example.org', code: await readCodeFor('max@example.org') };
  const responses = await Promise.all(Array.from({ length: 50 }, () => openBrowser().call('signInWithLink', request)));
  expect(responses.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
  expect(await readSessions('max@example.org')).toHaveLength(1);
});

test('two links for a new address used simultaneously create one account', async () => {
  const email = 'mo@example.org';
  await sendLink(email);
  const firstCode = await readCodeFor(email);
  await sendLink(email);
  const secondCode = await readCodeFor(email);
  const responses = await Promise.all(
    [firstCode, secondCode].map((code) => openBrowser().call('signInWithLink', { email, code })),
  );
  expect(responses.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
  expect(await readSessions(email)).toHaveLength(2);
});

// @asvs 6.4.1
test('a link expires after 10 minutes', async () => {
  await sendLink('ned@example.org');
  const firstCode = await readCodeFor('ned@example.org');
  clock.advance(10 * MINUTE - 1);
  expect(
    readOutcome(await openBrowser().call('signInWithLink', { email: 'ned@example.org', code: firstCode })),
  ).toEqual([200]);
  await sendLink('ned@example.org');
  const secondCode = await readCodeFor('ned@example.org');
  clock.advance(10 * MINUTE);
  expect(
    readOutcome(await openBrowser().call('signInWithLink', { email: 'ned@example.org', code: secondCode })),
  ).toEqual([422, 'link-invalid']);
});

// @asvs 6.6.2
test('a link works only with its own address, and another address doesn’t use it up', async () => {
  await sendLink('ola@example.org');
  const code = await readCodeFor('ola@example.org');
  const logInAs = async (email: string) => readOutcome(await openBrowser().call('signInWithLink', { email, code }));
  expect(await logInAs('pia@example.org')).toEqual([422, 'link-other-address']);
  expect(await logInAs('ola@example.org')).toEqual([200]);
  expect(await logInAs('pia@example.org')).toEqual([422, 'link-invalid']);
});

// @asvs 3.5.3 7.6.2
test('a mail scanner that opens the link doesn’t use it up', async () => {
  await sendLink('ona@example.org');
  const code = await readCodeFor('ona@example.org');
  await openBrowser().open(`/email-signin?code=${code}`);
  await openBrowser().open(`/api/session/link?code=${code}`);
  expect(readOutcome(await openBrowser().call('signInWithLink', { email: 'ona@example.org', code }))).toEqual([200]);
});

test('logging in by link ends the browser’s earlier session', async () => {
  await addPerson({ email: 'pat@example.org' });
  const { browser: client, token } = await logIn('pat@example.org');
  await sendLink('pat@example.org');
  await client.call('signInWithLink', { email: 'pat@example.org', code: await readCodeFor('pat@example.org') });
  expect(await deps.identity.findActor(token)).toBeUndefined();
  expect(await readSessions('pat@example.org')).toHaveLength(1);
});

test('a verified user who logs in with a link keeps their password and sessions', async () => {
  await addPerson({ email: 'pete@example.org' });
  const { token } = await logIn('pete@example.org');
  await sendLink('pete@example.org');
  await openBrowser().call('signInWithLink', {
    email: 'pete@example.org',
    code: await readCodeFor('pete@example.org'),
  });
  expect(await deps.identity.findActor(token)).toBeDefined();
  const passwordLogin = await openBrowser().call('signInWithPassword', {
    email: 'pete@example.org',
    password: PASSWORD,
  });
  expect(readOutcome(passwordLogin)).toEqual([200]);
});

test('neither the database nor the email queue contains a code', async () => {
  await sendLink('quin@example.org');
  const [email] = await readEmailsTo('quin@example.org');
  const code = email ? extractCode(email) : '';
  const storedCodes = await db.kysely
    .selectFrom('email_codes')
    .selectAll()
    .where('email', '=', 'quin@example.org')
    .execute();
  expect(code).toHaveLength(32);
  expect(storedCodes).toHaveLength(1);
  expect(JSON.stringify([storedCodes, jobs.recordedJobs])).not.toContain(code);
});
