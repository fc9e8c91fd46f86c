import { queryOptions } from '@tanstack/react-query';
import { pagePath } from '#contract/pages.ts';
import { GRANT_STAGES, type GrantStage } from '#domain/grant.ts';
import type { ApiClient, ItemOf } from '#web/api/client.ts';
import { callKey, callQuery, listQuery, loadList, loadListUnlessFresh, loadQuery } from '#web/api/queries.ts';
import type { Search } from '#web/navigation/address.ts';
import { withSearch } from '#web/navigation/with-search.ts';
import { type Can, getPermissions } from '#web/session/actor.ts';
import { guardedOrgPage } from '#web/site/guarded-page.ts';
import type { PageRoute } from '#web/site/page.ts';
import { availableFundsQuery } from '../queries.ts';

/** The page's filters and open grant, as stored in the URL. */
export type GrantsView = {
  /** Home to show grants for; undefined shows all grants. */
  readonly homeId: string | undefined;
  readonly stage: GrantStage | undefined;
  readonly openGrantId: string | undefined;
};

export type GrantsData = { readonly view: GrantsView };

export const GRANTS_PAGES: readonly PageRoute[] = [
  guardedOrgPage('grants-page', {
    can: 'grants.read',
    component: async () => (await import('./grants-page.tsx')).GrantsPage,
    props: ({ search }): GrantsData => ({ view: parseView(search) }),
    load: ({ api, params: { orgid: orgId }, session }, { view }) => {
      const { funds, home } = permittedQueries(api, orgId, view.homeId, getPermissions(session.now(), orgId));
      // If a grant is opened from the list, the list is already loaded.
      const loadGrants = view.openGrantId === undefined ? loadList : loadListUnlessFresh;
      return Promise.all([
        loadGrants(grantsQuery(api, orgId, view)),
        loadQuery(grantSumsQuery(api, orgId, view.homeId)),
        funds && loadQuery(funds),
        home && loadQuery(home),
      ]);
    },
  }),
];

/** Queries for the funds and the home; each is undefined if the user lacks the permission. */
export function permittedQueries(api: ApiClient, orgId: string, homeId: string | undefined, can: Can) {
  return {
    funds: can('books.read') ? availableFundsQuery(api, orgId) : undefined,
    home: homeId !== undefined && can('stories.edit') ? homeQuery(api, orgId, homeId) : undefined,
  };
}

function parseView({ home, stage, grant }: Search): GrantsView {
  return { homeId: home, stage: GRANT_STAGES.find((name) => name === stage), openGrantId: grant };
}

export function grantsUrl(orgId: string, { homeId, stage, openGrantId }: Partial<GrantsView>): string {
  return withSearch(pagePath('grants-page', { orgid: orgId }), { home: homeId, stage, grant: openGrantId });
}

export function grantsQuery(api: ApiClient, orgId: string, { homeId, stage }: Pick<GrantsView, 'homeId' | 'stage'>) {
  return listQuery(api, 'readGrants', {
    params: { orgid: orgId },
    query: {
      ...(homeId === undefined ? {} : { awardeeid: homeId }),
      ...(stage === undefined ? {} : { stage }),
    },
  });
}

/** @param homeId undefined for the grants of all homes */
export function grantSumsQuery(api: ApiClient, orgId: string, homeId: string | undefined) {
  return callQuery(api, 'sumGrants', {
    params: { orgid: orgId },
    query: homeId === undefined ? {} : { awardeeid: homeId },
  });
}

export function grantQuery(api: ApiClient, orgId: string, grantId: string) {
  return callQuery(api, 'readGrant', { params: { orgid: orgId, grantid: grantId } });
}

export function homeQuery(api: ApiClient, orgId: string, homeId: string) {
  return callQuery(api, 'readAwardeeToEdit', { params: { orgid: orgId, awardeeid: homeId } });
}

export type ChoiceCall = 'readAwardeesToEdit' | 'readInstallersToEdit';

/** Options of a select: all awardees or installers, by name. */
export function choicesQuery(api: ApiClient, call: ChoiceCall, orgId: string) {
  const load = async () => {
    const choices: ItemOf<ChoiceCall>[] = [];
    let cursorRef: string | undefined;
    do {
      const query = cursorRef === undefined ? { max: CHOICES_PER_CALL } : { max: CHOICES_PER_CALL, cursorRef };
      const page = await api.list(call, { params: { orgid: orgId }, query });
      choices.push(...page.items);
      cursorRef = page.nextCursor;
    } while (cursorRef !== undefined);
    return choices.toSorted((a, b) => a.name.localeCompare(b.name));
  };
  return queryOptions({ queryKey: [...callKey(call), 'choices', orgId], queryFn: load });
}

const CHOICES_PER_CALL = 50;
