// @spec 3.org 7.org decisions.2 decisions.3 decisions.4
import { expect, test } from 'vitest';
import { org as orgSchema } from '#contract/schemas/orgs.ts';
import { displayedStats } from '#domain/org.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { type NewEntry, postEntry } from '#server/features/ledger/post-entry.ts';
import { buildTestApp, createTestDeps } from '#test/support/build-app.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { addStory } from '#test/support/builders/story.ts';
import { createTestDatabase } from '#test/support/database.ts';

const db = await createTestDatabase();
const app = await buildTestApp(await createTestDeps(db));
const CREATED = new Date('2026-03-14T09:30:00.125Z');

async function readOrg(id: string) {
  const response = await app.inject(`/api/orgs/${id}`);
  expect(response.statusCode).toBe(200);
  // A strict schema, so that an unknown field fails the test.
  return orgSchema.strict().parse(response.json());
}

let factCount = 0;
function postTestEntry(entry: Pick<NewEntry, 'orgId' | 'kind' | 'amount' | 'carbon'> & Partial<NewEntry>) {
  factCount += 1;
  const gift = { fact: `fact-${factCount}`, currency: 'usd', occurredAt: CREATED, ...entry };
  return inTransaction(db, (tx) => postEntry(tx, gift));
}

test("an organization's response has exactly the public fields", async () => {
  const id = await addOrg(db, {
    slug: 'ithaca',
    photo: JSON.stringify({ key: 'k'.repeat(22), width: 1600, height: 900, widths: [320, 1600] }),
    no_awardees: true,
    takes_applications: false,
    is_sample: true,
    review_stories: true,
    created_at: CREATED,
    stats_updated_at: CREATED,
  });
  const zeroStats = { co2: 0, gas: 0, funds: 0, grants: 0 };
  const widestUrl = `/media/${'k'.repeat(22)}/1600.webp`;
  expect(await readOrg(id)).toEqual({
    id,
    slug: 'ithaca',
    name: 'Ithaca Climate Fund',
    tag: 'Warm homes, cooler planet',
    photoURL: widestUrl,
    photo: {
      url: widestUrl,
      width: 1600,
      height: 900,
      sources: [
        { url: `/media/${'k'.repeat(22)}/320.webp`, width: 320 },
        { url: widestUrl, width: 1600 },
      ],
    },
    stats: zeroStats,
    statsDelta: zeroStats,
    version: 1,
    statsUpdatedTimestamp: '2026-03-14T09:30:00.125Z',
    noAwardees: true,
    takesApplications: false,
    timeZone: 'America/New_York',
    place: '',
    homeCity: null,
    typicalGrant: null,
    savingYears: 20,
    isSample: true,
    createdTimestamp: '2026-03-14T09:30:00.125Z',
  });
});

test('an organization without a photo has null', async () => {
  expect(await readOrg(await addOrg(db))).toMatchObject({ photoURL: null, photo: null });
});

test('the stats are the ledger’s sum plus published awardees', async () => {
  const id = await addOrg(db);
  await postTestEntry({ orgId: id, kind: 'payment', amount: 4830, carbon: 38_640_000 });
  await postTestEntry({ orgId: id, kind: 'check', amount: 2500, carbon: 0 });
  await postTestEntry({ orgId: id, kind: 'refund', amount: -1, carbon: -1 });
  await addStory(db, 'awardees', id);
  await addStory(db, 'awardees', id, { status: 'draft' });
  await addStory(db, 'installers', id);
  // 3,863.9999 lb at 102 gallons per 2,000 lb.
  expect((await readOrg(id)).stats).toEqual({ co2: 3863.9999, gas: 197.064, funds: 73.29, grants: 1 });
});

test("the editors' correction is sent next to the stats", async () => {
  const delta = { delta_carbon: -15_000, delta_gas: 5000, delta_cents: 12_345, delta_grants: -1 };
  const id = await addOrg(db, delta);
  await postTestEntry({ orgId: id, kind: 'payment', amount: 2500, carbon: 20_000_000 });
  await addStory(db, 'awardees', id);
  const { stats, statsDelta } = await readOrg(id);
  expect(stats).toEqual({ co2: 2000, gas: 102, funds: 25, grants: 1 });
  expect(statsDelta).toEqual({ co2: -1.5, gas: 0.5, funds: 123.45, grants: -1 });
  expect(displayedStats(stats, statsDelta)).toEqual({ co2: 1998.5, gas: 102.5, funds: 148.45, grants: 0 });
});

test("another organization's gifts and awardees don’t count", async () => {
  const [orgId, otherOrgId] = [await addOrg(db), await addOrg(db)];
  await postTestEntry({ orgId: otherOrgId, kind: 'payment', amount: 2500, carbon: 20_000_000 });
  await addStory(db, 'awardees', otherOrgId);
  expect((await readOrg(orgId)).stats).toEqual({ co2: 0, gas: 0, funds: 0, grants: 0 });
});

test('the stats timestamp changes only with the stats', async () => {
  const id = await addOrg(db, { stats_updated_at: CREATED });
  const changes: readonly [string, moves: boolean, change: () => Promise<unknown>][] = [
    ['a gift', true, () => postTestEntry({ orgId: id, kind: 'payment', amount: 2500, carbon: 20_000_000 })],
    ['a fee', false, () => postTestEntry({ orgId: id, kind: 'fee', amount: 0, carbon: 0 })],
    ['a refund', true, () => postTestEntry({ orgId: id, kind: 'refund', amount: -1, carbon: -1 })],
    ['a draft', false, () => addStory(db, 'awardees', id, { id: `${id}-a`, status: 'draft' })],
    ['an awardee', true, () => updateAwardee({ status: 'published' })],
    ['a new text', false, () => updateAwardee({ story: 'Warm at last, and with new windows.' })],
    ['an awardee who is hidden', true, () => updateAwardee({ status: 'hidden' })],
    ['an installer', false, () => addStory(db, 'installers', id)],
    ['a name', false, () => db.kysely.updateTable('orgs').set({ name: 'Fund' }).where('id', '=', id).execute()],
  ];
  const updateAwardee = (change: { status?: 'published' | 'hidden'; story?: string }) =>
    db.kysely.updateTable('awardees').set(change).where('id', '=', `${id}-a`).execute();
  for (const [title, changesTimestamp, change] of changes) {
    await db.kysely.updateTable('org_versions').set({ stats_changed_at: null }).where('org_id', '=', id).execute();
    await change();
    const { statsUpdatedTimestamp } = await readOrg(id);
    expect(statsUpdatedTimestamp !== CREATED.toISOString(), title).toBe(changesTimestamp);
  }
});

test('an unknown organization is not found', async () => {
  const response = await app.inject('/api/orgs/nobody');
  expect([response.statusCode, response.json().code]).toEqual([404, 'org-not-found']);
});
