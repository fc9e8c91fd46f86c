import type { ApiClient } from '#web/api/client.ts';
import { listQuery, loadList } from '#web/api/queries.ts';
import type { PageRoute } from '#web/site/page.ts';
import { sitePage } from '#web/site/site-page.ts';

export const ALL_ACTIVITY_PAGES: readonly PageRoute[] = [
  {
    guard: 'activity.read-all',
    ...sitePage(
      'all-activity-page',
      async () => (await import('./all-activity-page.tsx')).AllActivityPage,
      async ({ api }) => {
        await loadList(allActivityQuery(api));
        return {};
      },
    ),
  },
];

const PAGE_SIZE = 25;

export function allActivityQuery(api: ApiClient) {
  return listQuery(api, 'readAllActivity', { query: { max: PAGE_SIZE } });
}
