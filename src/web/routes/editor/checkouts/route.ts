import type { ApiClient } from '#web/api/client.ts';
import { loadList, loadQuery } from '#web/api/queries.ts';
import { orgPage, type PageRoute } from '#web/site/page.ts';
import { attentionQuery, checkoutsQuery, checksQuery, undeliveredQuery } from './checkout-queries.ts';
import { type CheckoutView, viewAt } from './checkout-view.ts';

export type CheckoutsData = { readonly view: CheckoutView };

export const CHECKOUTS_PAGES: readonly PageRoute[] = [
  {
    guard: 'checkouts.read',
    ...orgPage(
      'checkouts-page',
      async () => (await import('./checkouts-page.tsx')).CheckoutsPage,
      async ({ api, params, search }): Promise<CheckoutsData> => {
        const view = viewAt(search);
        await loadTab(api, params.orgid, view);
        return { view };
      },
    ),
  },
];

/** Loads the data of the tab that is shown. */
async function loadTab(api: ApiClient, orgId: string, view: CheckoutView): Promise<void> {
  if (view.tab === 'checks') await loadList(checksQuery(api, orgId, view.checks));
  else if (view.tab === 'receipts') await loadList(undeliveredQuery(api, orgId));
  else {
    await Promise.all([loadQuery(attentionQuery(api, orgId)), loadQuery(checkoutsQuery(api, orgId, view))]);
  }
}
