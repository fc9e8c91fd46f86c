import fc from 'fast-check';
import { expect, test } from 'vitest';
import { allocate, type Fact } from '#domain/allocation.ts';
import { buildCarbonSummary, buildPublicMoney, type PaidGrant, revealsSingleHome } from '#domain/carbon-summary.ts';
import { MEASURES } from '#domain/grant.ts';
import { DEFAULT_LIFETIME_YEARS, delayedSavingsSentence, meanLifetimeYears } from '#domain/saving-years.ts';
import { pickRunCount } from '#test/support/run-count.ts';

const zone = 'America/New_York';
const options = { zone, today: '2026-07-01' };
const YEAR_MS = 31_557_600_000;
const parseTime = (text: string) => Date.parse(text);

type GrantDetails = Partial<Omit<PaidGrant, 'paidAt' | 'share'>>;
const AIR_SEALING: PaidGrant['measures'] = ['air-sealing'];

/** Computes the summary from the facts. @param detailsByGrantId details that differ from the defaults */
function computeSummary(
  facts: readonly Fact[],
  detailsByGrantId: Readonly<Record<string, GrantDetails>> = {},
  today = options.today,
) {
  const factTimes = new Map(facts.map((fact) => [fact.id, new Date(fact.timeMs)]));
  const { gifts, grants } = allocate(facts);
  const factTime = (id: string) => factTimes.get(id) ?? new Date(0);
  return buildCarbonSummary(
    gifts.map((share) => ({ postedAt: factTime(share.giftId), share })),
    grants.map((share) => ({
      paidAt: factTime(share.grantId),
      share,
      homeId: share.grantId,
      measures: AIR_SEALING,
      doneOn: null,
      lifetimeYears: 20,
      isPublic: true,
      ...detailsByGrantId[share.grantId],
    })),
    { zone, today },
  );
}

const gift = (id: string, time: string, cents: number, pounds: number): Fact => ({
  kind: 'gift',
  id,
  timeMs: parseTime(time),
  cents,
  pounds,
});
const grant = (id: string, time: string, cents: number, pounds: number): Fact => ({
  kind: 'grant',
  id,
  timeMs: parseTime(time),
  cents,
  pounds,
});

test('each year shows pounds sold, granted, and saved, in the organization’s time zone', () => {
  const summary = computeSummary(
    [
      // In New York it is still 2024.
      gift('ada', '2025-01-01T04:59:00Z', 10_000, 3000),
      gift('ben', '2025-01-01T05:00:00Z', 5000, 4000),
      grant('okafor', '2025-03-01T12:00:00Z', 12_000, 3652),
    ],
    { okafor: { doneOn: '2025-07-01', lifetimeYears: 2 } },
  );
  const emptyYear = {
    soldPounds: 0,
    backedPounds: 0,
    shortfallPounds: 0,
    unallocatedPounds: 0,
    grantedPounds: 0,
    deliveredPounds: 0,
    remainingPounds: 0,
  };
  expect(summary.years).toEqual([
    { ...emptyYear, year: 2024, soldPounds: 3000, backedPounds: 3000 },
    // 184 of the 730 days are in 2025, 365 in 2026, and 181 in 2027. Half of the current year has passed.
    {
      ...emptyYear,
      year: 2025,
      soldPounds: 4000,
      backedPounds: 652,
      shortfallPounds: 948,
      unallocatedPounds: 2400,
      grantedPounds: 3652,
      deliveredPounds: 920,
    },
    { ...emptyYear, year: 2026, deliveredPounds: 906, remainingPounds: 920 },
    { ...emptyYear, year: 2027, remainingPounds: 906 },
  ]);
  expect(summary).toMatchObject({
    deliveredPounds: 1826,
    remainingPounds: 1826,
    unfinishedPounds: 0,
    grants: 1,
    homes: 1,
  });
  expect(summary.totals).toMatchObject({
    soldPounds: 7000,
    grantedPounds: 3652,
    shortfallPounds: 948,
    unallocatedPounds: 2400,
    surplusPounds: 0,
  });
});

