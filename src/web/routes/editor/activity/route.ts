import type { ApiClient } from '#web/api/client.ts';
import { listQuery, loadList } from '#web/api/queries.ts';
import { guardedOrgPage } from '#web/site/guarded-page.ts';
import type { PageRoute } from '#web/site/page.ts';

export const ACTIVITY_PAGES: readonly PageRoute[] = [
  guardedOrgPage('activity-page', {
    can: 'activity.read',
    component: async () => (await import('./activity-page.tsx')).ActivityPage,
    load: ({ api, params }) => loadList(activityQuery(api, params.orgid)),
  }),
];

const PAGE_SIZE = 25;

export function activityQuery(api: ApiClient, orgId: string) {
  return listQuery(api, 'readActivity', { params: { orgid: orgId }, query: { max: PAGE_SIZE } });
}
