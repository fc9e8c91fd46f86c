import type { ApiClient, ListAnswer } from '#web/api/client.ts';
import { type Page, sitePage } from '#web/site/page.ts';

export type UsersData = { readonly people: ListAnswer<'searchUsers'> };

export const USERS_PAGES: readonly Page[] = [
  {
    guard: 'users.manage',
    ...sitePage(
      'users-page',
      async () => (await import('./users-page.tsx')).UsersPage,
      async ({ api }) => ({ people: await loadPeople(api, '') }),
    ),
  },
];

/** One page of the people whose name or email contains the query. */
export function loadPeople(api: ApiClient, query: string, cursorRef?: string): Promise<ListAnswer<'searchUsers'>> {
  return api.list('searchUsers', {
    query: { ...(query === '' ? {} : { query }), ...(cursorRef === undefined ? {} : { cursorRef }) },
  });
}
