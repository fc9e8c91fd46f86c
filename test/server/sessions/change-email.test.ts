// @spec 7.sign-in decisions.4
import { expect, test } from 'vitest';
import type { Activity } from '#contract/schemas/activity.ts';
import type { ResponseBody } from '#contract/schemas.ts';
import { PARENT } from '#test/support/build-app.ts';
import { addGift } from '#test/support/builders/gift.ts';
import { addInvitation } from '#test/support/builders/invitation.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { call, outcomeOf } from '#test/support/call.ts';
import { MINUTE } from '#test/support/clock.ts';
import { linksOf } from '#test/support/email-text.ts';
import { PASSWORD, startPeople } from '#test/support/people.ts';

const { app, db, deps, clock, browser, add, signedIn, emailsTo, codeFor } = await startPeople();

type Login = Awaited<ReturnType<typeof signedIn>>;
let people = 0;

/** Creates a logged-in person and a new address that no account uses. */
async function person({ verified = true } = {}) {
  people += 1;
  const email = `person-${people}@example.org`;
  const userId = await add({ email, verified });
  return { userId, email, newEmail: `new-${people}@example.org`, login: await signedIn(email) };
}

const asOf = ({ token }: Pick<Login, 'token'>) => ({
  headers: { authorization: `Bearer ${token}`, 'x-requested-with': 'test' },
});
const request = async ({ browser: client, token }: Login, email: string) =>
  outcomeOf(await client.call('requestEmailChange', { email }, token));
const open = ({ browser: client, token }: Login, code: string) => client.call('verifyAddress', { code }, token);
const emailOf = async (userId: string) => {
  const users = db.kysely.selectFrom('users').select(['email', 'email_verified']).where('id', '=', userId);
  const { email, email_verified } = await users.executeTakeFirstOrThrow();
  return [email, email_verified];
};
/** Subjects of the emails to an address, except those about a login in a new browser. */
const subjectsTo = async (email: string) =>
  (await emailsTo(email)).map(({ subject }) => subject).filter((subject) => !subject.startsWith('New login'));

test('opening the link in the email to the new address changes the address and notifies the former one', async () => {
  const { userId, email, newEmail, login } = await person();
  const elsewhere = await signedIn(email);
  expect(await request(login, ` ${newEmail.toUpperCase()} `)).toEqual([200]);
  expect(await emailOf(userId)).toEqual([email, true]);
  const response = await open(login, await codeFor(newEmail));
  expect(outcomeOf(response)).toEqual([200]);
  expect(await emailOf(userId)).toEqual([newEmail, true]);
  const notice = (await emailsTo(email)).at(-1);
  expect(notice?.subject).toBe('Your email address for City Climate Fund was changed');
  expect(notice?.text).toContain(`write to ${PARENT.contactEmail}`);
  // Sessions continue, and only the new address can log in.
  for (const { token } of [login, elsewhere]) expect(await deps.identity.actorOf(token)).toMatchObject({ userId });
  const byPassword = async (address: string) =>
    outcomeOf(await browser().call('signInByPassword', { email: address, password: PASSWORD }));
  expect([await byPassword(newEmail), await byPassword(email)]).toEqual([[200], [401, 'wrong-credentials']]);
});

test('the link returns to the account, and contains no address', async () => {
  const { newEmail, login } = await person();
  await request(login, newEmail);
  const [link = ''] = linksOf((await emailsTo(newEmail))[0]?.html ?? '').filter((each) => each.includes('code='));
  const { pathname, searchParams } = new URL(link);
  expect(pathname).toBe('/verify-email');
  expect([...searchParams.keys()]).toEqual(['code', 'new', 'return_to']);
  expect(searchParams.get('return_to')).toBe('/user-home/account');
});

test('a link works once, for 10 minutes', async () => {
  const { userId, newEmail, login } = await person();
  await request(login, newEmail);
  const late = await codeFor(newEmail);
  clock.pass(10 * MINUTE);
  expect(outcomeOf(await open(login, late))).toEqual([422, 'link-invalid']);
  await request(login, newEmail);
  const code = await codeFor(newEmail);
  clock.pass(10 * MINUTE - 1);
  expect(outcomeOf(await open(login, code))).toEqual([200]);
  expect(outcomeOf(await open(login, code))).toEqual([422, 'link-invalid']);
  expect(await emailOf(userId)).toEqual([newEmail, true]);
});

