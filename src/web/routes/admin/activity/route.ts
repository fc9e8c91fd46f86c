import type { ApiClient } from '#web/api/client.ts';
import { listQuery, loadList } from '#web/api/queries.ts';
import { guardedSitePage } from '#web/site/guarded-page.ts';
import type { PageRoute } from '#web/site/page.ts';

export const ALL_ACTIVITY_PAGES: readonly PageRoute[] = [
  guardedSitePage('all-activity-page', {
    can: 'activity.read-all',
    component: async () => (await import('./all-activity-page.tsx')).AllActivityPage,
    load: ({ api }) => loadList(allActivityQuery(api)),
  }),
];

const PAGE_SIZE = 25;

export function allActivityQuery(api: ApiClient) {
  return listQuery(api, 'readAllActivity', { query: { max: PAGE_SIZE } });
}
