import type { ApiClient } from '#web/api/client.ts';
import { listQuery, loadList } from '#web/api/queries.ts';
import { type ActivityView, parseActivityView, toActivityQuery } from '#web/site/activity-view.ts';
import { guardedSitePage } from '#web/site/guarded-page.ts';
import type { PageRoute } from '#web/site/page.ts';
import { getLocalTimeZone } from '#web/ui/local-time.ts';

export type AllActivityData = { readonly view: ActivityView };

export const ALL_ACTIVITY_PAGES: readonly PageRoute[] = [
  guardedSitePage('all-activity-page', {
    can: 'activity.read-all',
    component: async () => (await import('./all-activity-page.tsx')).AllActivityPage,
    props: ({ search }): AllActivityData => ({ view: parseActivityView(search) }),
    load: ({ api }, { view }) => loadList(allActivityQuery(api, view)),
  }),
];

export function allActivityQuery(api: ApiClient, view: ActivityView) {
  const org = view.org === undefined ? {} : { orgid: view.org };
  return listQuery(api, 'readAllActivity', {
    query: { ...toActivityQuery(view), ...org, timeZone: getLocalTimeZone() },
  });
}
