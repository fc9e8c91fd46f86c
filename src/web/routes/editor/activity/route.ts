import type { ApiClient } from '#web/api/client.ts';
import { listQuery, loadList } from '#web/api/queries.ts';
import { type ActivityView, parseActivityView, toActivityQuery } from '#web/site/activity-view.ts';
import { guardedOrgPage } from '#web/site/guarded-page.ts';
import type { PageRoute } from '#web/site/page.ts';

export type ActivityData = { readonly view: ActivityView };

export const ACTIVITY_PAGES: readonly PageRoute[] = [
  guardedOrgPage('activity-page', {
    can: 'activity.read',
    component: async () => (await import('./activity-page.tsx')).ActivityPage,
    props: ({ search }): ActivityData => ({ view: parseActivityView(search) }),
    load: ({ api, params }, { view }) => loadList(activityQuery(api, params.orgid, view)),
  }),
];

export function activityQuery(api: ApiClient, orgId: string, view: ActivityView) {
  return listQuery(api, 'readActivity', { params: { orgid: orgId }, query: toActivityQuery(view) });
}
