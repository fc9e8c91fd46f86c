import type { ApiClient } from '#web/api/client.ts';
import { callQuery, loadQuery } from '#web/api/queries.ts';
import { orgPage, type PageRoute } from '#web/site/page.ts';

export const EDITORS_PAGES: readonly PageRoute[] = [
  {
    guard: 'editors.read',
    ...orgPage(
      'editors-page',
      async () => (await import('./editors-page.tsx')).EditorsPage,
      async ({ api, params }) => {
        await loadQuery(teamQuery(api, params.orgid));
        return {};
      },
    ),
  },
];

export function teamQuery(api: ApiClient, orgId: string) {
  return callQuery(api, 'readEditors', { params: { orgid: orgId } });
}