test('no savings are delivered before the work is done, and a year without gifts or grants still has a row', () => {
  const summary = computeSummary([
    gift('ada', '2022-06-01T12:00:00Z', 10_000, 500),
    grant('okafor', '2024-03-01T12:00:00Z', 10_000, 800),
  ]);
  expect(summary.years.map(({ year, soldPounds, grantedPounds }) => [year, soldPounds, grantedPounds])).toEqual([
    [2022, 500, 0],
    [2023, 0, 0],
    [2024, 0, 800],
  ]);
  expect(summary).toMatchObject({ deliveredPounds: 0, remainingPounds: 0, unfinishedPounds: 800 });
});

test('without gifts and grants, there are no years and no cost per ton', () => {
  const summary = computeSummary([]);
  expect(summary).toMatchObject({
    years: [],
    homes: 0,
    paidGrants: { cents: 0, measures: [], centsPerTon: undefined },
  });
});

test('the cost per ton is the amount paid for 2,000 pounds, to the nearest cent', () => {
  const facts = [grant('okafor', '2024-03-01T12:00:00Z', 150_000, 280_800_000)];
  expect(computeSummary(facts).paidGrants).toMatchObject({ cents: 150_000, centsPerTon: 10_684 });
});

const threeGrants = ['a', 'b', 'c'].map((id) => grant(id, '2024-03-01T12:00:00Z', 100, 1000));

test('a grant for several measures has its own row', () => {
  const detailsByGrantId: Record<string, GrantDetails> = {
    a: { measures: ['heat-pump', 'other'] },
    b: { measures: ['heat-pump'] },
  };
  expect(computeSummary(threeGrants, detailsByGrantId).paidGrants?.measures).toEqual([
    { measure: 'air-sealing', grants: 1, cents: 100, pounds: 1000 },
    { measure: 'heat-pump', grants: 1, cents: 100, pounds: 1000 },
    { measure: 'several', grants: 1, cents: 100, pounds: 1000 },
  ]);
});

const HEAT_PUMP_HOME: GrantDetails = { measures: ['heat-pump'] };
const PRIVATE_HOME: GrantDetails = { isPublic: false };

test.each<[string, Record<string, GrantDetails>, readonly [string, number][] | undefined]>([
  ['one private home hides all dollars', { a: PRIVATE_HOME }, undefined],
  [
    'two private homes hide all dollars, because each could infer the other',
    { a: PRIVATE_HOME, b: PRIVATE_HOME },
    undefined,
  ],
  [
    'three private homes: amounts are shown because they don’t reveal a single home',
    { a: PRIVATE_HOME, b: PRIVATE_HOME, c: PRIVATE_HOME },
    [['air-sealing', 3]],
  ],
  [
    'two grants to the same home count as one home',
    { a: PRIVATE_HOME, b: { ...PRIVATE_HOME, homeId: 'a' } },
    undefined,
  ],
  [
    'a row that reveals one home is merged with another',
    { a: PRIVATE_HOME, b: PRIVATE_HOME, c: { ...PRIVATE_HOME, ...HEAT_PUMP_HOME } },
    [['few', 3]],
  ],
  [
    'public homes keep their own rows',
    { a: HEAT_PUMP_HOME },
    [
      ['air-sealing', 2],
      ['heat-pump', 1],
    ],
  ],
])('%s', (_title, detailsByGrantId, rows) => {
  const { paidGrants } = computeSummary(threeGrants, detailsByGrantId);
  expect(paidGrants?.measures.map(({ measure, grants }) => [measure, grants])).toEqual(rows);
});

const FINISHED: GrantDetails = { doneOn: '2025-07-01' };

