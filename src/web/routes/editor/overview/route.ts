import { PERIODS, type Period } from '#domain/overview.ts';
import type { ApiClient } from '#web/api/client.ts';
import { callQuery, loadQuery } from '#web/api/queries.ts';
import { type Can, getPermissions } from '#web/session/actor.ts';
import { guardedOrgPage } from '#web/site/guarded-page.ts';
import type { PageRoute } from '#web/site/page.ts';
import { recurringSumsQuery } from '../donors/route.ts';
import { availableFundsQuery, reviewQuery } from '../queries.ts';

export type OverviewData = { readonly period: Period };

export const OVERVIEW_PAGES: readonly PageRoute[] = [
  guardedOrgPage('overview-page', {
    can: 'area.visit',
    component: async () => (await import('./overview-page.tsx')).OverviewPage,
    props: ({ search }): OverviewData => ({ period: PERIODS.find((name) => name === search.period) ?? 'year' }),
    load: ({ api, params: { orgid: orgId }, session }, { period }) => {
      const { overview, funds, recurring, review } = overviewQueries(
        api,
        orgId,
        period,
        getPermissions(session.now(), orgId),
      );
      return Promise.all([
        loadQuery(firstStepsQuery(api, orgId)),
        overview && loadQuery(overview),
        funds && loadQuery(funds),
        recurring && loadQuery(recurring),
        review && loadQuery(review),
      ]);
    },
  }),
];

/** Queries that the user has permission for. The overview includes the stories to review. */
export function overviewQueries(api: ApiClient, orgId: string, period: Period, can: Can) {
  const canRead = can('overview.read');
  return {
    overview: canRead ? overviewQuery(api, orgId, period) : undefined,
    funds: canRead ? availableFundsQuery(api, orgId) : undefined,
    recurring: canRead ? recurringSumsQuery(api, orgId) : undefined,
    review: !canRead && can('stories.edit') ? reviewQuery(api, orgId) : undefined,
  };
}

export function firstStepsQuery(api: ApiClient, orgId: string) {
  return callQuery(api, 'readFirstSteps', { params: { orgid: orgId } });
}

export function overviewQuery(api: ApiClient, orgId: string, period: Period) {
  return callQuery(api, 'readOverview', { params: { orgid: orgId }, query: { period } });
}
