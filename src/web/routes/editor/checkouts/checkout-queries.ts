import { queryOptions } from '@tanstack/react-query';
import type { ListedCheckout } from '#contract/schemas/checkout-records.ts';
import type { PledgeStatus } from '#domain/check.ts';
import { ApiProblem } from '#web/api/api-error.ts';
import type { ApiClient, LoadedPage } from '#web/api/client.ts';
import { callKey, callQuery, listQuery } from '#web/api/queries.ts';
import { type CheckoutFilters, type CheckoutView, searchBodyOf } from './checkout-view.ts';

/** Page of a search. */
export type CheckoutPage = {
  readonly checkouts: readonly ListedCheckout[];
  readonly hasPrevious: boolean;
  readonly hasNext: boolean;
};

/** §9 */
const PAGE_SIZE = 10;

export function checkoutsQuery(api: ApiClient, orgId: string, view: CheckoutView) {
  return queryOptions({
    queryKey: [...searchKey(orgId), view],
    queryFn: () => loadPage(api, orgId, view),
  });
}

/** Key of all searches of an organization's checkouts. */
export function searchKey(orgId: string) {
  return callKey('searchCheckouts', { params: { orgid: orgId } });
}

async function loadPage(api: ApiClient, orgId: string, view: CheckoutView): Promise<CheckoutPage> {
  const { cursor, back } = view;
  const params = { orgid: orgId };
  const body = { ...searchBodyOf(view), max: PAGE_SIZE };
  if (cursor === undefined) return pageOf(await api.list('searchCheckouts', { params, body }), false, false);
  const bodyAtCursor = { ...body, cursorRef: cursor, isNext: !back };
  const listPage = await api.list('searchCheckouts', { params, body: bodyAtCursor }).catch((error: unknown) => {
    if (error instanceof ApiProblem && error.code === 'unknown-cursor') return undefined;
    throw error;
  });
  // The cursor's checkout was deleted, or this is the start of the list: load the first page.
  if (!listPage || listPage.items.length === 0 || (back && listPage.nextCursor === undefined)) {
    return loadPage(api, orgId, { ...view, cursor: undefined, back: false });
  }
  return pageOf(listPage, true, back);
}

/** The list always continues on the cursor's side; the next cursor shows whether it continues on the other. */
function pageOf({ items, nextCursor }: LoadedPage<ListedCheckout>, hasCursor: boolean, back: boolean): CheckoutPage {
  const hasMore = nextCursor !== undefined;
  return { checkouts: items, hasPrevious: back ? hasMore : hasCursor, hasNext: back ? hasCursor : hasMore };
}

export function sumsQuery(api: ApiClient, orgId: string, filters: CheckoutFilters) {
  return callQuery(api, 'sumCheckouts', { params: { orgid: orgId }, body: searchBodyOf(filters) });
}

/** A checkout with its history. Its row in the list gets the status just read. */
export function recordQuery(api: ApiClient, orgId: string, checkoutId: string) {
  return queryOptions({
    queryKey: callKey('readCheckoutRecord', { params: { orgid: orgId, checkoutid: checkoutId } }),
    queryFn: async ({ client }) => {
      const record = await api.call('readCheckoutRecord', { params: { orgid: orgId, checkoutid: checkoutId } });
      const { paymentStatus, refunded } = record;
      const update = (row: ListedCheckout) => (row.id === checkoutId ? { ...row, paymentStatus, refunded } : row);
      client.setQueriesData<CheckoutPage>(
        { queryKey: searchKey(orgId) },
        (page) => page && { ...page, checkouts: page.checkouts.map(update) },
      );
      return record;
    },
  });
}

/** Payments that could not be applied. */
export function attentionQuery(api: ApiClient, orgId: string) {
  return callQuery(api, 'readAttention', { params: { orgid: orgId } });
}

/** Receipts that did not arrive. */
export function undeliveredQuery(api: ApiClient, orgId: string) {
  return listQuery(api, 'readUndelivered', { params: { orgid: orgId } });
}

/** @param status undefined for all checks */
export function checksQuery(api: ApiClient, orgId: string, status: PledgeStatus | undefined) {
  const query = status === undefined ? {} : { status };
  return listQuery(api, 'readPledges', { params: { orgid: orgId }, query });
}
