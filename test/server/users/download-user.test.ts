// @spec decisions.4
import { expect, test } from 'vitest';
import { inTransaction } from '#server/db/transaction.ts';
import { postEntry } from '#server/features/ledger/post-entry.ts';
import { buildTestApp, createTestDeps } from '#test/support/build-app.ts';
import { addGift } from '#test/support/builders/gift.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { addUser } from '#test/support/builders/user.ts';
import { call, readOutcome } from '#test/support/call.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { addTraces, TRACES } from '#test/support/person-traces.ts';
import { type SignedInPerson, signIn } from '#test/support/sign-in.ts';

const db = await createTestDatabase();
const deps = await createTestDeps(db);
const app = await buildTestApp(deps);

const download = (as: SignedInPerson | undefined, userId: string) =>
  call(app, 'downloadUser', { params: { userid: userId }, as });

test('a download has everything stored about the user, but no password or session key', async () => {
  const orgId = await addOrg(db);
  const user = await signIn(deps, { email: 'trudi@example.org' });
  await addTraces(db, orgId, user);
  const response = await download(user, user.userId);
  const { passwordHash, ...visibleTraces } = TRACES;
  for (const trace of Object.values(visibleTraces)) expect(response.body).toContain(trace);
  expect(response.body).not.toContain(passwordHash);
  expect(response.body).not.toContain('hash-of-');
  expect(response.json()).toMatchObject({
    account: { id: user.userId, email: user.email, emailVerified: true },
    waysOfSigningIn: [{ provider: 'google' }, { provider: 'credential' }],
    sessions: [{ ipAddress: TRACES.ipAddress }],
    emailCodes: [{ purpose: 'sign-in', email: user.email }],
    roles: [{ orgid: orgId, role: 'editor', displayName: TRACES.name }],
    invitationsReceived: [{ orgid: orgId, email: user.email, role: 'editor' }],
    invitationsMade: [{ orgid: orgId }],
    textsSaved: [{ page: 'home', name: 'intro', markdown: TRACES.markdown }],
    textVersionsSaved: [{ page: 'home', name: 'intro', markdown: TRACES.markdown }],
    consentsRecorded: [{ orgid: orgId, revokedTimestamp: null }],
    pledges: [{ name: TRACES.name, amount: 100, status: 'received' }],
  });
  const { offsetters, checkouts, receipts, ledgerEntries } = response.json();
  expect([offsetters, checkouts, receipts, ledgerEntries].map(({ length }) => length)).toEqual([2, 2, 2, 3]);
  expect(checkouts[0]).toMatchObject({ total: 25, providerCustomerId: TRACES.customerId });
});

test('a download shows where the user’s own gifts went, but not gifts that the user recorded as an editor', async () => {
  const orgId = await addOrg(db);
  const user = await signIn(deps, { editorOf: [orgId] });
  const { ledgerEntryId } = await addGift(db, orgId, { user_id: user.userId, email: user.email });
  const entry = { orgId, actorId: user.userId, amount: 10_000, carbon: 0, currency: 'usd', occurredAt: new Date() };
  await inTransaction(db, (tx) => postEntry(tx, { ...entry, kind: 'check', fact: `check:${ledgerEntryId}` }));
  const { giftHomes, ledgerEntries } = (await download(user, user.userId)).json();
  expect(ledgerEntries).toHaveLength(2);
  expect(giftHomes).toMatchObject([
    { entryId: ledgerEntryId, orgId, gift: { paid: 25, unallocatedDollars: 25, homes: [] } },
  ]);
});

test('a download has no data about anyone else', async () => {
  const orgId = await addOrg(db);
  const [user, otherUser] = [await signIn(deps), await signIn(deps, { email: 'ottilie@example.org' })];
  await addGift(db, orgId, { user_id: otherUser.userId, email: otherUser.email });
  await addTraces(db, await addOrg(db), otherUser);
  const { body } = await download(user, user.userId);
  for (const otherUserText of [otherUser.userId, otherUser.email, TRACES.name])
    expect(body).not.toContain(otherUserText);
});

test('a download has the IP addresses of the user and of failed logins but not of editors', async () => {
  const edith = await signIn(deps, { editorOf: [await addOrg(db)] });
  const user = await signIn(deps);
  const addActivity = (actorId: string | null, kind: string, client: string) =>
    db.kysely
      .insertInto('activities')
      .values({
        kind,
        verb: 'done',
        is_automated: false,
        actor_id: actorId,
        affected_user_id: user.userId,
        ip_address: client,
      })
      .execute();
  await addActivity(user.userId, 'export', '203.0.113.1');
  await addActivity(null, 'login-failed', '203.0.113.2');
  await addActivity(edith.userId, 'role', '203.0.113.3');
  const { activity } = (await download(user, user.userId)).json<{ activity: { client: string | null }[] }>();
  expect(activity.slice(-3).map(({ client }) => client)).toEqual(['203.0.113.1', '203.0.113.2', null]);
});

test('an unverified user’s download contains only the account, not the address’s gifts', async () => {
  const orgId = await addOrg(db);
  const eve = await signIn(deps, { email: 'victim@example.org', verified: false });
  const { checkoutId } = await addGift(db, orgId, { email: 'victim@example.org' });
  await addGift(db, orgId, { email: '' });
  const response = await download(eve, eve.userId);
  expect(response.json()).toMatchObject({
    account: { email: eve.email },
    checkouts: [],
    receipts: [],
    ledgerEntries: [],
  });
  expect(response.body).not.toContain(checkoutId);
});

test('only the user can download their data', async () => {
  const [admin, userId] = [await signIn(deps, { admin: true }), await addUser(db)];
  expect(readOutcome(await download(admin, userId))).toEqual([403, 'forbidden']);
  expect(readOutcome(await download(undefined, userId))).toEqual([401, 'login-required']);
});
