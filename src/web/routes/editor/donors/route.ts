import { pagePath } from '#contract/pages.ts';
import { DONOR_SORTS, type DonorSort } from '#domain/donor.ts';
import { RECURRING_GIFT_GROUPS, type RecurringGiftGroup } from '#domain/recurring-gift.ts';
import type { ApiClient } from '#web/api/client.ts';
import { callQuery, listQuery, loadList, loadQuery } from '#web/api/queries.ts';
import type { Search } from '#web/navigation/address.ts';
import { withSearch } from '#web/navigation/with-search.ts';
import { orgPage, type PageRoute } from '#web/site/page.ts';

/** The search and order of the list, which are in the address. */
export type DonorsView = { readonly query: string; readonly sort: DonorSort };
export type DonorsData = { readonly view: DonorsView };
export type DonorData = { readonly donorId: string };
/** Undefined shows all gifts. */
export type RecurringData = { readonly group: RecurringGiftGroup | undefined };

export const DONORS_PAGES: readonly PageRoute[] = [
  {
    guard: 'donors.read',
    ...orgPage(
      'donors-page',
      async () => (await import('./donors-page.tsx')).DonorsPage,
      async ({ api, params: { orgid }, search }): Promise<DonorsData> => {
        const view = viewAt(search);
        await loadList(donorsQuery(api, orgid, view));
        return { view };
      },
    ),
  },
  {
    guard: 'donors.read',
    ...orgPage(
      'donor-page',
      async () => (await import('./donor-page.tsx')).DonorPage,
      async ({ api, params: { orgid, donorid } }): Promise<DonorData> => {
        await Promise.all([loadQuery(donorQuery(api, orgid, donorid)), loadList(donorGiftsQuery(api, orgid, donorid))]);
        return { donorId: donorid };
      },
    ),
  },
  {
    guard: 'donors.read',
    ...orgPage(
      'recurring-gifts-page',
      async () => (await import('./recurring-gifts-page.tsx')).RecurringGiftsPage,
      async ({ api, params: { orgid }, search }): Promise<RecurringData> => {
        const group = RECURRING_GIFT_GROUPS.find((each) => each === search.group);
        await Promise.all([
          loadQuery(recurringSumsQuery(api, orgid)),
          loadList(recurringGiftsQuery(api, orgid, group)),
        ]);
        return { group };
      },
    ),
  },
];

function viewAt(search: Search): DonorsView {
  return { query: search.query ?? '', sort: DONOR_SORTS.find((sort) => sort === search.sort) ?? 'last-gift' };
}

export function donorsAddress(orgId: string, { query, sort }: DonorsView): string {
  const path = pagePath('donors-page', { orgid: orgId });
  return withSearch(path, { query: query.trim(), sort: sort === 'last-gift' ? undefined : sort });
}

export function donorsQuery(api: ApiClient, orgId: string, { query, sort }: DonorsView) {
  return listQuery(api, 'readDonors', { params: { orgid: orgId }, query: { query, sort } });
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
