import { PERIODS, type Period } from '#domain/overview.ts';
import { can } from '#domain/permissions.ts';
import type { ApiClient } from '#web/api/client.ts';
import { callQuery, queryClient } from '#web/api/queries.ts';
import { actorOf } from '#web/session/actor.ts';
import { orgPage, type Page } from '#web/site/page.ts';

export type OverviewData = { readonly period: Period };

export const OVERVIEW_PAGES: readonly Page[] = [
  {
    guard: 'area.visit',
    ...orgPage(
      'overview-page',
      async () => (await import('./overview-page.tsx')).OverviewPage,
      async ({ api, params: { orgid }, search, session }): Promise<OverviewData> => {
        const period = PERIODS.find((each) => each === search.period) ?? 'year';
        const actor = actorOf(session.now());
        if (can(actor, 'overview.read', { orgId: orgid })) {
          await Promise.all([
            queryClient.fetchQuery(overviewQuery(api, orgid, period)),
            queryClient.fetchQuery(freeMoneyQuery(api, orgid)),
          ]);
        } else if (can(actor, 'stories.edit', { orgId: orgid })) {
          await queryClient.fetchQuery(reviewQuery(api, orgid));
        }
        return { period };
      },
    ),
  },
];

export function overviewQuery(api: ApiClient, orgid: string, period: Period) {
  return callQuery(api, 'readOverview', { params: { orgid }, query: { period } });
}

export function freeMoneyQuery(api: ApiClient, orgid: string) {
  return callQuery(api, 'readFreeMoney', { params: { orgid } });
}

/** The number of stories waiting for review, for a role that doesn't see the other tasks. */
export function reviewQuery(api: ApiClient, orgid: string) {
  return callQuery(api, 'readReview', { params: { orgid } });
}
