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
        await Promise.all([
          loadQuery(firstStepsQuery(api, orgId)),
          ...(can(actor, 'overview.read', { orgId })
            ? [loadQuery(overviewQuery(api, orgId, period)), loadQuery(availableFundsQuery(api, orgId))]
            : []),
          ...(can(actor, 'stories.edit', { orgId }) && !can(actor, 'overview.read', { orgId })
            ? [loadQuery(reviewQuery(api, orgId))]
            : []),
        ]);
        return { period };
      },
    ),
  },
];

export function firstStepsQuery(api: ApiClient, orgId: string) {
  return callQuery(api, 'readFirstSteps', { params: { orgid: orgId } });
}

export function overviewQuery(api: ApiClient, orgId: string, period: Period) {
  return callQuery(api, 'readOverview', { params: { orgid: orgId }, query: { period } });
}
