import type { ApiClient } from '#web/api/client.ts';
import { loadList, loadQuery, loadUnlessFresh } from '#web/api/queries.ts';
import { guardedOrgPage } from '#web/site/guarded-page.ts';
import type { PageRoute } from '#web/site/page.ts';
import { type CheckoutView, parseView } from '../checkout-view.ts';
import { attentionQuery, checkoutsQuery, undeliveredQuery } from './checkout-queries.ts';

export type CheckoutsData = { readonly view: CheckoutView };

export const CHECKOUTS_PAGES: readonly PageRoute[] = [
  guardedOrgPage('checkouts-page', {
    can: 'checkouts.read',
    component: async () => (await import('./checkouts-page.tsx')).CheckoutsPage,
    props: ({ search }): CheckoutsData => ({ view: parseView(search) }),
    load: ({ api, params }, { view }) => loadTab(api, params.orgid, view),
  }),
];

/** Loads the data of the current tab. When a gift is opened from the list, the list is already loaded. */
async function loadTab(api: ApiClient, orgId: string, view: CheckoutView): Promise<void> {
  if (view.tab === 'receipts') return loadList(undeliveredQuery(api, orgId));
  const load = view.openGift ? loadUnlessFresh : loadQuery;
  await Promise.all([load(attentionQuery(api, orgId)), load(checkoutsQuery(api, orgId, view))]);
}
