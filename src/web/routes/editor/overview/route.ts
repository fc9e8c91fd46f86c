import { PERIODS, type Period } from '#domain/overview.ts';
import { can } from '#domain/permissions.ts';
import type { ApiClient } from '#web/api/client.ts';
import { callQuery, loadQuery } from '#web/api/queries.ts';
import { actorOf } from '#web/session/actor.ts';
import { orgPage, type PageRoute } from '#web/site/page.ts';
import { availableFundsQuery, reviewQuery } from '../queries.ts';

export type OverviewData = { readonly period: Period };

export const OVERVIEW_PAGES: readonly PageRoute[] = [
  {
    guard: 'area.visit',
    ...orgPage(
      'overview-page',
      async () => (await import('./overview-page.tsx')).OverviewPage,
      async ({ api, params: { orgid: orgId }, search, session }): Promise<OverviewData> => {
        const period = PERIODS.find((each) => each === search.period) ?? 'year';
        const actor = actorOf(session.now());
        if (can(actor, 'overview.read', { orgId })) {
          await Promise.all([loadQuery(overviewQuery(api, orgId, period)), loadQuery(availableFundsQuery(api, orgId))]);
        } else if (can(actor, 'stories.edit', { orgId })) {
          await loadQuery(reviewQuery(api, orgId));
        }
        return { period };
      },
    ),
  },
];

export function overviewQuery(api: ApiClient, orgId: string, period: Period) {
  return callQuery(api, 'readOverview', { params: { orgid: orgId }, query: { period } });
}
