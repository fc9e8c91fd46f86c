// @spec 7.sign-in
import { expect, test } from 'vitest';
import { INVITATION_DAYS, invitationExpiry } from '#domain/editor-terms.ts';
import { acceptInvitation, createInvitationLink } from '#server/features/sessions/accept-invitation.ts';
import { addInvitation } from '#test/support/builders/invitation.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { call, readOutcome } from '#test/support/call.ts';
import { DAY } from '#test/support/clock.ts';
import { startPeople } from '#test/support/people.ts';
import { signIn } from '#test/support/sign-in.ts';

const { db, deps, app, clock, openBrowser, addUser: addPerson, readCodeFor } = await startPeople();
const orgId = await addOrg(db);
let invitedCount = 0;

async function invite(overrides: { email?: string } = {}) {
  invitedCount += 1;
  const email = overrides.email ?? `invited-${invitedCount}@example.org`;
  const invitationId = await addInvitation(db, orgId, { email, created_at: deps.now() });
  return { email, invitationId, code: await createCode({ email, invitationId }) };
}

async function createCode(to: { readonly email: string; readonly invitationId: string }): Promise<string> {
  const link = await createInvitationLink(deps, { ...to, returnTo: '/', expiresAt: invitationExpiry(deps.now()) });
  return new URL(link).searchParams.get('code') ?? '';
}

const accept = (code: string, name = 'Ivo Invited') => openBrowser().call('acceptInvitation', { code, name });
const readRoles = (email: string) =>
  db.kysely
    .selectFrom('org_editors')
    .innerJoin('users', 'users.id', 'org_editors.user_id')
    .select(['org_editors.org_id', 'org_editors.display_name', 'users.email_verified'])
    .where('users.email', '=', email)
    .execute();
const INVALID = [422, 'link-invalid'];

test('an invitation link logs the invited person in, grants the role, and sets the name', async () => {
  const { email, code } = await invite();
  const response = await accept(code);
  const actor = await deps.identity.findActor(response.json<{ token: string }>().token);
  expect(actor).toMatchObject({ emailVerified: true, roles: { [orgId]: 'editor' } });
  expect(await readRoles(email)).toEqual([{ org_id: orgId, display_name: 'Ivo Invited', email_verified: true }]);
});

test('an invitation link works once, even when clicked ten times simultaneously', async () => {
  const { code } = await invite();
  const responses = await Promise.all(Array.from({ length: 10 }, () => accept(code)));
  expect(responses.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
  expect(readOutcome(await accept(code))).toEqual(INVALID);
});

test('opening the invitation page doesn’t accept it, no matter how often a scanner visits', async () => {
  const { email, code } = await invite();
  for (const method of ['GET', 'HEAD'] as const) {
    await app.inject({ method, url: `/email-signin?code=${code}&invited=1` });
    await app.inject({ method, url: '/api/session/invitation', payload: { code } });
  }
  expect(await readRoles(email)).toEqual([]);
  expect(readOutcome(await accept(code))).toEqual([200]);
});

test('the invitation page shows the role, the organization, and the inviter until the invitation is accepted', async () => {
  const edith = await signIn(deps, { name: 'Edith', editorOf: [orgId] });
  const email = 'asked@example.org';
  const invitationId = await addInvitation(db, orgId, {
    email,
    role: 'money',
    invited_by: edith.userId,
    created_at: deps.now(),
  });
  const code = await createCode({ email, invitationId });
  const read = () => openBrowser().call('readInvitation', { code });
  const { name: orgName } = await db.kysely
    .selectFrom('orgs')
    .select('name')
    .where('id', '=', orgId)
    .executeTakeFirstOrThrow();
  expect((await read()).json()).toEqual({ role: 'money', orgName, invitedBy: 'Edith' });
  expect(await readRoles(email)).toEqual([]);
  await accept(code);
  expect(readOutcome(await read())).toEqual(INVALID);
});

test('an invitation link is not a sign-in link, and vice versa', async () => {
  const { email, code } = await invite();
  expect(readOutcome(await openBrowser().call('signInWithLink', { email, code }))).toEqual(INVALID);
  await openBrowser().call('sendSignInLink', { email });
  expect(readOutcome(await accept(await readCodeFor(email)))).toEqual(INVALID);
});

test('an invitation link stops working when canceled, replaced, accepted another way, or two weeks old', async () => {
  const edith = await signIn(deps, { editorOf: [orgId] });
  const withdrawnInvitation = await invite();
  const params = { orgid: orgId, invitationid: withdrawnInvitation.invitationId };
  expect(readOutcome(await call(app, 'withdrawInvitation', { params, as: edith }))).toEqual([200]);
  expect(readOutcome(await accept(withdrawnInvitation.code))).toEqual(INVALID);

  const replacedInvitation = await invite();
  await db.kysely.deleteFrom('invitations').where('id', '=', replacedInvitation.invitationId).execute();
  const newInvitation = await invite({ email: replacedInvitation.email });
  expect(readOutcome(await accept(replacedInvitation.code))).toEqual(INVALID);
  expect(readOutcome(await accept(newInvitation.code))).toEqual([200]);

  const acceptedInvitation = await invite();
  await openBrowser().call('sendSignInLink', { email: acceptedInvitation.email });
  await openBrowser().call('signInWithLink', {
    email: acceptedInvitation.email,
    code: await readCodeFor(acceptedInvitation.email),
  });
  expect(await readRoles(acceptedInvitation.email)).toHaveLength(1);
  expect(readOutcome(await accept(acceptedInvitation.code))).toEqual(INVALID);

  const expiredInvitation = await invite();
  const lateDeps = { ...deps, now: () => new Date(clock.now().getTime() + INVITATION_DAYS * DAY) };
  const caller = {
    client: '10.0.0.1',
    browser: 'a browser',
    language: undefined,
    findDevice: async () => undefined,
    previousSessionHash: undefined,
  };
  const rejection = await acceptInvitation(lateDeps, { code: expiredInvitation.code, name: '' }, caller);
  expect(rejection).toMatchObject({ code: 'link-invalid' });
});

test('a two-week-old link doesn’t open a verified account, even if its invitation still exists', async () => {
  const email = 'owner@example.org';
  await addPerson({ email });
  const { code } = await invite({ email });
  expect(readOutcome(await accept(code))).toEqual(INVALID);
});

test('an attacker who signed up with the address first loses their password and name', async () => {
  const email = 'taken@example.org';
  await addPerson({ email, verified: false, name: 'A Stranger' });
  const { code } = await invite({ email });
  expect(readOutcome(await accept(code, ''))).toEqual([200]);
  expect(await readRoles(email)).toEqual([{ org_id: orgId, display_name: '', email_verified: true }]);
  const password = { email, password: 'warm homes, cooler planet' };
  expect(readOutcome(await openBrowser().call('signInWithPassword', password))).toEqual([401, 'wrong-credentials']);
});

test('rejects a name with an address, reports the field, and keeps the link valid', async () => {
  const { code } = await invite();
  const response = await accept(code, 'Win at https://evil.example');
  expect(response.json()).toMatchObject({ field: 'name' });
  expect(readOutcome(await accept(code))).toEqual([200]);
});
