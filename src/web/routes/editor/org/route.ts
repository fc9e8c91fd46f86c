import type { ApiClient } from '#web/api/client.ts';
import { callQuery, queryClient } from '#web/api/queries.ts';
import { orgPage, type Page } from '#web/site/page.ts';

export const ORG_PAGES: readonly Page[] = [
  {
    guard: 'org.edit',
    ...orgPage(
      'org-page',
      async () => (await import('./org-page.tsx')).OrgPage,
      async ({ api, params }) => {
        await queryClient.fetchQuery(settingsQuery(api, params.orgid));
        return {};
      },
    ),
  },
];

export function settingsQuery(api: ApiClient, orgid: string) {
  return callQuery(api, 'readOrgSettings', { params: { orgid } });
}
