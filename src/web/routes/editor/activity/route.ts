import type { ApiClient, ListAnswer } from '#web/api/client.ts';
import { orgPage, type Page } from '#web/site/page.ts';

export type ActivityData = { readonly activity: ListAnswer<'readActivity'> };

export const ACTIVITY_PAGES: readonly Page[] = [
  {
    guard: 'activity.read',
    ...orgPage(
      'activity-page',
      async () => (await import('./activity-page.tsx')).ActivityPage,
      async ({ api, params }) => ({ activity: await loadActivity(api, params.orgid) }),
    ),
  },
];

export function loadActivity(api: ApiClient, orgid: string, cursorRef?: string): Promise<ListAnswer<'readActivity'>> {
  return api.list('readActivity', { params: { orgid }, query: { max: 25, ...(cursorRef ? { cursorRef } : {}) } });
}
