import { useEffect, useEffectEvent } from 'react';
import { pagePath } from '#contract/pages.ts';
import type { Checkout } from '#contract/schemas/checkouts.ts';
import type { CartItem } from '#domain/cart.ts';
import { restoredItems } from '#web/cart/restored-items.ts';
import type { Cart } from '#web/cart/use-cart.ts';
import { useNavigate } from '#web/navigation/use-navigator.ts';
import { checkoutKeeperOf } from '#web/payment/use-kept-checkout.ts';
import { useApi } from '#web/session/app-context.ts';
import { useToast } from '#web/ui/toast.tsx';

type CancelledCart = {
  readonly orgId: string;
  readonly cancelledCheckoutId: string | undefined;
  readonly cart: Cart;
  /** Called when the items are in the cart again. */
  readonly onBack: () => void;
};

/**
 * Brings back the cart of a checkout that was cancelled on the payment page (decisions §3), and takes the checkout out
 * of the address, so that a reload does not bring it back once more.
 */
export function useCancelledCart({ orgId, cancelledCheckoutId, cart, onBack }: CancelledCart): void {
  const api = useApi();
  const navigate = useNavigate();
  const toast = useToast();
  const restore = useEffectEvent((checkout: Checkout) => {
    const items: readonly CartItem[] = restoredItems(cart.lines, checkout);
    if (items.length === 0) return;
    cart.add(...items);
    onBack();
    toast('Your cart is back');
  });
  const forget = useEffectEvent(() =>
    navigate(pagePath('home-page', { orgid: orgId }), { replace: true, keepScroll: true }),
  );
  useEffect(() => {
    if (cancelledCheckoutId === undefined) return;
    checkoutKeeperOf(orgId).forget(cancelledCheckoutId);
    const controller = new AbortController();
    const { signal } = controller;
    const params = { orgid: orgId, checkoutid: cancelledCheckoutId };
    const bringBack = async () => {
      // A checkout that is not there (any more) has no cart to bring back, and nobody needs to hear of it.
      const checkout = await api.call('readCheckout', { params, signal }).catch(() => undefined);
      if (signal.aborted) return;
      if (checkout) restore(checkout);
      await forget();
    };
    void bringBack();
    return () => controller.abort();
  }, [api, orgId, cancelledCheckoutId]);
}
