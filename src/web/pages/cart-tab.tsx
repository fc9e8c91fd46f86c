import { pagePath } from '#contract/pages.ts';
import type { CartLine } from '../features/cart/cart-lines.ts';
import { CartPanel } from '../features/cart/cart-panel.tsx';
import type { Cart } from '../features/cart/use-cart.ts';
import { PaymentOpened } from '../features/payment/payment-opened.tsx';
import type { Checkout } from '../features/payment/use-checkout.ts';
import { Link } from '../navigation/link.tsx';

/** Comes with the tab that it is opened from, so that it is here when the payment page has an address. */
export { CheckoutDialog } from '../features/payment/checkout-dialog.tsx';

type CartTabProps = {
  orgId: string;
  cart: Cart;
  checkout: Checkout;
  onCheckout: () => void;
  onRemoved: (line: CartLine) => void;
};

/** The cart, and where its last payment page is. Fetched when somebody comes near the calculator's tabs. */
export function CartTab({ orgId, cart, checkout, onCheckout, onRemoved }: CartTabProps) {
  const { checkingOut, problem, paymentUrl } = checkout;
  return (
    <CartPanel
      cart={cart}
      checkingOut={checkingOut}
      problem={problem}
      onCheckout={onCheckout}
      onRemoved={onRemoved}
      besideItems={<Link to={pagePath('donate-page', { orgid: orgId })}>Add a donation</Link>}
      whenEmpty={paymentUrl !== undefined && <PaymentOpened url={paymentUrl} />}
    />
  );
}
