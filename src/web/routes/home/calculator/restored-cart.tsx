import { useEffect, useEffectEvent } from 'react';
import { pagePath } from '#contract/pages.ts';
import type { Checkout } from '#contract/schemas/checkouts.ts';
import type { CartItem } from '#domain/cart.ts';
import { m } from '#messages';
import { ApiProblem } from '#web/api/api-error.ts';
import { failureMessage } from '#web/api/failure-message.ts';
import { retryDuringOutage } from '#web/api/retry-during-outage.ts';
import { parseCart } from '#web/cart/cart-lines.ts';
import { CART_HASH, type Cart, getLastCheckoutCart } from '#web/cart/cart-store.ts';
import { useNavigate } from '#web/navigation/use-navigator.ts';
import { saveGiftChoice } from '#web/payment/gift-choice.ts';
import { lastCheckoutStorage } from '#web/payment/last-checkout.ts';
import { tributeStorage } from '#web/payment/tribute-storage.ts';
import { useApi } from '#web/session/app-context.ts';
import { useToast } from '#web/ui/toast.tsx';
import { findStoredInput, listRestorableItems } from './restored-items.ts';

type RestoredCartProps = {
  readonly orgId: string;
  readonly canceledCheckoutId: string;
  readonly cart: Cart;
  readonly onRestored: () => void;
};

/**
 * Restores the cart of a checkout that was canceled on the payment page (decisions §3), and removes the checkout from
 * the address, so that a reload doesn't restore the cart again.
 */
export function RestoredCart({ orgId, canceledCheckoutId, cart, onRestored }: RestoredCartProps) {
  const api = useApi();
  const navigate = useNavigate();
  const toast = useToast();
  /** @returns whether there was anything to restore */
  const restore = useEffectEvent((checkout: Checkout): boolean => {
    const items: readonly CartItem[] = listRestorableItems(cart.lines, checkout);
    if (items.length === 0) return false;
    const lines = parseCart(getLastCheckoutCart(orgId).read());
    for (const item of items) cart.put(item, findStoredInput(lines, item));
    if (checkout.coveredFee > 0) saveGiftChoice(orgId, { coversFee: true });
    tributeStorage(orgId).restore(checkout.id);
    onRestored();
    toast(m.cartRestored());
    return true;
  });
  // The cart's hash makes a reload show the cart.
  const removeFromAddress = useEffectEvent((isRestored: boolean) =>
    navigate(pagePath('home-page', { orgid: orgId }) + (isRestored ? `#${CART_HASH}` : ''), {
      replace: true,
      keepScroll: true,
    }),
  );
  const offerRetry = useEffectEvent((error: unknown, run: () => void) =>
    toast(failureMessage(error), { label: m.tryAgain(), run }),
  );
  useEffect(() => {
    lastCheckoutStorage(orgId).forget(canceledCheckoutId);
    const controller = new AbortController();
    const { signal } = controller;
    const params = { orgid: orgId, checkoutid: canceledCheckoutId };
    const restoreCart = async () => {
      try {
        const checkout = await retryDuringOutage(() => api.call('readCheckout', { params, signal }));
        if (!signal.aborted) await removeFromAddress(restore(checkout));
      } catch (error) {
        if (signal.aborted) return;
        // If the checkout no longer exists, there is no cart to restore.
        if (error instanceof ApiProblem && error.status === 404) await removeFromAddress(false);
        // The address keeps the checkout, so a reload tries again, too.
        else offerRetry(error, () => void restoreCart());
      }
    };
    void restoreCart();
    return () => controller.abort();
  }, [api, orgId, canceledCheckoutId]);
  return null;
}
