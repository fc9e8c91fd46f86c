import { pagePath } from '#contract/pages.ts';
import type { CartLine } from '#web/cart/cart-lines.ts';
import { CartPanel } from '#web/cart/cart-panel.tsx';
import type { Cart } from '#web/cart/use-cart.ts';
import { Link } from '#web/navigation/link.tsx';
import { useCheckout } from '#web/payment/use-checkout.ts';
import { useApi } from '#web/session/app-context.ts';

/** Comes with the tab that a payment begins from, so that it is here when the payment page has an address. */
export { PaymentStanding } from '#web/payment/payment-standing.tsx';

type CartTabProps = {
  orgId: string;
  cart: Cart;
  /** The payment page is there, and the cart empty. */
  onCheckedOut: () => void;
  onRemoved: (line: CartLine) => void;
};

/** The cart and the way to its payment page. Fetched when somebody comes near the calculator's tabs. */
export function CartTab({ orgId, cart, onCheckedOut, onRemoved }: CartTabProps) {
  const { checkOut, checkingOut, problem } = useCheckout(useApi(), orgId);
  const emptyCart = () => {
    cart.remove(...cart.lines.map(({ id }) => id));
    onCheckedOut();
  };
  return (
    <CartPanel
      cart={cart}
      checkingOut={checkingOut}
      problem={problem}
      onCheckout={() =>
        void checkOut(
          cart.lines.map(({ item }) => item),
          emptyCart,
        )
      }
      onRemoved={onRemoved}
      besideItems={<Link to={pagePath('donate-page', { orgid: orgId })}>Add a donation</Link>}
    />
  );
}
