import { pagePath } from '#contract/pages.ts';
import { DONOR_SORTS, type DonorSort } from '#domain/donor.ts';
import { RECURRING_GIFT_GROUPS, type RecurringGiftGroup } from '#domain/recurring-gift.ts';
import type { ApiClient } from '#web/api/client.ts';
import { callQuery, listQuery, loadList, loadQuery } from '#web/api/queries.ts';
import type { Search } from '#web/navigation/address.ts';
import { withSearch } from '#web/navigation/with-search.ts';
import { guardedOrgPage } from '#web/site/guarded-page.ts';
import type { PageRoute } from '#web/site/page.ts';

/** Search and order of the list, as stored in the URL. */
export type DonorsView = { readonly query: string; readonly sort: DonorSort };
export type DonorsData = { readonly view: DonorsView };
export type DonorData = { readonly donorId: string };
export type RecurringData = {
  /** Undefined shows all gifts. */
  readonly group: RecurringGiftGroup | undefined;
};

export const DONORS_PAGES: readonly PageRoute[] = [
  guardedOrgPage('donors-page', {
    can: 'donors.read',
    component: async () => (await import('./donors-page.tsx')).DonorsPage,
    props: ({ search }): DonorsData => ({ view: parseView(search) }),
    load: ({ api, params }, { view }) => loadList(donorsQuery(api, params.orgid, view)),
  }),
  guardedOrgPage('donor-page', {
    can: 'donors.read',
    component: async () => (await import('./donor-page.tsx')).DonorPage,
    props: ({ params }): DonorData => ({ donorId: params.donorid }),
    load: ({ api, params: { orgid: orgId } }, { donorId }) =>
      Promise.all([loadQuery(donorQuery(api, orgId, donorId)), loadList(donorGiftsQuery(api, orgId, donorId))]),
  }),
  guardedOrgPage('recurring-gifts-page', {
    can: 'donors.read',
    component: async () => (await import('./recurring-gifts-page.tsx')).RecurringGiftsPage,
    props: ({ search }): RecurringData => ({ group: RECURRING_GIFT_GROUPS.find((name) => name === search.group) }),
    load: ({ api, params: { orgid: orgId } }, { group }) =>
      Promise.all([loadQuery(recurringSumsQuery(api, orgId)), loadList(recurringGiftsQuery(api, orgId, group))]),
  }),
];

function parseView(search: Search): DonorsView {
  return { query: search.query ?? '', sort: DONOR_SORTS.find((sort) => sort === search.sort) ?? 'last-gift' };
}

export function donorsUrl(orgId: string, { query, sort }: DonorsView): string {
  const path = pagePath('donors-page', { orgid: orgId });
  return withSearch(path, { query: query.trim(), sort: sort === 'last-gift' ? undefined : sort });
}

export function donorsQuery(api: ApiClient, orgId: string, { query, sort }: DonorsView) {
  return listQuery(api, 'readDonors', { params: { orgid: orgId }, query: { query, sort } });
}

const MAX_MATCHES = 8;

/** The first few donors that match a search. */
export function donorMatchesQuery(api: ApiClient, orgId: string, query: string) {
  return callQuery(api, 'readDonors', { params: { orgid: orgId }, query: { query, max: MAX_MATCHES } });
}

export function donorSumsQuery(api: ApiClient, orgId: string, query: string) {
  return callQuery(api, 'sumDonors', { params: { orgid: orgId }, query: { query } });
}

export function homesQuery(api: ApiClient, orgId: string, ids: readonly string[]) {
  return callQuery(api, 'countHomes', { params: { orgid: orgId }, body: { ids: [...ids] } });
}

export function donorQuery(api: ApiClient, orgId: string, donorId: string) {
  return callQuery(api, 'readDonor', { params: { orgid: orgId, donorid: donorId } });
}

export function donorGiftsQuery(api: ApiClient, orgId: string, donorId: string) {
  return listQuery(api, 'readDonorGifts', { params: { orgid: orgId, donorid: donorId } });
}

export function recurringGiftsQuery(api: ApiClient, orgId: string, group: RecurringGiftGroup | undefined) {
  return listQuery(api, 'readRecurringGifts', {
    params: { orgid: orgId },
    query: group === undefined ? {} : { group },
  });
}

export function recurringSumsQuery(api: ApiClient, orgId: string) {
  return callQuery(api, 'sumRecurringGifts', { params: { orgid: orgId } });
}
