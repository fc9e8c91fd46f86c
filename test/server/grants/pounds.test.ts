import { expect, test } from 'vitest';
import type { PublicPounds } from '#contract/schemas/grants.ts';
import type { Org } from '#contract/schemas/orgs.ts';
import { providerPaymentLines } from '#domain/books.ts';
import type { GrantField, Measure } from '#domain/grant.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { postEntry } from '#server/features/ledger/post-entry.ts';
import { buildTestApp, createTestDeps } from '#test/support/build-app.ts';
import { addGrant } from '#test/support/builders/grant.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { addStory } from '#test/support/builders/story.ts';
import { call } from '#test/support/call.ts';
import { createTestClock } from '#test/support/clock.ts';
import { createTestDatabase } from '#test/support/database.ts';

const db = await createTestDatabase();
const clock = createTestClock();
const deps = await createTestDeps(db, { now: clock.now });
const app = await buildTestApp(deps);
let giftCount = 0;

/** Adds a gift of $100 per 8,000 pounds. */
function addGift(orgId: string, pounds: number, on = '2026-02-01') {
  giftCount += 1;
  const [cents, carbon] = [Math.round(pounds * 1.25), pounds * 10_000];
  const entry = { orgId, fact: `test:gift-${giftCount}`, amount: cents, carbon, currency: 'usd' };
  const posting = { occurredAt: new Date(`${on}T12:00:00Z`), lines: providerPaymentLines(cents) };
  return inTransaction(db, (tx) => postEntry(tx, { ...entry, ...posting, kind: 'payment' }));
}

type GrantFacts = {
  readonly publicFields?: readonly GrantField[];
  readonly measures?: readonly Measure[];
  readonly done_on?: string;
};
type PaidGrant = Parameters<typeof addGrant>[2] & GrantFacts;

/** Adds a $1,500 grant that saves 28,080 pounds in 20 years. */
async function addPaidGrant(
  orgId: string,
  { publicFields = [], measures = ['attic-insulation'], done_on, ...grant }: PaidGrant = {},
) {
  const id = await addGrant(db, orgId, { stage: 'paid', ...grant });
  const grantColumns = {
    published_fields: [...publicFields],
    measures: [...measures],
    ...(done_on === undefined ? {} : { done_on }),
  };
  await db.kysely.updateTable('grants').set(grantColumns).where('id', '=', id).execute();
  return id;
}

const readPounds = async (orgId: string) =>
  (await call(app, 'readPounds', { params: { orgid: orgId } })).json<PublicPounds>();
const PUBLIC_FIELDS = ['amount', 'measures', 'savings'] as const;

test('without grants, everything sold is unassigned, and the default lifetime is used', async () => {
  const orgId = await addOrg(db);
  await addGift(orgId, 8000);
  expect(await readPounds(orgId)).toMatchObject({
    grants: 0,
    homes: 0,
    measures: [],
    savingYears: 20,
    totals: {
      soldPounds: 8000,
      unallocatedPounds: 8000,
      backedPounds: 0,
      shortfallPounds: 0,
      grantedPounds: 0,
      deliveredPounds: 0,
      remainingPounds: 0,
      unfinishedPounds: 0,
    },
    years: [{ year: 2026, soldPounds: 8000, unallocatedPounds: 8000 }],
    money: { gifts: 100, fees: 0, disputed: 0, paid: 0, remaining: 100, promised: 0, available: 100, perTon: null },
  });
});

test('the page shows visitors the pounds sold, granted, and saved, to four decimals', async () => {
  const orgId = await addOrg(db);
  await addGift(orgId, 160_000, '2025-02-01');
  await addPaidGrant(orgId, { publicFields: PUBLIC_FIELDS, done_on: '2026-01-01', stageDate: '2026-01-10' });
  const { asOf, totals, years, money, measures, homes } = await readPounds(orgId);
  expect({ asOf, homes }).toEqual({ asOf: '2026-03-14', homes: 1 });
  // $1,500 of $2,000 was granted, so three quarters of the pounds are backed.
  expect(totals).toMatchObject({
    soldPounds: 160_000,
    backedPounds: 28_080,
    shortfallPounds: 91_920,
    unallocatedPounds: 40_000,
    grantedPounds: 28_080,
  });
  // 72 of 7,305 days.
  expect(totals).toMatchObject({
    deliveredPounds: 276.7638,
    remainingPounds: 27_803.2362,
    unfinishedPounds: 0,
    surplusPounds: 0,
  });
  expect(years.map(({ year }) => year)).toEqual(Array.from({ length: 21 }, (_, index) => 2025 + index));
  expect(years.slice(0, 2)).toMatchObject([
    { year: 2025, soldPounds: 160_000, grantedPounds: 0 },
    { year: 2026, soldPounds: 0, grantedPounds: 28_080, deliveredPounds: 276.7638 },
  ]);
  expect(measures).toEqual([{ measure: 'attic-insulation', grants: 1, paid: 1500, pounds: 28_080 }]);
  expect(money).toMatchObject({ gifts: 2000, paid: 1500, remaining: 500, perTon: 106.84 });
});

test('amounts that would reveal one home’s grant are hidden, and can’t be inferred from other numbers', async () => {
  const orgId = await addOrg(db);
  await addGift(orgId, 800_000);
  await addPaidGrant(orgId, { publicFields: ['amount', 'savings'] });
  await addPaidGrant(orgId, { publicFields: PUBLIC_FIELDS });
  const { money, measures } = await readPounds(orgId);
  expect(measures).toEqual([]);
  expect(money).toEqual({
    gifts: 10_000,
    fees: 0,
    disputed: 0,
    paid: null,
    remaining: null,
    promised: null,
    available: null,
    perTon: null,
  });
});

