import type { OrgSettings } from '#contract/schemas/orgs.ts';
import type { ApiClient } from '#web/api/client.ts';
import { orgPage, type Page } from '#web/site/page.ts';

export type OrgSettingsData = { readonly settings: OrgSettings };

export const ORG_PAGES: readonly Page[] = [
  {
    guard: 'org.edit',
    ...orgPage(
      'org-page',
      async () => (await import('./org-page.tsx')).OrgPage,
      ({ api, params }) => loadOrgSettings(api, params.orgid),
    ),
  },
];

export async function loadOrgSettings(api: ApiClient, orgid: string): Promise<OrgSettingsData> {
  return { settings: await api.call('readOrgSettings', { params: { orgid } }) };
}
