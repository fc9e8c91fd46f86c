import type { Overview } from '#contract/schemas/treasury.ts';
import { PERIODS, type Period } from '#domain/overview.ts';
import { orgPage, type Page } from '#web/site/page.ts';

export type OverviewData = { readonly period: Period; readonly overview: Overview };

export const OVERVIEW_PAGES: readonly Page[] = [
  {
    guard: 'overview.read',
    ...orgPage(
      'overview-page',
      async () => (await import('./overview-page.tsx')).OverviewPage,
      async ({ api, params: { orgid }, search }) => {
        const period = PERIODS.find((each) => each === search.period) ?? 'year';
        return { period, overview: await api.call('readOverview', { params: { orgid }, query: { period } }) };
      },
    ),
  },
];
