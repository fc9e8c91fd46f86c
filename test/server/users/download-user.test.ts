// @spec decisions.4
import { expect, test } from 'vitest';
import { inTransaction } from '#server/db/transaction.ts';
import { postEntry } from '#server/features/ledger/post-entry.ts';
import { buildTestApp, testDeps } from '#test/support/build-app.ts';
import { addGift } from '#test/support/builders/gift.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { addUser } from '#test/support/builders/user.ts';
import { call, outcomeOf } from '#test/support/call.ts';
import { testDatabase } from '#test/support/database.ts';
import { plantTraces, TRACES } from '#test/support/person-traces.ts';
import { type SignedInPerson, signIn } from '#test/support/sign-in.ts';

const db = await testDatabase();
const deps = await testDeps(db);
const app = await buildTestApp(deps);

const download = (as: SignedInPerson | undefined, userid: string) =>
  call(app, 'downloadUser', { params: { userid }, as });

test('a download has everything stored about the user, but no password or session key', async () => {
  const orgId = await addOrg(db);
  const me = await signIn(deps, { email: 'trudi@example.org' });
  await plantTraces(db, orgId, me);
  const response = await download(me, me.userId);
  const { passwordHash, ...told } = TRACES;
  for (const trace of Object.values(told)) expect(response.body).toContain(trace);
  expect(response.body).not.toContain(passwordHash);
  expect(response.body).not.toContain('hash-of-');
  expect(response.json()).toMatchObject({
    account: { id: me.userId, email: me.email, emailVerified: true },
    waysOfSigningIn: [{ provider: 'google' }, { provider: 'credential' }],
    sessions: [{ ipAddress: TRACES.ipAddress }],
    emailCodes: [{ purpose: 'sign-in', email: me.email }],
    roles: [{ orgid: orgId, role: 'editor', displayName: TRACES.name }],
    invitationsReceived: [{ orgid: orgId, email: me.email, role: 'editor' }],
    invitationsMade: [{ orgid: orgId }],
    textsSaved: [{ page: 'home', name: 'intro', markdown: TRACES.markdown }],
    textVersionsSaved: [{ page: 'home', name: 'intro', markdown: TRACES.markdown }],
    consentsRecorded: [{ orgid: orgId, revokedTimestamp: null }],
    pledges: [{ name: TRACES.name, amount: 100, status: 'received' }],
  });
  const { offsetters, checkouts, receipts, ledgerEntries } = response.json();
  expect([offsetters, checkouts, receipts, ledgerEntries].map(({ length }) => length)).toEqual([2, 2, 2, 3]);
  expect(checkouts[0]).toMatchObject({ total: 25, providerCustomerId: TRACES.customer });
});

test('a download shows where own gifts went, but not others recorded by the user as an editor', async () => {
  const orgId = await addOrg(db);
  const me = await signIn(deps, { editorOf: [orgId] });
  const { ledgerEntryId } = await addGift(db, orgId, { user_id: me.userId, email: me.email });
  const entry = { orgId, actorId: me.userId, amount: 10_000, carbon: 0, currency: 'usd', occurredAt: new Date() };
  await inTransaction(db, (tx) => postEntry(tx, { ...entry, kind: 'check', fact: `check:${ledgerEntryId}` }));
  const { giftHomes, ledgerEntries } = (await download(me, me.userId)).json();
  expect(ledgerEntries).toHaveLength(2);
  expect(giftHomes).toMatchObject([{ entryId: ledgerEntryId, orgId, gift: { paid: 25, waiting: 25, homes: [] } }]);
});

test('a download has no data about anyone else', async () => {
  const orgId = await addOrg(db);
  const [me, otherUser] = [await signIn(deps), await signIn(deps, { email: 'ottilie@example.org' })];
  await addGift(db, orgId, { user_id: otherUser.userId, email: otherUser.email });
  await plantTraces(db, await addOrg(db), otherUser);
  const { body } = await download(me, me.userId);
  for (const theirs of [otherUser.userId, otherUser.email, TRACES.name]) expect(body).not.toContain(theirs);
});

test('a download says from where the user acted and others tried, but not where editors are', async () => {
  const edith = await signIn(deps, { editorOf: [await addOrg(db)] });
  const me = await signIn(deps);
  const did = (actorId: string | null, kind: string, client: string) =>
    db.kysely
      .insertInto('activities')
      .values({
        kind,
        verb: 'done',
        by_program: false,
        actor_id: actorId,
        affected_user_id: me.userId,
        ip_address: client,
      })
      .execute();
  await did(me.userId, 'export', '203.0.113.1');
  await did(null, 'login-failed', '203.0.113.2');
  await did(edith.userId, 'role', '203.0.113.3');
  const { activity } = (await download(me, me.userId)).json<{ activity: { client: string | null }[] }>();
  expect(activity.slice(-3).map(({ client }) => client)).toEqual(['203.0.113.1', '203.0.113.2', null]);
});

test('an unverified user downloads only the account, and no gifts of the address', async () => {
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

test('only the user can download it', async () => {
  const [admin, me] = [await signIn(deps, { admin: true }), await addUser(db)];
  expect(outcomeOf(await download(admin, me))).toEqual([403, 'forbidden']);
  expect(outcomeOf(await download(undefined, me))).toEqual([401, 'login-required']);
});
