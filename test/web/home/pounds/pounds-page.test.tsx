// @spec decisions.2
import { expect, test } from 'vitest';
import type { PublicPounds } from '#contract/schemas/grants.ts';
import type { Org } from '#contract/schemas/orgs.ts';
import type { Site } from '#contract/schemas/site.ts';
import { renderVisibleText } from '#test/support/render-element.ts';
import { PoundsPage } from '#web/routes/home/pounds/pounds-page.tsx';

const STATS = { co2: 1000, gas: 50, funds: 500, grants: 3 };
const NO_DELTA = { co2: 0, gas: 0, funds: 0, grants: 0 };
const ORG = { id: 'valley', name: 'Valley', stats: STATS, statsDelta: NO_DELTA, typicalGrant: null } as Org;

const POUNDS: PublicPounds = {
  asOf: '2026-03-14',
  grants: 4,
  homes: 4,
  savingYears: 20,
  totals: {
    soldPounds: 700,
    backedPounds: 500,
    shortfallPounds: 0,
    unallocatedPounds: 200,
    grantedPounds: 1100,
    surplusPounds: 600,
    deliveredPounds: 100,
    remainingPounds: 900,
    unfinishedPounds: 100,
  },
  years: [
    {
      year: 2026,
      soldPounds: 700,
      backedPounds: 500,
      shortfallPounds: 0,
      unallocatedPounds: 200,
      grantedPounds: 1100,
      deliveredPounds: 100,
      remainingPounds: 900,
    },
  ],
  measures: [],
  money: {
    gifts: 9,
    fees: 0,
    disputed: 0,
    paid: 5,
    remaining: 4,
    promised: 0,
    available: 4,
    perTon: 25,
  },
};

const renderPage = (org: Partial<Org> = {}, pounds: Partial<PublicPounds> = {}) =>
  renderVisibleText(<PoundsPage org={{ ...ORG, ...org }} site={{} as Site} pounds={{ ...POUNDS, ...pounds }} />);

test('the surplus is what homes save beyond the assigned pounds, and the page says when pounds are assigned', () => {
  expect(renderPage()).toContain(
    'Homes with a grant save 600 lb more than is assigned to donors. A gift’s pounds are assigned only when its money is paid to a home.',
  );
});

test('the page states the typical grant that gifts are compared with, if the fund has set one', () => {
  expect(renderPage({ typicalGrant: 1100 })).toContain('We count $1,100 as a typical grant');
  expect(renderPage()).not.toContain('typical grant');
});

test('hidden unfinished work is neither shown nor the difference between the years and the total', () => {
  expect(renderPage()).toContain('Work not done yet');
  const hidden = renderPage(
    {},
    {
      totals: { ...POUNDS.totals, remainingPounds: 1000, unfinishedPounds: null },
      years: POUNDS.years.map((year) => ({ ...year, remainingPounds: null })),
    },
  );
  for (const text of ['Work not done yet', 'work that isn’t done yet', '900']) expect(hidden).not.toContain(text);
  expect(hidden).toContain('2026 1,100 100 not shown');
  expect(hidden).toContain('All years 1,100 100 1,000');
  expect(hidden).toContain('Some amounts are hidden because they would reveal what one home received.');
});
