import type { ApiClient } from '#web/api/client.ts';
import { listQuery, loadList } from '#web/api/queries.ts';
import { orgPage, type PageRoute } from '#web/site/page.ts';

export const ACTIVITY_PAGES: readonly PageRoute[] = [
  {
    guard: 'activity.read',
    ...orgPage(
      'activity-page',
      async () => (await import('./activity-page.tsx')).ActivityPage,
      async ({ api, params }) => {
        await loadList(activityQuery(api, params.orgid));
        return {};
      },
    ),
  },
];

const PAGE_SIZE = 25;

export function activityQuery(api: ApiClient, orgId: string) {
  return listQuery(api, 'readActivity', { params: { orgid: orgId }, query: { max: PAGE_SIZE } });
}
