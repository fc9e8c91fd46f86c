import type { CheckoutListed } from '#contract/schemas/checkout-records.ts';
import { ApiProblem } from '#web/api/api-error.ts';
import type { ApiClient, ListAnswer } from '#web/api/client.ts';
import type { Search } from '#web/navigation/address.ts';
import { orgPage, type Page } from '#web/site/page.ts';
import { type ChecksPart, loadChecks } from '../checks/load-checks.ts';
import { type CheckoutView, viewAt, wantedOf } from './checkout-view.ts';

/** A page of checkouts, and whether there are more on either side of it. */
export type CheckoutPage = {
  readonly checkouts: readonly CheckoutListed[];
  readonly hasPrevious: boolean;
  readonly hasNext: boolean;
};

export type CheckoutsData = {
  readonly view: CheckoutView;
  /** Of the part that is shown; the other one is not asked for. */
  readonly page: CheckoutPage | undefined;
  readonly checks: ChecksPart | undefined;
};

export const CHECKOUTS_PAGES: readonly Page[] = [
  {
    guard: 'checkouts.manage',
    ...orgPage(
      'checkouts-page',
      async () => (await import('./checkouts-page.tsx')).CheckoutsPage,
      ({ api, params, search }) => loadCheckouts(api, params.orgid, search),
    ),
  },
];

/** The specification's page of the editors' table (§9). */
const CHECKOUTS_A_PAGE = 10;

export async function loadCheckouts(api: ApiClient, orgid: string, search: Search): Promise<CheckoutsData> {
  const view = viewAt(search);
  if (view.part === 'checks') {
    return { view, page: undefined, checks: await loadChecks(api, orgid, view.checks) };
  }
  return { view, page: await loadPage(api, orgid, view), checks: undefined };
}

async function loadPage(api: ApiClient, orgid: string, view: CheckoutView): Promise<CheckoutPage> {
  const { cursor, back } = view;
  const body = { ...wantedOf(view), max: CHECKOUTS_A_PAGE };
  if (cursor === undefined) return pageOf(await api.list('searchCheckouts', { params: { orgid }, body }), false, false);
  const turned = { ...body, cursorRef: cursor, isNext: !back };
  const part = await api.list('searchCheckouts', { params: { orgid }, body: turned }).catch((error: unknown) => {
    if (error instanceof ApiProblem && error.code === 'unknown-cursor') return undefined;
    throw error;
  });
  // Of an old address: the checkout that the page began from is not there any more.
  if (!part) return loadPage(api, orgid, { ...view, cursor: undefined, back: false });
  // At the beginning again: new ones may have come there, and the page is a whole one.
  if (back && part.nextCursor === undefined) return loadPage(api, orgid, { ...view, cursor: undefined, back: false });
  return pageOf(part, true, back);
}

/** What lies behind the cursor is there; further on there is something if the answer says so. */
function pageOf({ items, nextCursor }: ListAnswer<'searchCheckouts'>, hasCursor: boolean, back: boolean): CheckoutPage {
  const goesOn = nextCursor !== undefined;
  return { checkouts: items, hasPrevious: back ? goesOn : hasCursor, hasNext: back ? hasCursor : goesOn };
}
