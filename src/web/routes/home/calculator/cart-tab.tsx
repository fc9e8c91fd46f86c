import { useEffect } from 'react';
import { pagePath } from '#contract/pages.ts';
import type { CartLine } from '#web/cart/cart-lines.ts';
import { CartPanel } from '#web/cart/cart-panel.tsx';
import type { Cart } from '#web/cart/cart-store.ts';
import { Link } from '#web/navigation/link.tsx';
import { keepChoice, NO_CHOICE, useKeptChoice } from '#web/payment/gift-choice.ts';
import { chosenFee, GiftOptions } from '#web/payment/gift-options.tsx';
import { TributeOption, useTribute } from '#web/payment/tribute-option.tsx';
import { useCardFee } from '#web/payment/use-card-fee.ts';
import { useCheckout } from '#web/payment/use-checkout.ts';
import { useApi } from '#web/session/app-context.ts';

/** Loaded with the tab that payments start from, so that it is there when the payment page opens. */
export { PaymentStatus } from '#web/payment/payment-status.tsx';

type CartTabProps = {
  orgId: string;
  cart: Cart;
  /** Called when the payment page is ready and the cart is empty. */
  onCheckedOut: () => void;
  onRemoved: (line: CartLine) => void;
};

/** The cart and its checkout. Loaded when a visitor approaches the calculator. */
export function CartTab({ orgId, cart, onCheckedOut, onRemoved }: CartTabProps) {
  const checkout = useCheckout(useApi(), orgId);
  const { checkOut, checkingOut } = checkout;
  const tribute = useTribute(orgId, checkout);
  const fee = useCardFee();
  const choice = useKeptChoice(orgId);
  const items = cart.lines.map(({ item }) => item);
  const coveredFee = chosenFee(items, choice, fee);
  const isEmpty = items.length === 0;
  useEffect(() => {
    if (isEmpty) keepChoice(orgId, NO_CHOICE);
  }, [isEmpty, orgId]);
  const emptyCart = () => {
    keepChoice(orgId, NO_CHOICE);
    cart.remove(...cart.lines.map(({ id }) => id));
    onCheckedOut();
  };
  return (
    <CartPanel
      cart={cart}
      checkingOut={checkingOut}
      problem={tribute.problem}
      onCheckout={() => tribute.check() && void checkOut(items, emptyCart, { coveredFee: coveredFee.first })}
      onRemoved={onRemoved}
      coveredFee={coveredFee}
      options={
        <>
          <TributeOption tribute={tribute} />
          <GiftOptions items={items} fee={fee} choice={choice} onChoice={(chosen) => keepChoice(orgId, chosen)} />
        </>
      }
      besideItems={<Link to={pagePath('donate-page', { orgid: orgId })}>Add a donation</Link>}
    />
  );
}