test('three homes that didn’t consent appear only as a combined total', async () => {
  const orgId = await addOrg(db);
  await addGift(orgId, 800_000);
  await addPaidGrant(orgId, { measures: ['heat-pump'] });
  for (const _ of [1, 2, 3]) await addPaidGrant(orgId);
  await addPaidGrant(orgId, { publicFields: PUBLIC_FIELDS, measures: ['air-sealing'] });
  const { measures } = await readPounds(orgId);
  expect(measures).toEqual([
    { measure: 'air-sealing', grants: 1, paid: 1500, pounds: 28_080 },
    { measure: 'few', grants: 4, paid: 6000, pounds: 112_320 },
  ]);
});

test('the organization and the page state the same savings lifetime', async () => {
  const orgId = await addOrg(db);
  const readSavingYears = async () =>
    (await call(app, 'readOrg', { params: { orgid: orgId } })).json<Org>().savingYears;
  expect(await readSavingYears()).toBe(20);
  const [id, appliedGrant] = [await addPaidGrant(orgId), await addGrant(db, orgId)];
  await db.kysely.updateTable('grants').set({ years: 13 }).where('id', '=', id).execute();
  await db.kysely.updateTable('grants').set({ years: 60 }).where('id', '=', appliedGrant).execute();
  expect([await readSavingYears(), (await readPounds(orgId)).savingYears]).toEqual([13, 13]);
});

test('a household with a hidden page counts as not having agreed', async () => {
  const orgId = await addOrg(db);
  await addGift(orgId, 800_000);
  await addPaidGrant(orgId, { publicFields: PUBLIC_FIELDS });
  expect((await readPounds(orgId)).money.paid).toBe(1500);
  await db.kysely.updateTable('awardees').set({ status: 'hidden' }).where('org_id', '=', orgId).execute();
  expect(await readPounds(orgId)).toMatchObject({ measures: [], money: { paid: null } });
});

test('money promised to one home can’t be distinguished from available money', async () => {
  const orgId = await addOrg(db);
  await addGift(orgId, 800_000);
  await addGrant(db, orgId, { stage: 'promised' });
  expect((await readPounds(orgId)).money).toMatchObject({
    paid: 0,
    remaining: 10_000,
    promised: null,
    available: null,
  });
});

test('a home paid twice counts as two grants of one home', async () => {
  const orgId = await addOrg(db);
  const awardeeId = await addStory(db, 'awardees', orgId);
  await addPaidGrant(orgId, { awardeeId });
  await addPaidGrant(orgId, { awardeeId });
  expect(await readPounds(orgId)).toMatchObject({ grants: 2, homes: 1, money: { paid: null } });
});

test('the CSV has a row for each year and measure, and one for all', async () => {
  const orgId = await addOrg(db);
  await addGift(orgId, 8000);
  await addPaidGrant(orgId, { publicFields: PUBLIC_FIELDS, stageDate: '2026-03-01' });
  const response = await call(app, 'downloadPounds', { params: { orgid: orgId } });
  expect(response.headers).toMatchObject({
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': expect.stringContaining('every-pound_2026-03-14.csv'),
  });
  expect(response.body.split('\r\n')).toEqual([
    'Row,Year or measure,Sold (lb),Assigned to a home (lb),Behind (lb),Not yet assigned (lb),Granted (lb),Delivered (lb),Still to come (lb),Work not done (lb),Paid ($),Grants',
    'Year,2026,8000.0000,1872.0000,6128.0000,0.0000,28080.0000,0.0000,0.0000,,,',
    'Measure,attic-insulation,,,,,28080.0000,,,,1500.00,1',
    'All,2026-03-14,8000.0000,1872.0000,6128.0000,0.0000,28080.0000,0.0000,0.0000,28080.0000,1500.00,1',
    '',
  ]);
});

test('one private home’s unfinished work can’t be read from the JSON or the CSV, or computed from them', async () => {
  const orgId = await addOrg(db);
  await addGift(orgId, 800_000);
  await addPaidGrant(orgId, { publicFields: PUBLIC_FIELDS, done_on: '2026-01-01' });
  await addPaidGrant(orgId, { publicFields: ['measures', 'savings'] });
  const { totals, years } = await readPounds(orgId);
  expect(totals).toMatchObject({ grantedPounds: 56_160, unfinishedPounds: null });
  expect(totals.deliveredPounds + totals.remainingPounds).toBe(56_160);
  expect(years.map(({ year, remainingPounds }) => [year, remainingPounds])).toEqual([[2026, null]]);
  const { body } = await call(app, 'downloadPounds', { params: { orgid: orgId } });
  const rows = body.split('\r\n').map((row) => row.split(','));
  const readColumn = (heading: string) => rows.slice(1, -1).map((row) => row[rows[0]?.indexOf(heading) ?? -1]);
  expect(readColumn('Still to come (lb)')).toEqual(['', `${totals.remainingPounds}`]);
  expect(readColumn('Work not done (lb)')).toEqual(['', '']);
});

test('reading the pounds of an unknown organization returns a 404', async () => {
  expect((await call(app, 'readPounds', { params: { orgid: 'nowhere' } })).statusCode).toBe(404);
});
