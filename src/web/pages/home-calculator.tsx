import { useEffect, useState } from 'react';
import { type CartItem, cartTotal } from '#domain/cart.ts';
import { formatCents } from '#domain/money.ts';
import { useApi } from '../app-context.ts';
import { CalculatorCard } from '../features/calculator/calculator-card.tsx';
import { useTabs } from '../features/calculator/tabs.ts';
import { CartPanel } from '../features/cart/cart-panel.tsx';
import { useCart } from '../features/cart/use-cart.ts';
import { CheckoutDialog } from '../features/payment/checkout-dialog.tsx';
import { PaymentOpened } from '../features/payment/payment-opened.tsx';
import { useCheckout } from '../features/payment/use-checkout.ts';
import type { OrgFrame } from '../page-data.ts';
import { VisuallyHidden } from '../ui/visually-hidden.tsx';
import { CART_HASH } from './cart-hash.ts';
import { useCancelledCart } from './use-cancelled-cart.ts';
import { useCityPicking } from './use-city-picking.tsx';

type HomeCalculatorProps = OrgFrame & {
  /** The checkout that was cancelled on the payment page, whose cart comes back. */
  cancelledCheckoutId?: string | undefined;
};

/** The card on the home page: estimate, put into the cart, check out (§2, §4). */
export function HomeCalculator({ org, site, cancelledCheckoutId }: HomeCalculatorProps) {
  const tabs = useTabs();
  const cart = useCart(org.id);
  const checkout = useCheckout(useApi(), org.id);
  const { cities, dialog } = useCityPicking(site.placesCredit);
  const [news, setNews] = useState('');
  useCancelledCart({ orgId: org.id, cancelledCheckoutId, cart, onBack: () => tabs.show('cart') });
  const { show } = tabs;
  useEffect(() => {
    if (window.location.hash === `#${CART_HASH}`) show('cart');
  }, [show]);

  const items = cart.lines.map(({ item }) => item);
  const add = (item: CartItem) => {
    cart.add(item);
    tabs.go('cart');
    setNews(`${item.title} is in your cart. Total: ${formatCents(cartTotal([...items, item]))}`);
  };
  const checkOut = () =>
    checkout.checkOut(items, () => {
      cart.empty();
      tabs.go('air');
      setNews('Your payment page opened in a new window.');
    });
  return (
    <>
      <CalculatorCard
        id={CART_HASH}
        tabs={tabs}
        cities={cities}
        onItem={add}
        cartCount={cart.lines.length}
        cart={
          <CartPanel
            cart={cart}
            checkingOut={checkout.checkingOut}
            problem={checkout.problem}
            onCheckout={() => void checkOut()}
            onRemoved={({ item }) => setNews(`${item.title} was removed from your cart.`)}
          >
            {checkout.paymentUrl && <PaymentOpened url={checkout.paymentUrl} />}
          </CartPanel>
        }
      />
      {dialog}
      <CheckoutDialog checkout={checkout} />
      <VisuallyHidden>
        <output>{news}</output>
      </VisuallyHidden>
    </>
  );
}
