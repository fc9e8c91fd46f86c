import type { ApiClient } from '#web/api/client.ts';
import { callQuery, listQuery, loadList, loadQuery } from '#web/api/queries.ts';
import { type Can, permissionsIn } from '#web/session/actor.ts';
import { guardedOrgPage } from '#web/site/guarded-page.ts';
import type { PageRoute } from '#web/site/page.ts';
import { availableFundsQuery } from '../queries.ts';

export type GrantsData = {
  /** The home whose grants are shown; undefined shows all grants. */
  readonly homeId: string | undefined;
};

export const GRANTS_PAGES: readonly PageRoute[] = [
  guardedOrgPage('grants-page', {
    can: 'grants.read',
    component: async () => (await import('./grants-page.tsx')).GrantsPage,
    props: ({ search: { home } }): GrantsData => ({ homeId: home }),
    load: ({ api, params: { orgid: orgId }, session }, { homeId }) => {
      const { funds, home } = grantsQueries(api, orgId, homeId, permissionsIn(session.now(), orgId));
      return Promise.all([
        loadList(grantsQuery(api, orgId, homeId)),
        loadQuery(installersQuery(api, orgId)),
        funds && loadQuery(funds),
        home && loadQuery(home),
      ]);
    },
  }),
];

/** The queries that a person may read in addition to the grants. */
export function grantsQueries(api: ApiClient, orgId: string, homeId: string | undefined, can: Can) {
  return {
    funds: can('books.read') ? availableFundsQuery(api, orgId) : undefined,
    home: homeId !== undefined && can('stories.edit') ? homeQuery(api, orgId, homeId) : undefined,
  };
}

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
