import { can } from '#domain/permissions.ts';
import type { ApiClient } from '#web/api/client.ts';
import { callQuery, listQuery, loadList, loadQuery } from '#web/api/queries.ts';
import { actorOf } from '#web/session/actor.ts';
import { orgPage, type PageRoute } from '#web/site/page.ts';
import { availableFundsQuery } from '../queries.ts';

export type GrantsData = {
  /** The home whose grants are shown; undefined shows all grants. */
  readonly homeId: string | undefined;
};

export const GRANTS_PAGES: readonly PageRoute[] = [
  {
    guard: 'grants.read',
    ...orgPage(
      'grants-page',
      async () => (await import('./grants-page.tsx')).GrantsPage,
      async ({ api, params: { orgid: orgId }, search: { home }, session }): Promise<GrantsData> => {
        const actor = actorOf(session.now());
        const mayRead = (action: 'books.read' | 'stories.edit') => can(actor, action, { orgId });
        await Promise.all([
          loadList(grantsQuery(api, orgId, home)),
          loadQuery(installersQuery(api, orgId)),
          mayRead('books.read') && loadQuery(availableFundsQuery(api, orgId)),
          home !== undefined && mayRead('stories.edit') && loadQuery(homeQuery(api, orgId, home)),
        ]);
        return { homeId: home };
      },
    ),
  },
];

/** @param home undefined for the grants of all homes */
export function grantsQuery(api: ApiClient, orgId: string, home: string | undefined) {
  return listQuery(api, 'readGrants', {
    params: { orgid: orgId },
    query: home === undefined ? {} : { awardeeid: home },
  });
}

export function homeQuery(api: ApiClient, orgId: string, home: string) {
  return callQuery(api, 'readAwardeeToEdit', { params: { orgid: orgId, awardeeid: home } });
}

/** One page of installers to suggest. Other installers can still be typed. */
const MAX_SUGGESTIONS = 50;

/** Installers with a page. A grant that names one of them links to it. */
export function installersQuery(api: ApiClient, orgId: string) {
  return callQuery(api, 'readInstallers', { params: { orgid: orgId }, query: { max: MAX_SUGGESTIONS } });
}
