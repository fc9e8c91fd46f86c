// @spec 2.org-settings decisions.3
import { expect, test } from 'vitest';
import type { ResponseBody } from '#contract/schemas.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { postEntry } from '#server/features/ledger/post-entry.ts';
import { verifyLedger } from '#server/features/ledger/verify-ledger.ts';
import { buildTestApp, createTestDeps } from '#test/support/build-app.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { addPledge } from '#test/support/builders/pledge.ts';
import { addStory } from '#test/support/builders/story.ts';
import { call } from '#test/support/call.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { type SignedInPerson, signIn } from '#test/support/sign-in.ts';

const db = await createTestDatabase();
const deps = await createTestDeps(db);
const app = await buildTestApp(deps);

type Settings = ResponseBody<'readOrgSettings'>;
const editOrg = (as: SignedInPerson, orgId: string, body: object) =>
  call(app, 'editOrg', { params: { orgid: orgId }, as, body });
const readSettings = async (as: SignedInPerson, orgId: string) =>
  (await call(app, 'readOrgSettings', { params: { orgid: orgId }, as })).json<Settings>();

let giftCount = 0;
const addCheck = async (orgId: string, amount: number) => {
  const pledgeId = await addPledge(db, orgId, { amount_cents: amount, status: 'received', received_cents: amount });
  return inTransaction(db, (tx) => {
    giftCount += 1;
    const entry = { orgId, amount, carbon: 0, currency: 'usd', occurredAt: new Date('2026-03-14T09:30:00Z') };
    return postEntry(tx, { ...entry, pledgeId, kind: 'check', fact: `gift-${giftCount}` });
  });
};

async function createOrgWithEditor() {
  const orgId = await addOrg(db);
  return { orgId, edith: await signIn(deps, { name: 'Edith', editorOf: [orgId] }) };
}

test('setting the stats posts the difference with author, time, and reason', async () => {
  const { orgId, edith } = await createOrgWithEditor();
  await addStory(db, 'awardees', orgId);
  await addCheck(orgId, 2500);
  const stats = { co2: 2000.5, gas: 100, funds: 20.01, grants: 4 };
  const response = await editOrg(edith, orgId, { stats, reason: ' Gifts at the fair ' });
  expect(response.json()).toMatchObject({ stats });
  const { adjustments } = await readSettings(edith, orgId);
  expect(adjustments).toMatchObject([
    { change: { co2: 2000.5, gas: 100, funds: -4.99, grants: 3 }, reason: 'Gifts at the fair', by: 'Edith' },
  ]);
  expect(adjustments[0]?.createdTimestamp).toBe(response.json().statsUpdatedTimestamp);
  const row = await db.kysely
    .selectFrom('ledger_entries')
    .selectAll()
    .where('org_id', '=', orgId)
    .where('kind', '=', 'adjustment')
    .executeTakeFirstOrThrow();
  expect(row).toMatchObject({ amount_cents: -499, carbon: 20_005_000, grants: 3, actor_id: edith.userId });
  expect(await verifyLedger(db)).toEqual([]);
});

test('unchanged stats post no adjustment, and a missing reason is replaced with the fixed text', async () => {
  const { orgId, edith } = await createOrgWithEditor();
  await addCheck(orgId, 2500);
  await editOrg(edith, orgId, { stats: { funds: 25, grants: 0 }, reason: 'The same' });
  expect((await readSettings(edith, orgId)).adjustments).toEqual([]);
  await editOrg(edith, orgId, { stats: { funds: 26 } });
  expect((await readSettings(edith, orgId)).adjustments).toMatchObject([{ reason: 'No reason was given.' }]);
  expect(await verifyLedger(db)).toEqual([]);
});

test('two editors setting the same stats simultaneously add the difference once', async () => {
  for (let round = 0; round < 5; round += 1) {
    const { orgId, edith } = await createOrgWithEditor();
    const otherEditor = await signIn(deps, { editorOf: [orgId] });
    if (round % 2 === 0) await addCheck(orgId, 1000);
    const responses = await Promise.all(
      [edith, otherEditor, edith, otherEditor].map((as) => editOrg(as, orgId, { stats: { funds: 150, co2: 10 } })),
    );
    expect(responses.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200]);
    const { stats, adjustments } = await readSettings(edith, orgId);
    expect(stats).toMatchObject({ funds: 150, co2: 10 });
    expect(adjustments).toHaveLength(1);
  }
  expect(await verifyLedger(db)).toEqual([]);
});

test('gifts during an adjustment are neither lost nor counted twice', async () => {
  const { orgId, edith } = await createOrgWithEditor();
  await addCheck(orgId, 100);
  await Promise.all([
    ...Array.from({ length: 10 }, () => addCheck(orgId, 100)),
    editOrg(edith, orgId, { stats: { funds: 50 } }),
  ]);
  const { stats, adjustments } = await readSettings(edith, orgId);
  // The corrected total of 50 includes the gifts before the correction; later gifts are added to it.
  const initialFunds = 50 - (adjustments[0]?.change.funds ?? 0);
  expect(stats.funds).toBe(50 + (11 - initialFunds));
  expect(await verifyLedger(db)).toEqual([]);
});

test('stats that changed since they were read aren’t set', async () => {
  const { orgId, edith } = await createOrgWithEditor();
  await addCheck(orgId, 2500);
  const response = await editOrg(edith, orgId, { name: 'Other', stats: { funds: 30 }, previousStats: { funds: 20 } });
  expect(response.json()).toMatchObject({ status: 409, code: 'stats-changed', field: 'stats' });
  const finalStats = await readSettings(edith, orgId);
  expect([finalStats.name, finalStats.stats.funds, finalStats.adjustments]).toEqual(['Ithaca Climate Fund', 25, []]);
  const retryResponse = await editOrg(edith, orgId, { stats: { funds: 30 }, previousStats: { funds: 25, co2: 0 } });
  expect(retryResponse.json()).toMatchObject({ stats: { funds: 30 } });
});

test('the last ten adjustments are listed, without a name after the account is deleted', async () => {
  const { orgId, edith } = await createOrgWithEditor();
  const removedEditor = await signIn(deps, { name: 'Gone', editorOf: [orgId] });
  for (let grants = 1; grants <= 10; grants += 1) await editOrg(edith, orgId, { stats: { grants } });
  await editOrg(removedEditor, orgId, { stats: { grants: 20 } });
  await db.kysely.deleteFrom('users').where('id', '=', removedEditor.userId).execute();
  const { adjustments } = await readSettings(edith, orgId);
  expect(adjustments).toHaveLength(10);
  expect(adjustments[0]).toMatchObject({ by: null, change: { grants: 10 } });
  expect(adjustments[1]).toMatchObject({ by: 'Edith', change: { grants: 1 } });
});
