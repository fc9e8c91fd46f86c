// @spec 2.org-settings decisions.3
import { expect, test } from 'vitest';
import type { ResponseBody } from '#contract/schemas.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { postEntry } from '#server/features/ledger/post-entry.ts';
import { verifyLedger } from '#server/features/ledger/verify-ledger.ts';
import { buildTestApp, testDeps } from '#test/support/build-app.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { addPledge } from '#test/support/builders/pledge.ts';
import { addStory } from '#test/support/builders/story.ts';
import { call } from '#test/support/call.ts';
import { testDatabase } from '#test/support/database.ts';
import { type SignedInPerson, signIn } from '#test/support/sign-in.ts';

const db = await testDatabase();
const deps = await testDeps(db);
const app = await buildTestApp(deps);

type Settings = ResponseBody<'readOrgSettings'>;
const edit = (as: SignedInPerson, orgid: string, body: object) => call(app, 'editOrg', { params: { orgid }, as, body });
const settings = async (as: SignedInPerson, orgid: string) =>
  (await call(app, 'readOrgSettings', { params: { orgid }, as })).json<Settings>();

let gifts = 0;
const give = async (orgId: string, amount: number) => {
  const pledgeId = await addPledge(db, orgId, { amount_cents: amount, status: 'received', received_cents: amount });
  return inTransaction(db, (tx) => {
    gifts += 1;
    const entry = { orgId, amount, carbon: 0, currency: 'usd', occurredAt: new Date('2026-03-14T09:30:00Z') };
    return postEntry(tx, { ...entry, pledgeId, kind: 'check', fact: `gift-${gifts}` });
  });
};

async function orgWithEditor() {
  const orgid = await addOrg(db);
  return { orgid, edith: await signIn(deps, { name: 'Edith', editorOf: [orgid] }) };
}

test('setting the stats posts the difference with who, when, and why', async () => {
  const { orgid, edith } = await orgWithEditor();
  await addStory(db, 'awardees', orgid);
  await give(orgid, 2500);
  const stats = { co2: 2000.5, gas: 100, funds: 20.01, grants: 4 };
  const response = await edit(edith, orgid, { stats, reason: ' Gifts at the fair ' });
  expect(response.json()).toMatchObject({ stats });
  const { adjustments } = await settings(edith, orgid);
  expect(adjustments).toMatchObject([
    { change: { co2: 2000.5, gas: 100, funds: -4.99, grants: 3 }, reason: 'Gifts at the fair', by: 'Edith' },
  ]);
  expect(adjustments[0]?.createdTimestamp).toBe(response.json().statsUpdatedTimestamp);
  const row = await db.kysely
    .selectFrom('ledger_entries')
    .selectAll()
    .where('org_id', '=', orgid)
    .where('kind', '=', 'adjustment')
    .executeTakeFirstOrThrow();
  expect(row).toMatchObject({ amount_cents: -499, carbon: 20_005_000, grants: 3, actor_id: edith.userId });
  expect(await verifyLedger(db)).toEqual([]);
});

test('unchanged stats post no adjustment, and a missing reason gets the fixed text', async () => {
  const { orgid, edith } = await orgWithEditor();
  await give(orgid, 2500);
  await edit(edith, orgid, { stats: { funds: 25, grants: 0 }, reason: 'The same' });
  expect((await settings(edith, orgid)).adjustments).toEqual([]);
  await edit(edith, orgid, { stats: { funds: 26 } });
  expect((await settings(edith, orgid)).adjustments).toMatchObject([{ reason: 'No reason was given.' }]);
  expect(await verifyLedger(db)).toEqual([]);
});

test('two editors setting the same stats simultaneously add the difference once', async () => {
  for (let round = 0; round < 5; round += 1) {
    const { orgid, edith } = await orgWithEditor();
    const otherEditor = await signIn(deps, { editorOf: [orgid] });
    if (round % 2 === 0) await give(orgid, 1000);
    const responses = await Promise.all(
      [edith, otherEditor, edith, otherEditor].map((as) => edit(as, orgid, { stats: { funds: 150, co2: 10 } })),
    );
    expect(responses.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200]);
    const { stats, adjustments } = await settings(edith, orgid);
    expect(stats).toMatchObject({ funds: 150, co2: 10 });
    expect(adjustments).toHaveLength(1);
  }
  expect(await verifyLedger(db)).toEqual([]);
});

test('gifts during an adjustment are neither lost nor counted twice', async () => {
  const { orgid, edith } = await orgWithEditor();
  await give(orgid, 100);
  await Promise.all([
    ...Array.from({ length: 10 }, () => give(orgid, 100)),
    edit(edith, orgid, { stats: { funds: 50 } }),
  ]);
  const { stats, adjustments } = await settings(edith, orgid);
  // The 50 include the gifts before the correction; later gifts are added to it.
  const initialFunds = 50 - (adjustments[0]?.change.funds ?? 0);
  expect(stats.funds).toBe(50 + (11 - initialFunds));
  expect(await verifyLedger(db)).toEqual([]);
});

test('stats that changed since they were read aren’t set', async () => {
  const { orgid, edith } = await orgWithEditor();
  await give(orgid, 2500);
  const response = await edit(edith, orgid, { name: 'Other', stats: { funds: 30 }, statsSeen: { funds: 20 } });
  expect(response.json()).toMatchObject({ status: 409, code: 'stats-moved', field: 'stats' });
  const finalStats = await settings(edith, orgid);
  expect([finalStats.name, finalStats.stats.funds, finalStats.adjustments]).toEqual(['Ithaca Climate Fund', 25, []]);
  const now = await edit(edith, orgid, { stats: { funds: 30 }, statsSeen: { funds: 25, co2: 0 } });
  expect(now.json()).toMatchObject({ stats: { funds: 30 } });
});

test('the last ten adjustments are listed, without a name after the account is deleted', async () => {
  const { orgid, edith } = await orgWithEditor();
  const removedEditor = await signIn(deps, { name: 'Gone', editorOf: [orgid] });
  for (let grants = 1; grants <= 10; grants += 1) await edit(edith, orgid, { stats: { grants } });
  await edit(removedEditor, orgid, { stats: { grants: 20 } });
  await db.kysely.deleteFrom('users').where('id', '=', removedEditor.userId).execute();
  const { adjustments } = await settings(edith, orgid);
  expect(adjustments).toHaveLength(10);
  expect(adjustments[0]).toMatchObject({ by: null, change: { grants: 10 } });
  expect(adjustments[1]).toMatchObject({ by: 'Edith', change: { grants: 1 } });
});
