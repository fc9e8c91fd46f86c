import { useEffect, useState } from 'react';
import type { CartItem } from '#domain/cart.ts';
import { useApi } from '../app-context.ts';
import { CalculatorCard } from '../features/calculator/calculator-card.tsx';
import { useTabs } from '../features/calculator/tabs.ts';
import { useCart } from '../features/cart/use-cart.ts';
import { useCheckout } from '../features/payment/use-checkout.ts';
import type { OrgFrame } from '../page-data.ts';
import { late, useLate } from '../ui/late.ts';
import { LatePart } from '../ui/late-part.tsx';
import { VisuallyHidden } from '../ui/visually-hidden.tsx';
import { CART_HASH } from './cart-hash.ts';
import { useCancelledCart } from './use-cancelled-cart.ts';
import { useCityPicking } from './use-city-picking.tsx';

const cartTab = late(() => import('./cart-tab.tsx'));

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
  const later = useLate(cartTab);
  const { show } = tabs;
  useEffect(() => {
    if (window.location.hash === `#${CART_HASH}`) show('cart');
  }, [show]);

  const items = cart.lines.map(({ item }) => item);
  const add = (item: CartItem) => {
    cart.add(item);
    tabs.go('cart');
    setNews(`${item.title} is in your cart, with ${formatItems(items.length + 1)} in all.`);
  };
  const checkOut = () =>
    checkout.checkOut(items, (isOpen) => {
      cart.remove(...cart.lines.map(({ id }) => id));
      tabs.go('air');
      setNews(isOpen ? 'Your payment page is open in a new window.' : '');
    });
  return (
    <>
      <CalculatorCard
        id={CART_HASH}
        tabs={tabs}
        cities={cities}
        onItem={add}
        onPrepare={cartTab.fetch}
        cartCount={cart.lines.length}
        cart={
          <LatePart of={cartTab}>
            {({ CartTab }) => (
              <CartTab
                orgId={org.id}
                cart={cart}
                checkout={checkout}
                onCheckout={() => void checkOut()}
                onRemoved={({ item }) => setNews(`${item.title} was removed from your cart.`)}
              />
            )}
          </LatePart>
        }
      />
      {dialog}
      {later.kind === 'here' && <later.part.CheckoutDialog checkout={checkout} />}
      <VisuallyHidden>
        <output>{news}</output>
      </VisuallyHidden>
    </>
  );
}

function formatItems(count: number): string {
  return count === 1 ? '1 item' : `${count} items`;
}
