import type { ApiClient } from '#web/api/client.ts';
import { callQuery, loadQuery } from '#web/api/queries.ts';
import { orgPage, type PageRoute } from '#web/site/page.ts';

export const ORG_PAGES: readonly PageRoute[] = [
  {
    guard: 'org.edit',
    ...orgPage(
      'org-page',
      async () => (await import('./org-page.tsx')).OrgPage,
      async ({ api, params }) => {
        await loadQuery(settingsQuery(api, params.orgid));
        return {};
      },
    ),
  },
];

export function settingsQuery(api: ApiClient, orgId: string) {
  return callQuery(api, 'readOrgSettings', { params: { orgid: orgId } });
}