test.each<[string, Record<string, GrantDetails>, number | undefined]>([
  ['a public home’s unfinished work is shown', { b: FINISHED, c: FINISHED }, 1000],
  ['one private home’s is hidden', { a: PRIVATE_HOME, b: FINISHED, c: FINISHED }, undefined],
  ['two private homes’ is hidden', { a: PRIVATE_HOME, b: PRIVATE_HOME, c: FINISHED }, undefined],
  ['three private homes’ is shown', { a: PRIVATE_HOME, b: PRIVATE_HOME, c: PRIVATE_HOME }, 3000],
  ['a public home’s work doesn’t hide one private home’s', { a: PRIVATE_HOME, c: FINISHED }, undefined],
  ['nothing is hidden once all work is done', { a: { ...PRIVATE_HOME, ...FINISHED }, b: FINISHED, c: FINISHED }, 0],
])('work that isn’t done yet: %s', (_title, detailsByGrantId, unfinishedPounds) => {
  const summary = computeSummary(threeGrants, detailsByGrantId);
  expect(summary.unfinishedPounds).toBe(unfinishedPounds);
  const { deliveredPounds, remainingPounds, years } = summary;
  expect(deliveredPounds + remainingPounds + (unfinishedPounds ?? 0)).toBe(3000);
  // Otherwise, the difference between the total and the years would be the hidden amount.
  const hasHiddenYears = years.some((year) => year.remainingPounds === undefined);
  expect(hasHiddenYears).toBe(unfinishedPounds === undefined);
});

test('unfinished work isn’t shown if the rest would reveal one home', () => {
  const fourGrants = [...threeGrants, grant('d', '2024-03-01T12:00:00Z', 100, 1000)];
  const privateHomes = Object.fromEntries(['a', 'b', 'c'].map((id) => [id, PRIVATE_HOME]));
  const d: GrantDetails = { ...PRIVATE_HOME, ...FINISHED };
  expect(computeSummary(fourGrants, { ...privateHomes, d }).unfinishedPounds).toBeUndefined();
});

test('small rows are merged until none reveals one home', () => {
  const fourGrants = [...threeGrants, grant('d', '2024-03-01T12:00:00Z', 100, 1000)];
  const detailsByGrantId = {
    a: { ...PRIVATE_HOME, ...HEAT_PUMP_HOME },
    b: PRIVATE_HOME,
    c: PRIVATE_HOME,
    d: PRIVATE_HOME,
  };
  expect(computeSummary(fourGrants, detailsByGrantId).paidGrants?.measures).toEqual([
    { measure: 'few', grants: 4, cents: 400, pounds: 4000 },
  ]);
});

const FUNDS = { gifts: 1000, fees: 30, disputed: 20, paid: 300, promised: 150, available: 500, processorBalance: 0 };

test('the remaining gift money doesn’t reveal a private grant', () => {
  const [allPublic, onePrivate] = [computeSummary(threeGrants), computeSummary(threeGrants, { a: PRIVATE_HOME })];
  const totals = { gifts: 1000, fees: 30, disputed: 20 };
  const home = { homeId: 'smith', isPublic: false };
  expect(buildPublicMoney(FUNDS, allPublic, [])).toEqual({
    ...totals,
    paid: 300,
    remainingCents: 650,
    promised: 150,
    available: 500,
  });
  expect(buildPublicMoney(FUNDS, allPublic, [home])).toEqual({ ...totals, paid: 300, remainingCents: 650 });
  expect(buildPublicMoney(FUNDS, onePrivate, [])).toEqual(totals);
});

test.each([
  [[], DEFAULT_LIFETIME_YEARS],
  [[{ pounds: 0, years: 3 }], DEFAULT_LIFETIME_YEARS],
  [[{ pounds: 1000, years: 20 }], 20],
  [
    [
      { pounds: 3000, years: 20 },
      { pounds: 1000, years: 13 },
    ],
    18,
  ],
  // More digits than a double can hold.
  [Array.from({ length: 1000 }, () => ({ pounds: 100_000_000_000_001, years: 60 })), 60],
])('the lifetime of the savings is their average lifetime, weighted by pounds', (grants, years) => {
  expect(meanLifetimeYears(grants)).toBe(years);
});

test.each([
  [20, /over about 20 years: about 10% in the first two/],
  [3, /over about 3 years: about 67% in the first two/],
  [2, /^$/],
])('the delayed-savings sentence for a lifetime of %d years', (years, sentence) => {
  expect(delayedSavingsSentence(years)).toMatch(sentence);
});

