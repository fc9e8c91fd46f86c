import type { AttentionItem } from '#contract/schemas/attention.ts';
import type { CheckoutListed } from '#contract/schemas/checkout-records.ts';
import type { Pledge } from '#contract/schemas/pledges.ts';
import type { Undelivered } from '#contract/schemas/receipts.ts';
import type { PledgeStatus } from '#domain/check.ts';
import { ApiProblem } from '#web/api/api-error.ts';
import type { ApiClient, ListAnswer } from '#web/api/client.ts';
import type { ListPage } from '#web/api/use-list.ts';
import type { Search } from '#web/navigation/address.ts';
import { orgPage, type Page } from '#web/site/page.ts';
import { type CheckoutView, searchBodyOf, viewAt } from './checkout-view.ts';

export type CheckoutPage = {
  readonly checkouts: readonly CheckoutListed[];
  readonly hasPrevious: boolean;
  readonly hasNext: boolean;
};

export type CheckoutsData = {
  readonly view: CheckoutView;
  /** Money that could not be applied, above the checkouts. */
  readonly attention: readonly AttentionItem[];
  /** Only the tab that is shown is loaded. */
  readonly page: CheckoutPage | undefined;
  readonly checks: ListPage<Pledge> | undefined;
  readonly receipts?: ListPage<Undelivered> | undefined;
};

export const CHECKOUTS_PAGES: readonly Page[] = [
  {
    guard: 'checkouts.read',
    ...orgPage(
      'checkouts-page',
      async () => (await import('./checkouts-page.tsx')).CheckoutsPage,
      ({ api, params, search }) => loadCheckouts(api, params.orgid, search),
    ),
  },
];

/** §9 */
const PAGE_SIZE = 10;

export async function loadCheckouts(api: ApiClient, orgid: string, search: Search): Promise<CheckoutsData> {
  const view = viewAt(search);
  if (view.tab === 'checks') {
    return { view, attention: [], page: undefined, checks: await loadChecks(api, orgid, view.checks) };
  }
  if (view.tab === 'receipts') {
    return { view, attention: [], page: undefined, checks: undefined, receipts: await loadUndelivered(api, orgid) };
  }
  const [attention, page] = await Promise.all([
    api.call('readAttention', { params: { orgid } }),
    loadPage(api, orgid, view),
  ]);
  return { view, attention, page, checks: undefined };
}

async function loadPage(api: ApiClient, orgid: string, view: CheckoutView): Promise<CheckoutPage> {
  const { cursor, back } = view;
  const body = { ...searchBodyOf(view), max: PAGE_SIZE };
  if (cursor === undefined) return pageOf(await api.list('searchCheckouts', { params: { orgid }, body }), false, false);
  const bodyAtCursor = { ...body, cursorRef: cursor, isNext: !back };
  const listPage = await api
    .list('searchCheckouts', { params: { orgid }, body: bodyAtCursor })
    .catch((error: unknown) => {
      if (error instanceof ApiProblem && error.code === 'unknown-cursor') return undefined;
      throw error;
    });
  // An old address: the checkout at the cursor has been deleted.
  if (!listPage) return loadPage(api, orgid, { ...view, cursor: undefined, back: false });
  // Back at the start: load a full first page, which may have new checkouts.
  if (back && listPage.nextCursor === undefined)
    return loadPage(api, orgid, { ...view, cursor: undefined, back: false });
  return pageOf(listPage, true, back);
}

/** The cursor's own side has more; the other side only if the answer has a next cursor. */
function pageOf({ items, nextCursor }: ListAnswer<'searchCheckouts'>, hasCursor: boolean, back: boolean): CheckoutPage {
  const hasMore = nextCursor !== undefined;
  return { checkouts: items, hasPrevious: back ? hasMore : hasCursor, hasNext: back ? hasCursor : hasMore };
}

export function loadUndelivered(api: ApiClient, orgid: string, cursorRef?: string): Promise<ListPage<Undelivered>> {
  const query = cursorRef === undefined ? {} : { cursorRef };
  return api.list('readUndelivered', { params: { orgid }, query });
}

export function loadChecks(
  api: ApiClient,
  orgid: string,
  status: PledgeStatus | undefined,
  cursorRef?: string,
): Promise<ListPage<Pledge>> {
  const query = { ...(status === undefined ? {} : { status }), ...(cursorRef === undefined ? {} : { cursorRef }) };
  return api.list('readPledges', { params: { orgid }, query });
}