test('simultaneous uses of a link change the address once', async () => {
  const { email, newEmail, login } = await person();
  await request(login, newEmail);
  const code = await codeFor(newEmail);
  const responses = await Promise.all([1, 2, 3].map(() => open(login, code)));
  expect(responses.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
  expect(await subjectsTo(email)).toHaveLength(1);
});

test('a link doesn’t work after another link has changed the address', async () => {
  const { userId, newEmail, login } = await person();
  const other = `other-${newEmail}`;
  await request(login, other);
  await request(login, newEmail);
  const otherCode = await codeFor(other);
  await open(login, await codeFor(newEmail));
  expect(outcomeOf(await open(login, otherCode))).toEqual([422, 'link-invalid']);
  expect(await emailOf(userId)).toEqual([newEmail, true]);
});

// Otherwise an attacker could get the gifts of an address whose owner opens the link.
test('the link works only in a session of the account that requested it', async () => {
  const attacker = await person();
  const victim = await person();
  const victimsAddress = `victim-${victim.newEmail}`;
  await request(attacker.login, victimsAddress);
  const code = await codeFor(victimsAddress);
  expect(outcomeOf(await browser().call('verifyAddress', { code }))).toEqual([401, 'login-required']);
  expect(outcomeOf(await open(victim.login, code))).toEqual([422, 'link-invalid']);
  expect([await emailOf(attacker.userId), await emailOf(victim.userId)]).toEqual([
    [attacker.email, true],
    [victim.email, true],
  ]);
});

test('an address with another account gets a different email and the same response', async () => {
  const { userId, email, newEmail, login } = await person();
  const owner = await person();
  const responses = [];
  for (const address of [owner.email, newEmail]) {
    const response = await login.browser.call('requestEmailChange', { email: address }, login.token);
    responses.push([response.statusCode, response.body]);
  }
  expect(responses).toEqual([
    [200, '{}'],
    [200, '{}'],
  ]);
  expect(await subjectsTo(owner.email)).toEqual(['This address already has an account at City Climate Fund']);
  expect(await subjectsTo(newEmail)).toEqual(['Confirm your new email address for City Climate Fund']);
  // That email's link only logs in to the existing account.
  const code = await codeFor(owner.email);
  expect(outcomeOf(await open(login, code))).toEqual([422, 'link-invalid']);
  expect(await emailOf(userId)).toEqual([email, true]);
});

test('the address doesn’t change if the new address has since gotten an account', async () => {
  const { userId, email, newEmail, login } = await person();
  await request(login, newEmail);
  const code = await codeFor(newEmail);
  await add({ email: newEmail });
  expect(outcomeOf(await open(login, code))).toEqual([422, 'link-invalid']);
  expect(await emailOf(userId)).toEqual([email, true]);
});

// @asvs 7.5.1
test.each([
  ['a login an hour ago', async () => clock.pass(61 * MINUTE), 'new@example.com', [401, 'confirmation-required']],
  ['an invalid address', async () => {}, 'new@example', [422, 'invalid-email']],
  ['no address', async () => {}, ' ', [422, 'no-email']],
])('a change request is rejected with %s', async (_case, prepare, email, outcome) => {
  const { email: address, login } = await person();
  await prepare();
  // The login's token has expired, and a new token doesn't count as a confirmation.
  const { token } = (await login.browser.call('readToken')).json<{ token: string }>();
  expect(await request({ ...login, token }, email)).toEqual(outcome);
  expect(await subjectsTo(address)).toEqual([]);
});

test('a person who mistyped their address can correct it, and the typo’s owner gets no email', async () => {
  const { userId, email, newEmail, login } = await person({ verified: false });
  expect(await request(login, newEmail)).toEqual([200]);
  const response = await open(login, await codeFor(newEmail));
  expect(outcomeOf(response)).toEqual([200]);
  expect(await emailOf(userId)).toEqual([newEmail, true]);
  expect(await subjectsTo(email)).toEqual([]);
  expect(outcomeOf(await browser().call('signInByPassword', { email: newEmail, password: PASSWORD }))).toEqual([200]);
});

test('codes that were emailed to the former address no longer work', async () => {
  const { email, newEmail, login } = await person();
  await login.browser.call('sendConfirmationCode', {}, login.token);
  const code = /Your code is (\d{6})/.exec((await emailsTo(email)).at(-1)?.text ?? '')?.[1] ?? '';
  await browser().call('sendPasswordReset', { email });
  const reset = await codeFor(email);
  await request(login, newEmail);
  await open(login, await codeFor(newEmail));
  expect(outcomeOf(await login.browser.call('confirmIdentity', { code }, login.token))).toEqual([422, 'code-invalid']);
  const resetting = await browser().call('resetPassword', { code: reset, password: 'the former mailbox was here' });
  expect(outcomeOf(resetting)).toEqual([422, 'link-invalid']);
});

test('My giving follows the new address, and receipts don’t change', async () => {
  const { userId, email, newEmail, login } = await person();
  const orgId = await addOrg(db);
  const [former, own, later] = [
    await addGift(db, orgId, { email }),
    await addGift(db, orgId, { email, user_id: userId }),
    await addGift(db, orgId, { email: newEmail }),
  ];
  const checkoutIds = async () => {
    const response = await call(app, 'readGiving', { params: { userid: userId }, as: asOf(login) });
    return response.json<ResponseBody<'readGiving'>>().gifts.map(({ checkoutid }) => checkoutid);
  };
  const receipts = () => db.kysely.selectFrom('receipts').selectAll().where('org_id', '=', orgId).execute();
  const before = await receipts();
  expect(new Set(await checkoutIds())).toEqual(new Set([former.checkoutId, own.checkoutId]));
  await request(login, newEmail);
  await open(login, await codeFor(newEmail));
  expect(new Set(await checkoutIds())).toEqual(new Set([own.checkoutId, later.checkoutId]));
  expect(await receipts()).toEqual(before);
});

test('a pending invitation to the new address grants its role', async () => {
  const { userId, newEmail, login } = await person();
  const orgId = await addOrg(db);
  await addInvitation(db, orgId, { email: newEmail, created_at: clock.now() });
  await request(login, newEmail);
  const { token } = (await open(login, await codeFor(newEmail))).json<{ token: string }>();
  expect(await deps.identity.actorOf(token)).toMatchObject({ userId, roles: { [orgId]: 'editor' } });
});

test('name and address changes are in the audit trail', async () => {
  const { userId, email, newEmail, login } = await person();
  await login.browser.call('changeName', { name: 'Uma Reyes' }, login.token);
  await request(login, newEmail);
  await open(login, await codeFor(newEmail));
  const response = await call(app, 'readOwnActivity', { params: { userid: userId }, as: asOf(login) });
  const changes = response
    .json<Activity[]>()
    .filter(({ name }) => name === 'account.changed')
    .map(({ by, changes: [change] }) => [by, change?.label, change?.before, change?.after]);
  expect(changes).toEqual([
    ['you', 'Email', email, newEmail],
    ['you', 'Name', 'Uma User', 'Uma Reyes'],
  ]);
});