const randomRows = fc.array(
  fc.record({
    kind: fc.constantFrom('gift', 'gift', 'grant', 'return', 'grant-reversal'),
    subjectIndex: fc.nat(),
    timeMs: fc.integer({ min: parseTime('2020-01-01'), max: parseTime('2026-06-30') }),
    cents: fc.integer({ min: 1, max: 5000 }),
    pounds: fc.nat(60_000),
    doneAfter: fc.option(fc.integer({ min: 0, max: 800 })),
    lifetimeYears: fc.integer({ min: 1, max: 60 }),
    isPublic: fc.boolean(),
    home: fc.nat(12),
    measures: fc.uniqueArray(fc.constantFrom(...MEASURES), { minLength: 1, maxLength: 2 }),
  }),
  { maxLength: 30 },
);

const histories = randomRows.map((rows) => {
  const facts: Fact[] = [];
  const detailsByGrantId: Record<string, GrantDetails> = {};
  for (const [index, row] of rows.entries()) {
    const { kind, timeMs, cents, pounds, doneAfter, home, measures, lifetimeYears, isPublic } = row;
    const fact = { id: `${index}`, timeMs, cents, pounds };
    const pickFactId = (factKind: Fact['kind']) => {
      const matchingFacts = facts.filter((candidate) => candidate.kind === factKind);
      return matchingFacts[row.subjectIndex % Math.max(1, matchingFacts.length)]?.id;
    };
    if (kind === 'gift' || kind === 'grant') facts.push({ ...fact, kind });
    const [giftId, grantId] = [pickFactId('gift'), pickFactId('grant')];
    if (kind === 'return' && giftId !== undefined) facts.push({ ...fact, kind, giftId });
    if (kind === 'grant-reversal' && grantId !== undefined) facts.push({ ...fact, kind, grantId });
    const doneOn = doneAfter === null ? null : new Date(timeMs + doneAfter * 86_400_000).toISOString().slice(0, 10);
    if (kind === 'grant') detailsByGrantId[fact.id] = { homeId: `${home}`, measures, lifetimeYears, isPublic, doneOn };
  }
  return { facts, detailsByGrantId };
});

const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0);
const numRuns = pickRunCount(300, 10_000);
const days = fc
  .integer({ min: 0, max: 70 })
  .map((n) => new Date(parseTime('2020-06-15') + n * YEAR_MS).toISOString().slice(0, 10));

test('the years add up to the totals, and the measure rows add up to the payments', () => {
  fc.assert(
    fc.property(histories, days, ({ facts, detailsByGrantId }, today) => {
      const { years, totals, deliveredPounds, remainingPounds, unfinishedPounds, paidGrants } = computeSummary(
        facts,
        detailsByGrantId,
        today,
      );
      for (const name of [
        'soldPounds',
        'backedPounds',
        'shortfallPounds',
        'unallocatedPounds',
        'grantedPounds',
      ] as const)
        expect(sum(years.map((year) => year[name]))).toBe(totals[name]);
      for (const year of years) {
        expect(year.backedPounds + year.shortfallPounds + year.unallocatedPounds).toBe(year.soldPounds);
        expect(Math.min(...Object.values(year).map((amount) => amount ?? 0))).toBeGreaterThanOrEqual(0);
      }
      expect(sum(years.map((year) => year.deliveredPounds))).toBe(deliveredPounds);
      expect(deliveredPounds + remainingPounds + (unfinishedPounds ?? 0)).toBe(totals.grantedPounds);
      if (unfinishedPounds !== undefined)
        expect(sum(years.map((year) => year.remainingPounds ?? 0))).toBe(remainingPounds);
      expect(totals.shortfallPounds > 0 && totals.surplusPounds > 0).toBe(false);
      const { grants } = allocate(facts);
      if (!paidGrants) return;
      expect(sum(paidGrants.measures.map(({ cents }) => cents))).toBe(sum(grants.map(({ cents }) => cents)));
      expect(sum(paidGrants.measures.map(({ pounds }) => pounds))).toBe(totals.grantedPounds);
      expect(sum(paidGrants.measures.map((row) => row.grants))).toBe(grants.length);
    }),
    { numRuns },
  );
});

