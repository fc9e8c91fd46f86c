// @spec 7.sign-in decisions.4
import { expect, test } from 'vitest';
import type { Activity } from '#contract/schemas/activity.ts';
import type { ResponseBody } from '#contract/schemas.ts';
import { PARENT } from '#test/support/build-app.ts';
import { addGift } from '#test/support/builders/gift.ts';
import { addInvitation } from '#test/support/builders/invitation.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { call, readOutcome } from '#test/support/call.ts';
import { MINUTE } from '#test/support/clock.ts';
import { extractLinks } from '#test/support/email-text.ts';
import { PASSWORD, startPeople } from '#test/support/people.ts';

const { app, db, deps, clock, openBrowser, addUser: addPerson, logIn, readEmailsTo, readCodeFor } = await startPeople();

type Login = Awaited<ReturnType<typeof logIn>>;
let personCount = 0;

/** Creates a logged-in person and a new address that no account uses. */
async function createPerson({ verified = true } = {}) {
  personCount += 1;
  const email = `person-${personCount}@example.org`;
  const userId = await addPerson({ email, verified });
  return { userId, email, newEmail: `new-${personCount}@example.org`, login: await logIn(email) };
}

const withToken = ({ token }: Pick<Login, 'token'>) => ({
  headers: { authorization: `Bearer ${token}`, 'x-requested-with': 'test' },
});
const requestChange = async ({ browser: client, token }: Login, email: string) =>
  readOutcome(await client.call('requestEmailChange', { email }, token));
const openLink = ({ browser: client, token }: Login, code: string) => client.call('verifyAddress', { code }, token);
const readStoredAddress = async (userId: string) => {
  const users = db.kysely.selectFrom('users').select(['email', 'email_verified']).where('id', '=', userId);
  const { email, email_verified } = await users.executeTakeFirstOrThrow();
  return [email, email_verified];
};
/** Subjects of the emails to an address, except those about a login in a new browser. */
const readSubjects = async (email: string) =>
  (await readEmailsTo(email)).map(({ subject }) => subject).filter((subject) => !subject.startsWith('New login'));

test('opening the link in the email to the new address changes the address and notifies the old address', async () => {
  const { userId, email, newEmail, login } = await createPerson();
  const otherLogin = await logIn(email);
  expect(await requestChange(login, ` ${newEmail.toUpperCase()} `)).toEqual([200]);
  expect(await readStoredAddress(userId)).toEqual([email, true]);
  const response = await openLink(login, await readCodeFor(newEmail));
  expect(readOutcome(response)).toEqual([200]);
  expect(await readStoredAddress(userId)).toEqual([newEmail, true]);
  const notice = (await readEmailsTo(email)).at(-1);
  expect(notice?.subject).toBe('The email address for your City Climate Fund account was changed');
  expect(notice?.text).toContain(`email ${PARENT.contactEmail}`);
  // Sessions continue, and only the new address can log in.
  for (const { token } of [login, otherLogin]) expect(await deps.identity.findActor(token)).toMatchObject({ userId });
  const logInByPassword = async (address: string) =>
    readOutcome(await openBrowser().call('signInWithPassword', { email: address, password: PASSWORD }));
  expect([await logInByPassword(newEmail), await logInByPassword(email)]).toEqual([[200], [401, 'wrong-credentials']]);
});

test('the link returns to the account page and contains no address', async () => {
  const { newEmail, login } = await createPerson();
  await requestChange(login, newEmail);
  const [link = ''] = extractLinks((await readEmailsTo(newEmail))[0]?.html ?? '').filter((href) =>
    href.includes('code='),
  );
  const { pathname, searchParams } = new URL(link);
  expect(pathname).toBe('/verify-email');
  expect([...searchParams.keys()]).toEqual(['code', 'new', 'return_to']);
  expect(searchParams.get('return_to')).toBe('/user-home/account');
});

