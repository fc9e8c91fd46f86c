import { pagePath } from '#contract/pages.ts';
import type { ApiClient } from '#web/api/client.ts';
import { listQuery, loadList } from '#web/api/queries.ts';
import { withSearch } from '#web/navigation/with-search.ts';
import { guardedSitePage } from '#web/site/guarded-page.ts';
import type { PageRoute } from '#web/site/page.ts';

/** The search in the address: part of a name or an email; empty for all users. */
export type UsersData = { readonly query: string };

export const USERS_PAGES: readonly PageRoute[] = [
  guardedSitePage('users-page', {
    can: 'users.manage',
    component: async () => (await import('./users-page.tsx')).UsersPage,
    props: ({ search: { query = '' } }): UsersData => ({ query }),
    load: ({ api }, { query }) => loadList(usersQuery(api, query)),
  }),
];

export function usersUrl(query: string): string {
  return withSearch(pagePath('users-page', {}), { query });
}

export function usersQuery(api: ApiClient, query: string) {
  return listQuery(api, 'searchUsers', { query: query === '' ? {} : { query } });
}
