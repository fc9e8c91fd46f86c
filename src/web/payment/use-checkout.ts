import { useEffect, useSyncExternalStore } from 'react';
import type { ApiClient } from '#web/api/client.ts';
import { type CheckoutState, type CheckoutStore, createCheckoutStore, NO_CHECKOUT } from './checkout-store.ts';
import { openPaymentWindow } from './payment-window.ts';
import { checkoutKeeperOf } from './use-kept-checkout.ts';

export type Checkout = CheckoutState & Omit<CheckoutStore, 'state' | 'subscribe'>;

/** By the client, of which a server that renders pages has one for each visitor. */
const stores = new WeakMap<ApiClient, Map<string, CheckoutStore>>();

/** A payment that came just now may reach the server a moment later, and is asked for again after so many milliseconds. */
const ASK_AGAIN_MS: readonly number[] = [3_000, 10_000, 30_000];

/** Takes a cart of the organisation to the payment provider's hosted page, and knows where that stands (§4). */
export function useCheckout(api: ApiClient, orgid: string): Checkout {
  const { state, subscribe, ...doing } = checkoutStoreOf(api, orgid);
  return { ...doing, ...useSyncExternalStore(subscribe, state, () => NO_CHECKOUT) };
}

/** Follows the checkout for as long as the page is shown. To be used once on a page. */
export function useFollowedCheckout({
  standing,
  paymentWindow,
  look,
  windowClosed,
  clearProblem,
}: Pick<Checkout, 'standing' | 'paymentWindow' | 'look' | 'windowClosed' | 'clearProblem'>): void {
  useEffect(() => {
    const ask = () => void look();
    ask();
    document.addEventListener('visibilitychange', ask);
    window.addEventListener('focus', ask);
    return () => {
      document.removeEventListener('visibilitychange', ask);
      window.removeEventListener('focus', ask);
    };
  }, [look]);
  useEffect(() => paymentWindow?.whenClosed(() => void windowClosed()), [paymentWindow, windowClosed]);
  const isDoubtful = standing?.kind === 'unpaid' || standing?.kind === 'unknown';
  useEffect(() => {
    if (!isDoubtful) return;
    const timers = ASK_AGAIN_MS.map((milliseconds) => setTimeout(() => void look(), milliseconds));
    return () => timers.forEach(clearTimeout);
  }, [isDoubtful, look]);
  useEffect(() => clearProblem, [clearProblem]);
}

function checkoutStoreOf(api: ApiClient, orgid: string): CheckoutStore {
  const byOrg = stores.get(api) ?? new Map<string, CheckoutStore>();
  stores.set(api, byOrg);
  const known = byOrg.get(orgid);
  if (known) return known;
  const store = createCheckoutStore({
    keeper: checkoutKeeperOf(orgid),
    create: (items) => api.call('createCheckout', { params: { orgid }, body: { cart: [...items] } }),
    read: (checkoutid) => api.call('readCheckout', { params: { orgid, checkoutid } }),
    openWindow: openPaymentWindow,
    isVisible: () => document.visibilityState !== 'hidden',
    now: () => Date.now(),
  });
  byOrg.set(orgid, store);
  return store;
}
