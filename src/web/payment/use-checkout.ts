import { useEffect, useSyncExternalStore } from 'react';
import { cartTotal } from '#domain/cart.ts';
import { toDollars } from '#domain/money.ts';
import type { ApiClient } from '#web/api/client.ts';
import { retryDuringOutage } from '#web/api/retry-during-outage.ts';
import { memoizeByKey } from '#web/browser/memoize-by-key.ts';
import { useApi } from '#web/session/app-context.ts';
import { type CheckoutState, type CheckoutStore, createCheckoutStore, NO_CHECKOUT } from './checkout-store.ts';
import { lastCheckoutStorage } from './last-checkout.ts';
import { recordPaidCheckout } from './paid-checkout.ts';
import { openPaymentWindow } from './payment-window.ts';
import { onPaymentSettled } from './settled-channel.ts';
import { toTributeBody, tributeStorage } from './tribute-storage.ts';

export type CheckoutControls = CheckoutState & Omit<CheckoutStore, 'state' | 'subscribe'>;

/** Delays before an unpaid checkout is checked again, because its payment may reach the server a little later. */
const REFRESH_DELAYS_MS: readonly number[] = [3_000, 10_000, 30_000];

/** Checks out at the payment provider's hosted page, and tracks the payment (§4). */
export function useCheckout(orgId: string): CheckoutControls {
  const { state, subscribe, ...actions } = checkoutStores(useApi())(orgId);
  return { ...actions, ...useSyncExternalStore(subscribe, state, () => NO_CHECKOUT) };
}

/** Keeps the state of the payment up to date while the page is open. Use it once per page. */
export function useLiveCheckout(
  orgId: string,
  {
    payment,
    paymentWindow,
    refresh,
    handleWindowClosed,
    clearError,
  }: Pick<CheckoutControls, 'payment' | 'paymentWindow' | 'refresh' | 'handleWindowClosed' | 'clearError'>,
): void {
  useEffect(() => {
    const refreshNow = () => void refresh();
    refreshNow();
    document.addEventListener('visibilitychange', refreshNow);
    window.addEventListener('focus', refreshNow);
    return () => {
      document.removeEventListener('visibilitychange', refreshNow);
      window.removeEventListener('focus', refreshNow);
    };
  }, [refresh]);
  useEffect(() => onPaymentSettled(orgId, () => void refresh()), [orgId, refresh]);
  useEffect(() => paymentWindow?.whenClosed(() => void handleWindowClosed()), [paymentWindow, handleWindowClosed]);
  const isUnsettled = payment?.kind === 'unpaid' || payment?.kind === 'unknown';
  useEffect(() => {
    if (!isUnsettled) return;
    const timers = REFRESH_DELAYS_MS.map((milliseconds) => setTimeout(() => void refresh(), milliseconds));
    return () => timers.forEach(clearTimeout);
  }, [isUnsettled, refresh]);
  useEffect(() => clearError, [clearError]);
}

/** The checkouts of each API client, by the organization's id. The server has a client for each page it renders. */
const checkoutStores = memoizeByKey(
  (api: ApiClient) => memoizeByKey((orgId: string) => newCheckoutStore(api, orgId)),
  new WeakMap<ApiClient, (orgId: string) => CheckoutStore>(),
);

function newCheckoutStore(api: ApiClient, orgId: string): CheckoutStore {
  return createCheckoutStore({
    storage: lastCheckoutStorage(orgId),
    create: async (items, { coveredFee, challengeToken }) => {
      const total = toDollars(cartTotal(items) + coveredFee);
      const fee = coveredFee === 0 ? {} : { coversFee: true, total };
      const tribute = tributeStorage(orgId);
      const draft = tribute.readDraft();
      const body = {
        cart: [...items],
        ...fee,
        ...(draft && { tribute: toTributeBody(draft) }),
        ...(challengeToken !== undefined && { challenge: challengeToken }),
      };
      const checkout = await retryDuringOutage(() => api.call('createCheckout', { params: { orgid: orgId }, body }));
      tribute.markSent(checkout.id);
      return checkout;
    },
    read: async (checkoutId) => {
      const checkout = await api.call('readCheckout', { params: { orgid: orgId, checkoutid: checkoutId } });
      const { paymentStatus } = checkout;
      if (paymentStatus === 'paid' || paymentStatus === 'processing') recordPaidCheckout(orgId, checkoutId);
      return checkout;
    },
    openWindow: openPaymentWindow,
    isVisible: () => document.visibilityState !== 'hidden',
    now: () => Date.now(),
  });
}
