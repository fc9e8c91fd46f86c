import type { ApiClient } from '#web/api/client.ts';
import { callQuery, loadQuery } from '#web/api/queries.ts';
import { orgPage, type PageRoute } from '#web/site/page.ts';
import { type OrgSection, sectionNamed } from './org-sections.ts';

export type OrgData = { readonly section: OrgSection };

const code = async () => (await import('./org-page.tsx')).OrgPage;

export const ORG_PAGES: readonly PageRoute[] = [
  {
    guard: 'org.edit',
    ...orgPage('org-page', code, ({ api, params }) => loadSection(api, params.orgid, 'basics')),
  },
  {
    guard: 'org.edit',
    ...orgPage('org-section-page', code, ({ api, params }) =>
      loadSection(api, params.orgid, sectionNamed(params.section)),
    ),
  },
];

async function loadSection(api: ApiClient, orgId: string, section: OrgSection): Promise<OrgData> {
  await loadQuery(settingsQuery(api, orgId));
  return { section };
}

export function settingsQuery(api: ApiClient, orgId: string) {
  return callQuery(api, 'readOrgSettings', { params: { orgid: orgId } });
}
