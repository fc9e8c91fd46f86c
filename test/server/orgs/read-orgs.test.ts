// @spec 3.org 7.org decisions.2 decisions.3 decisions.4
import { expect, test } from 'vitest';
import { org as orgSchema } from '#contract/schemas/orgs.ts';
import { displayedStats } from '#domain/org.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { type NewEntry, postEntry } from '#server/features/ledger/post-entry.ts';
import { buildTestApp, testDeps } from '#test/support/build-app.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { addStory } from '#test/support/builders/story.ts';
import { testDatabase } from '#test/support/database.ts';

const db = await testDatabase();
const app = await buildTestApp(await testDeps(db));
const CREATED = new Date('2026-03-14T09:30:00.125Z');

async function read(id: string) {
  const response = await app.inject(`/api/orgs/${id}`);
  expect(response.statusCode).toBe(200);
  // A strict schema, so that an unknown field fails the test.
  return orgSchema.strict().parse(response.json());
}

let facts = 0;
function post(entry: Pick<NewEntry, 'orgId' | 'kind' | 'amount' | 'carbon'> & Partial<NewEntry>) {
  facts += 1;
  const gift = { fact: `fact-${facts}`, currency: 'usd', occurredAt: CREATED, ...entry };
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
  const none = { co2: 0, gas: 0, funds: 0, grants: 0 };
  const widest = `/media/${'k'.repeat(22)}/1600.webp`;
  expect(await read(id)).toEqual({
    id,
    slug: 'ithaca',
    name: 'Ithaca Climate Fund',
    tag: 'Warm homes, cooler planet',
    photoURL: widest,
    photo: {
      url: widest,
      width: 1600,
      height: 900,
      sources: [
        { url: `/media/${'k'.repeat(22)}/320.webp`, width: 320 },
        { url: widest, width: 1600 },
      ],
    },
    stats: none,
    statsDelta: none,
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
  expect(await read(await addOrg(db))).toMatchObject({ photoURL: null, photo: null });
});

test('the stats are the ledger’s sum plus published awardees', async () => {
  const id = await addOrg(db);
  await post({ orgId: id, kind: 'payment', amount: 4830, carbon: 38_640_000 });
  await post({ orgId: id, kind: 'check', amount: 2500, carbon: 0 });
  await post({ orgId: id, kind: 'refund', amount: -1, carbon: -1 });
  await addStory(db, 'awardees', id);
  await addStory(db, 'awardees', id, { status: 'draft' });
  await addStory(db, 'installers', id);
  // 3,863.9999 lb at 102 gallons for 2,000 lb.
  expect((await read(id)).stats).toEqual({ co2: 3863.9999, gas: 197.064, funds: 73.29, grants: 1 });
});

test("the editors' correction is sent next to the stats", async () => {
  const delta = { delta_carbon: -15_000, delta_gas: 5000, delta_cents: 12_345, delta_grants: -1 };
  const id = await addOrg(db, delta);
  await post({ orgId: id, kind: 'payment', amount: 2500, carbon: 20_000_000 });
  await addStory(db, 'awardees', id);
  const { stats, statsDelta } = await read(id);
  expect(stats).toEqual({ co2: 2000, gas: 102, funds: 25, grants: 1 });
  expect(statsDelta).toEqual({ co2: -1.5, gas: 0.5, funds: 123.45, grants: -1 });
  expect(displayedStats(stats, statsDelta)).toEqual({ co2: 1998.5, gas: 102.5, funds: 148.45, grants: 0 });
});

test("another organization's gifts and awardees don’t count", async () => {
  const [ours, theirs] = [await addOrg(db), await addOrg(db)];
  await post({ orgId: theirs, kind: 'payment', amount: 2500, carbon: 20_000_000 });
  await addStory(db, 'awardees', theirs);
  expect((await read(ours)).stats).toEqual({ co2: 0, gas: 0, funds: 0, grants: 0 });
});

test('the stats timestamp changes only with the stats', async () => {
  const id = await addOrg(db, { stats_updated_at: CREATED });
  const changes: readonly [string, moves: boolean, change: () => Promise<unknown>][] = [
    ['a gift', true, () => post({ orgId: id, kind: 'payment', amount: 2500, carbon: 20_000_000 })],
    ['a fee', false, () => post({ orgId: id, kind: 'fee', amount: 0, carbon: 0 })],
    ['a refund', true, () => post({ orgId: id, kind: 'refund', amount: -1, carbon: -1 })],
    ['a draft', false, () => addStory(db, 'awardees', id, { id: `${id}-a`, status: 'draft' })],
    ['an awardee', true, () => awardee({ status: 'published' })],
    ['a new text', false, () => awardee({ story: 'Warm at last, and with new windows.' })],
    ['an awardee who is hidden', true, () => awardee({ status: 'hidden' })],
    ['an installer', false, () => addStory(db, 'installers', id)],
    ['a name', false, () => db.kysely.updateTable('orgs').set({ name: 'Fund' }).where('id', '=', id).execute()],
  ];
  const awardee = (change: { status?: 'published' | 'hidden'; story?: string }) =>
    db.kysely.updateTable('awardees').set(change).where('id', '=', `${id}-a`).execute();
  for (const [what, moves, change] of changes) {
    await db.kysely.updateTable('org_versions').set({ stats_changed_at: null }).where('org_id', '=', id).execute();
    await change();
    const { statsUpdatedTimestamp } = await read(id);
    expect(statsUpdatedTimestamp !== CREATED.toISOString(), what).toBe(moves);
  }
});

test('an unknown organization is not found', async () => {
  const response = await app.inject('/api/orgs/nobody');
  expect([response.statusCode, response.json().code]).toEqual([404, 'org-not-found']);
});
