import type { ApiClient } from '#web/api/client.ts';
import { listQuery, loadList } from '#web/api/queries.ts';
import type { PageRoute } from '#web/site/page.ts';
import { sitePage } from '#web/site/site-page.ts';

export const USERS_PAGES: readonly PageRoute[] = [
  {
    guard: 'users.manage',
    ...sitePage(
      'users-page',
      async () => (await import('./users-page.tsx')).UsersPage,
      async ({ api }) => {
        await loadList(usersQuery(api, ''));
        return {};
      },
    ),
  },
];

/** @param text part of a name or an email; empty for all users */
export function usersQuery(api: ApiClient, text: string) {
  return listQuery(api, 'searchUsers', { query: text === '' ? {} : { query: text } });
}