test('a link works once, for 10 minutes', async () => {
  const { userId, newEmail, login } = await createPerson();
  await requestChange(login, newEmail);
  const lateCode = await readCodeFor(newEmail);
  clock.advance(10 * MINUTE);
  expect(readOutcome(await openLink(login, lateCode))).toEqual([422, 'link-invalid']);
  await requestChange(login, newEmail);
  const code = await readCodeFor(newEmail);
  clock.advance(10 * MINUTE - 1);
  expect(readOutcome(await openLink(login, code))).toEqual([200]);
  expect(readOutcome(await openLink(login, code))).toEqual([422, 'link-invalid']);
  expect(await readStoredAddress(userId)).toEqual([newEmail, true]);
});

test('simultaneous uses of a link change the address once', async () => {
  const { email, newEmail, login } = await createPerson();
  await requestChange(login, newEmail);
  const code = await readCodeFor(newEmail);
  const responses = await Promise.all([1, 2, 3].map(() => openLink(login, code)));
  expect(responses.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
  expect(await readSubjects(email)).toHaveLength(1);
});

test('a link doesn’t work after another link has changed the address', async () => {
  const { userId, newEmail, login } = await createPerson();
  const otherEmail = `other-${newEmail}`;
  await requestChange(login, otherEmail);
  await requestChange(login, newEmail);
  const otherCode = await readCodeFor(otherEmail);
  await openLink(login, await readCodeFor(newEmail));
  expect(readOutcome(await openLink(login, otherCode))).toEqual([422, 'link-invalid']);
  expect(await readStoredAddress(userId)).toEqual([newEmail, true]);
});

// Otherwise an attacker could get the gifts of an address whose owner opens the link.
test('the link works only in a session of the account that requested it', async () => {
  const attacker = await createPerson();
  const victim = await createPerson();
  const victimsAddress = `victim-${victim.newEmail}`;
  await requestChange(attacker.login, victimsAddress);
  const code = await readCodeFor(victimsAddress);
  expect(readOutcome(await openBrowser().call('verifyAddress', { code }))).toEqual([401, 'login-required']);
  expect(readOutcome(await openLink(victim.login, code))).toEqual([422, 'link-invalid']);
  expect([await readStoredAddress(attacker.userId), await readStoredAddress(victim.userId)]).toEqual([
    [attacker.email, true],
    [victim.email, true],
  ]);
});

test('an address that belongs to another account gets a different email but the same response', async () => {
  const { userId, email, newEmail, login } = await createPerson();
  const owner = await createPerson();
  const responses = [];
  for (const address of [owner.email, newEmail]) {
    const response = await login.browser.call('requestEmailChange', { email: address }, login.token);
    responses.push([response.statusCode, response.body]);
  }
  expect(responses).toEqual([
    [200, '{}'],
    [200, '{}'],
  ]);
  expect(await readSubjects(owner.email)).toEqual(['This address already has a City Climate Fund account']);
  expect(await readSubjects(newEmail)).toEqual(['Confirm your new email address for City Climate Fund']);
  // That email's link only logs in to the existing account.
  const code = await readCodeFor(owner.email);
  expect(readOutcome(await openLink(login, code))).toEqual([422, 'link-invalid']);
  expect(await readStoredAddress(userId)).toEqual([email, true]);
});

test('the address doesn’t change if the new address has since gotten an account', async () => {
  const { userId, email, newEmail, login } = await createPerson();
  await requestChange(login, newEmail);
  const code = await readCodeFor(newEmail);
  await addPerson({ email: newEmail });
  expect(readOutcome(await openLink(login, code))).toEqual([422, 'link-invalid']);
  expect(await readStoredAddress(userId)).toEqual([email, true]);
});

// @asvs 7.5.1
test.each([
  ['a login an hour ago', async () => clock.advance(61 * MINUTE), 'new@example.com', [401, 'confirmation-required']],
  ['an invalid address', async () => {}, 'new@example', [422, 'invalid-email']],
  ['no address', async () => {}, ' ', [422, 'no-email']],
])('a change request is rejected with %s', async (_case, prepare, email, outcome) => {
  const { email: address, login } = await createPerson();
  await prepare();
  // The login's token has expired, and a new token doesn't count as a confirmation.
  const { token } = (await login.browser.call('readToken')).json<{ token: string }>();
  expect(await requestChange({ ...login, token }, email)).toEqual(outcome);
  expect(await readSubjects(address)).toEqual([]);
});

test('a person who mistyped their address can correct it, and the typo’s owner gets no email', async () => {
  const { userId, email, newEmail, login } = await createPerson({ verified: false });
  expect(await requestChange(login, newEmail)).toEqual([200]);
  const response = await openLink(login, await readCodeFor(newEmail));
  expect(readOutcome(response)).toEqual([200]);
  expect(await readStoredAddress(userId)).toEqual([newEmail, true]);
  expect(await readSubjects(email)).toEqual([]);
  expect(readOutcome(await openBrowser().call('signInWithPassword', { email: newEmail, password: PASSWORD }))).toEqual([
    200,
  ]);
});

test('codes emailed to the old address no longer work', async () => {
  const { email, newEmail, login } = await createPerson();
  await login.browser.call('sendConfirmationCode', {}, login.token);
  const code = /Your code is (\d{6})/.exec((await readEmailsTo(email)).at(-1)?.text ?? '')?.[1] ?? '';
  await openBrowser().call('sendPasswordReset', { email });
  const resetCode = await readCodeFor(email);
  await requestChange(login, newEmail);
  await openLink(login, await readCodeFor(newEmail));
  expect(readOutcome(await login.browser.call('confirmIdentity', { code }, login.token))).toEqual([
    422,
    'code-invalid',
  ]);
  const resetResponse = await openBrowser().call('resetPassword', {
    code: resetCode,
    password: 'the former mailbox was here',
  });
  expect(readOutcome(resetResponse)).toEqual([422, 'link-invalid']);
});

test('My giving shows the new address’s gifts, and receipts don’t change', async () => {
  const { userId, email, newEmail, login } = await createPerson();
  const orgId = await addOrg(db);
  const [oldAddressGift, ownGift, laterGift] = [
    await addGift(db, orgId, { email }),
    await addGift(db, orgId, { email, user_id: userId }),
    await addGift(db, orgId, { email: newEmail }),
  ];
  const readCheckoutIds = async () => {
    const response = await call(app, 'readGiving', { params: { userid: userId }, as: withToken(login) });
    return response.json<ResponseBody<'readGiving'>>().gifts.map(({ checkoutid }) => checkoutid);
  };
  const readReceipts = () => db.kysely.selectFrom('receipts').selectAll().where('org_id', '=', orgId).execute();
  const initialReceipts = await readReceipts();
  expect(new Set(await readCheckoutIds())).toEqual(new Set([oldAddressGift.checkoutId, ownGift.checkoutId]));
  await requestChange(login, newEmail);
  await openLink(login, await readCodeFor(newEmail));
  expect(new Set(await readCheckoutIds())).toEqual(new Set([ownGift.checkoutId, laterGift.checkoutId]));
  expect(await readReceipts()).toEqual(initialReceipts);
});

test('a pending invitation to the new address grants its role', async () => {
  const { userId, newEmail, login } = await createPerson();
  const orgId = await addOrg(db);
  await addInvitation(db, orgId, { email: newEmail, created_at: clock.now() });
  await requestChange(login, newEmail);
  const { token } = (await openLink(login, await readCodeFor(newEmail))).json<{ token: string }>();
  expect(await deps.identity.findActor(token)).toMatchObject({ userId, roles: { [orgId]: 'editor' } });
});

test('name and address changes are in the audit trail', async () => {
  const { userId, email, newEmail, login } = await createPerson();
  await login.browser.call('changeName', { name: 'Uma Reyes' }, login.token);
  await requestChange(login, newEmail);
  await openLink(login, await readCodeFor(newEmail));
  const response = await call(app, 'readOwnActivity', { params: { userid: userId }, as: withToken(login) });
  const changes = response
    .json<Activity[]>()
    .filter(({ name }) => name === 'account.changed')
    .map(({ actorKind, changes: [change] }) => [actorKind, change?.label, change?.before, change?.after]);
  expect(changes).toEqual([
    ['you', 'Email', email, newEmail],
    ['you', 'Name', 'Uma User', 'Uma Reyes'],
  ]);
});
