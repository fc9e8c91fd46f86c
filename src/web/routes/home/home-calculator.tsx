import { useEffect, useState } from 'react';
import { pagePath } from '#contract/pages.ts';
import type { CartItem } from '#domain/cart.ts';
import { CART_HASH } from '#web/cart/cart-hash.ts';
import { useCart } from '#web/cart/use-cart.ts';
import { useHasKeptCheckout } from '#web/payment/use-kept-checkout.ts';
import type { OrgFrame } from '#web/site/page.ts';
import { LatePart, late, useLate } from '#web/ui/lazy-part.tsx';
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx';
import { WithoutScripts } from '#web/ui/without-scripts.tsx';
import { CalculatorCard } from './calculator/calculator-card.tsx';
import { useTabs } from './calculator/tabs.ts';
import styles from './home-calculator.module.css';
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
  const { cities, dialog } = useCityPicking(site.placesCredit);
  const [news, setNews] = useState('');
  useCancelledCart({ orgId: org.id, cancelledCheckoutId, cart, onBack: () => tabs.show('cart') });
  const { show } = tabs;
  useEffect(() => {
    if (window.location.hash === `#${CART_HASH}`) show('cart');
  }, [show]);

  const add = (item: CartItem) => {
    cart.add(item);
    tabs.go('cart');
    setNews(`${item.title} is in your cart, with ${formatItems(cart.lines.length + 1)} in all.`);
  };
  const checkedOut = () => {
    tabs.go('air');
    // What there is to say of the payment, its notice says.
    setNews('');
  };
  return (
    <>
      <WithoutScripts>
        <p>
          The calculator and the cart need JavaScript. Without it you can still{' '}
          <a href={pagePath('donate-page', { orgid: org.id })}>give by check</a>.
        </p>
      </WithoutScripts>
      <HomePayment orgId={org.id} />
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
                onCheckedOut={checkedOut}
                onRemoved={({ item }) => setNews(`${item.title} was removed from your cart.`)}
              />
            )}
          </LatePart>
        }
      />
      {dialog}
      <VisuallyHidden>
        <output>{news}</output>
      </VisuallyHidden>
    </>
  );
}

/** Where the last payment stands, for whoever was here before or has begun one now. Above the card, whatever its tab. */
function HomePayment({ orgId }: { orgId: string }) {
  const later = useLate(cartTab);
  const isKept = useHasKeptCheckout(orgId);
  useEffect(() => {
    if (isKept) cartTab.fetch();
  }, [isKept]);
  return later.kind === 'here' && <later.part.PaymentStanding orgId={orgId} className={styles.payment} />;
}

function formatItems(count: number): string {
  return count === 1 ? '1 item' : `${count} items`;
}
