import { expect, test } from 'vitest';
import { buildTestApp, testDeps } from '#test/support/build-app.ts';
import { addInvitation } from '#test/support/builders/invitation.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { addOffsetter } from '#test/support/builders/story.ts';
import { call, outcomeOf } from '#test/support/call.ts';
import { MINUTE, testClock } from '#test/support/clock.ts';
import { testDatabase } from '#test/support/database.ts';
import { signIn } from '#test/support/sign-in.ts';

const db = await testDatabase();
const clock = testClock();
const deps = await testDeps(db, { now: clock.now, adminEmails: ['ada@example.org'] });
const app = await buildTestApp(deps);

test('claims bring what came to wait since the last sign-in, and say it', async () => {
  const orgId = await addOrg(db);
  const ada = await signIn(deps, { email: 'ada@example.org' });
  await addInvitation(db, orgId, { email: ada.email });
  await addOffsetter(db, orgId, { email: 'ADA@example.org' });
  const answer = await call(app, 'refreshClaims', { params: {}, as: ada });
  expect(answer.json()).toMatchObject({ id: ada.userId, admin: true, editorOf: [orgId] });
  const own = await call(app, 'readMyOffsetter', { params: { orgid: orgId }, as: ada });
  expect(own.json()).toMatchObject({ mine: true });
});

test('an address that is not proven claims nothing', async () => {
  const orgId = await addOrg(db);
  const eve = await signIn(deps, { email: 'eve@example.org', verified: false });
  await addInvitation(db, orgId, { email: eve.email });
  await addOffsetter(db, orgId, { email: eve.email });
  const answer = await call(app, 'refreshClaims', { params: {}, as: eve });
  expect(answer.json()).toMatchObject({ emailVerified: false, admin: false, editorOf: [] });
  const own = await call(app, 'readMyOffsetter', { params: { orgid: orgId }, as: eve });
  expect(own.json()).toBeNull();
});

test('claims are for the bearer of a fresh token', async () => {
  const person = await signIn(deps);
  expect(outcomeOf(await call(app, 'refreshClaims', { params: {} }))).toEqual([401, 'login-required']);
  clock.pass(6 * MINUTE);
  expect(outcomeOf(await call(app, 'refreshClaims', { params: {}, as: person }))).toEqual([401, 'token-stale']);
});
