import type { ApiClient, ListAnswer } from '#web/api/client.ts';
import { type Page, sitePage } from '#web/site/page.ts';

export type AllActivityData = {
  readonly activity: ListAnswer<'readAllActivity'>;
};

export const ALL_ACTIVITY_PAGES: readonly Page[] = [
  {
    guard: 'activity.read-all',
    ...sitePage(
      'all-activity-page',
      async () => (await import('./all-activity-page.tsx')).AllActivityPage,
      async ({ api }) => ({ activity: await loadAllActivity(api) }),
    ),
  },
];

export function loadAllActivity(api: ApiClient, cursorRef?: string): Promise<ListAnswer<'readAllActivity'>> {
  return api.list('readAllActivity', { query: { max: 25, ...(cursorRef ? { cursorRef } : {}) } });
}
