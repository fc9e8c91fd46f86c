import { queryOptions } from '@tanstack/react-query';
import type { ListedCheckout, ListedGift, ListedRenewal } from '#contract/schemas/checkout-records.ts';
import { ApiProblem } from '#web/api/api-error.ts';
import type { ApiClient, LoadedPage } from '#web/api/client.ts';
import { callKey, callQuery, listQuery } from '#web/api/queries.ts';
import { type CheckoutFilters, type CheckoutView, toSearchBody } from '../checkout-view.ts';

/** A page of search results. */
type CheckoutPage = {
  readonly checkouts: readonly ListedGift[];
  /** Number of rows before this page; undefined if there are too many to count. */
  readonly position: number | undefined;
  readonly hasPrevious: boolean;
  readonly hasNext: boolean;
};

/** Rows per page (§9). */
const PAGE_SIZE = 10;

export function checkoutsQuery(api: ApiClient, orgId: string, view: CheckoutView) {
  return queryOptions({
    // The open gift doesn't affect the list.
    queryKey: [...createSearchKey(orgId), { ...view, openGift: undefined }],
    queryFn: () => loadPage(api, orgId, view),
  });
}

/** Key of all searches of an organization's checkouts. */
export function createSearchKey(orgId: string) {
  return callKey('searchCheckouts', { params: { orgid: orgId } });
}

async function loadPage(api: ApiClient, orgId: string, view: CheckoutView): Promise<CheckoutPage> {
  const { cursor, isBackward, sort, order } = view;
  const params = { orgid: orgId };
  const body = { ...toSearchBody(view), max: PAGE_SIZE, sort, order };
  if (cursor === undefined) return toPage(await api.list('searchCheckouts', { params, body }), false, false);
  const bodyAtCursor = { ...body, cursorRef: cursor, isNext: !isBackward };
  const listPage = await api.list('searchCheckouts', { params, body: bodyAtCursor }).catch((error: unknown) => {
    if (error instanceof ApiProblem && error.code === 'unknown-cursor') return undefined;
    throw error;
  });
  // The cursor's checkout was deleted, or this is the start of the list: load the first page.
  if (!listPage || listPage.items.length === 0 || (isBackward && listPage.nextCursor === undefined)) {
    return loadPage(api, orgId, { ...view, cursor: undefined, isBackward: false });
  }
  return toPage(listPage, true, isBackward);
}

/** The cursor's side always has rows. The next cursor indicates whether the other side has any. */
function toPage(
  { items, nextCursor, position }: LoadedPage<ListedGift>,
  hasCursor: boolean,
  isBackward: boolean,
): CheckoutPage {
  const hasMore = nextCursor !== undefined;
  return {
    checkouts: items,
    position,
    hasPrevious: isBackward ? hasMore : hasCursor,
    hasNext: isBackward ? hasCursor : hasMore,
  };
}

/** @returns whether a row of the table is a check; other rows are checkouts or renewals */
export function isCheck(gift: ListedGift): gift is Exclude<ListedGift, ListedCheckout | ListedRenewal> {
  return 'checkNumber' in gift;
}

export function isRenewal(gift: ListedGift): gift is ListedRenewal {
  return 'checkoutid' in gift;
}

export function sumsQuery(api: ApiClient, orgId: string, filters: CheckoutFilters) {
  return callQuery(api, 'sumCheckouts', { params: { orgid: orgId }, body: toSearchBody(filters) });
}

/** A checkout with its history. */
export function recordQuery(api: ApiClient, orgId: string, checkoutId: string) {
  return callQuery(api, 'readCheckoutRecord', { params: { orgid: orgId, checkoutid: checkoutId } });
}

/** Payments that could not be applied. */
export function attentionQuery(api: ApiClient, orgId: string) {
  return callQuery(api, 'readAttention', { params: { orgid: orgId } });
}

/** Receipts to send manually. */
export function undeliveredQuery(api: ApiClient, orgId: string) {
  return listQuery(api, 'readUndelivered', { params: { orgid: orgId } });
}

/** A check with its history. */
export function checkRecordQuery(api: ApiClient, orgId: string, pledgeId: string) {
  return callQuery(api, 'readCheckRecord', { params: { orgid: orgId, pledgeid: pledgeId } });
}
