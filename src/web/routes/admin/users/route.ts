import { pagePath } from '#contract/pages.ts';
import type { ApiClient } from '#web/api/client.ts';
import { listQuery, loadList } from '#web/api/queries.ts';
import { withSearch } from '#web/navigation/with-search.ts';
import type { PageRoute } from '#web/site/page.ts';
import { sitePage } from '#web/site/site-page.ts';

/** The search in the address: part of a name or an email; empty for all users. */
export type UsersData = { readonly query: string };

export const USERS_PAGES: readonly PageRoute[] = [
  {
    guard: 'users.manage',
    ...sitePage(
      'users-page',
      async () => (await import('./users-page.tsx')).UsersPage,
      async ({ api, search: { query = '' } }): Promise<UsersData> => {
        await loadList(usersQuery(api, query));
        return { query };
      },
    ),
  },
];

export function usersAddress(query: string): string {
  return withSearch(pagePath('users-page', {}), { query });
}

export function usersQuery(api: ApiClient, query: string) {
  return listQuery(api, 'searchUsers', { query: query === '' ? {} : { query } });
}
