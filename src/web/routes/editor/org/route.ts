import type { ApiClient } from '#web/api/client.ts';
import { callQuery, loadQuery } from '#web/api/queries.ts';
import { guardedOrgPage } from '#web/site/guarded-page.ts';
import type { PageRoute } from '#web/site/page.ts';
import { findSection, type OrgSection } from './org-sections.ts';

export type OrgData = { readonly section: OrgSection };

const component = async () => (await import('./org-page.tsx')).OrgPage;

export const ORG_PAGES: readonly PageRoute[] = [
  guardedOrgPage('org-page', {
    can: 'org.edit',
    component,
    props: (): OrgData => ({ section: 'basics' }),
    load: ({ api, params }) => loadQuery(settingsQuery(api, params.orgid)),
  }),
  guardedOrgPage('org-section-page', {
    can: 'org.edit',
    component,
    props: ({ params }): OrgData => ({ section: findSection(params.section) }),
    load: ({ api, params }) => loadQuery(settingsQuery(api, params.orgid)),
  }),
];

export function settingsQuery(api: ApiClient, orgId: string) {
  return callQuery(api, 'readOrgSettings', { params: { orgid: orgId } });
}
