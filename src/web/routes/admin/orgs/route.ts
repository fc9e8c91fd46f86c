import type { ApiClient } from '#web/api/client.ts';
import { callQuery, listQuery, loadList, loadQuery } from '#web/api/queries.ts';
import { guardedSitePage } from '#web/site/guarded-page.ts';
import type { PageRoute } from '#web/site/page.ts';

export const ADMIN_PAGES: readonly PageRoute[] = [
  guardedSitePage('admin-page', {
    can: 'admin.visit',
    component: async () => (await import('./admin-page.tsx')).AdminPage,
    load: ({ api }) =>
      Promise.all([loadList(orgsQuery(api)), loadQuery(unassignedAttentionQuery(api)), loadQuery(figuresQuery(api))]),
  }),
];

/** Organizations, newest first, ten at a time (§9). */
export function orgsQuery(api: ApiClient) {
  return listQuery(api, 'readOrgs', {});
}

/** Payments without an organization. */
export function unassignedAttentionQuery(api: ApiClient) {
  return callQuery(api, 'readUnassignedAttention', {});
}

/** Figures for the system status. */
export function figuresQuery(api: ApiClient) {
  return callQuery(api, 'readOperationStatus', {});
}
