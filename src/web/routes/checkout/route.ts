import type { Checkout } from '#contract/schemas/checkouts.ts';
import type { ApiClient } from '#web/api/client.ts';
import { loadCells, type PageCells } from '#web/api/page-cells.ts';
import { orgPage, type PageRoute } from '#web/site/page.ts';

export type CheckoutData = {
  readonly checkout: Checkout;
  readonly cells: PageCells<'checkout'>;
  /** The key from the link to the receipt. It keeps a paid checkout open for 30 days. */
  readonly receiptKey: string | undefined;
};

export const CHECKOUT_PAGES: readonly PageRoute[] = [
  orgPage(
    'checkout-page',
    async () => (await import('./checkout-page.tsx')).CheckoutPage,
    async ({ api, params, search, session }) => {
      // The form is shorter for a logged-in donor. If the session can't be read, treat the user as logged out.
      await session.ready().catch(() => {});
      return loadCheckout(api, params.orgid, params.checkoutid, search.receipt);
    },
  ),
  orgPage(
    'checkout-complete-page',
    async () => (await import('./checkout-complete-page.tsx')).CheckoutCompletePage,
    async ({ params, session }) => {
      await session.ready().catch(() => {});
      return { checkoutId: params.checkoutid };
    },
  ),
];

async function loadCheckout(
  api: ApiClient,
  orgId: string,
  checkoutId: string,
  receiptKey: string | undefined,
): Promise<CheckoutData> {
  const [checkout, cells] = await Promise.all([
    api.call('readCheckout', {
      params: { orgid: orgId, checkoutid: checkoutId },
      query: receiptKey === undefined ? {} : { receipt: receiptKey },
    }),
    loadCells(api, orgId, 'checkout'),
  ]);
  return { checkout, cells, receiptKey };
}