test('no measure row reveals what one home received', () => {
  fc.assert(
    fc.property(histories, ({ facts, detailsByGrantId }) => {
      const measureRows = computeSummary(facts, detailsByGrantId).paidGrants?.measures ?? [];
      const measureRow = (measures: GrantDetails['measures'] = []) => (measures.length > 1 ? 'several' : measures[0]);
      const displayedMeasures = new Set(measureRows.map(({ measure }) => measure));
      const groups = Map.groupBy(allocate(facts).grants, ({ grantId }) => {
        const row = measureRow(detailsByGrantId[grantId]?.measures);
        return row && displayedMeasures.has(row) ? row : 'few';
      });
      for (const { measure, grants } of measureRows) {
        const group = (groups.get(measure) ?? []).map(({ grantId }) => ({
          homeId: detailsByGrantId[grantId]?.homeId ?? '',
          isPublic: detailsByGrantId[grantId]?.isPublic ?? false,
        }));
        expect(group).toHaveLength(grants);
        expect(revealsSingleHome(group)).toBe(false);
      }
    }),
    { numRuns },
  );
});

test('neither the pounds of unfinished work nor the rest reveals what one home received', () => {
  fc.assert(
    fc.property(histories, days, ({ facts, detailsByGrantId }, today) => {
      const { unfinishedPounds, years } = computeSummary(facts, detailsByGrantId, today);
      const homes = allocate(facts).grants.map(({ grantId }) => ({
        homeId: detailsByGrantId[grantId]?.homeId ?? '',
        isPublic: detailsByGrantId[grantId]?.isPublic ?? false,
        isDone: detailsByGrantId[grantId]?.doneOn != null,
      }));
      const unfinishedHomes = homes.filter(({ isDone }) => !isDone);
      if (unfinishedPounds === undefined) {
        expect(unfinishedHomes.some(({ isPublic }) => !isPublic)).toBe(true);
        expect(years.every((year) => year.remainingPounds === undefined)).toBe(true);
        return;
      }
      expect(revealsSingleHome(unfinishedHomes)).toBe(false);
      if (unfinishedHomes.some(({ isPublic }) => !isPublic))
        expect(revealsSingleHome(homes.filter(({ isDone }) => isDone))).toBe(false);
    }),
    { numRuns },
  );
});

test('the order of facts doesn’t affect the result', () => {
  fc.assert(
    fc.property(
      histories.chain(({ facts, detailsByGrantId }) =>
        fc.tuple(fc.constant({ facts, detailsByGrantId }), fc.shuffledSubarray(facts, { minLength: facts.length })),
      ),
      ([{ facts, detailsByGrantId }, shuffledFacts]) => {
        expect(computeSummary(shuffledFacts, detailsByGrantId)).toEqual(computeSummary(facts, detailsByGrantId));
      },
    ),
    { numRuns },
  );
});

test('the passage of time only moves pounds from future to delivered', () => {
  fc.assert(
    fc.property(histories, days, days, ({ facts, detailsByGrantId: randomDetails }, day1, day2) => {
      // Hidden years can't be compared.
      const detailsByGrantId = Object.fromEntries(
        Object.entries(randomDetails).map(([id, details]) => [id, { ...details, isPublic: true }]),
      );
      const [before, after] = day1 < day2 ? [day1, day2] : [day2, day1];
      const [earlierSummary, laterSummary] = [
        computeSummary(facts, detailsByGrantId, before),
        computeSummary(facts, detailsByGrantId, after),
      ];
      expect(laterSummary.deliveredPounds).toBeGreaterThanOrEqual(earlierSummary.deliveredPounds);
      const totalsByYear = (summary: typeof laterSummary) =>
        summary.years.map(({ year, ...pounds }) => [year, pounds.deliveredPounds + (pounds.remainingPounds ?? 0)]);
      expect(totalsByYear(laterSummary)).toEqual(totalsByYear(earlierSummary));
    }),
    { numRuns },
  );
});
