import { pagePath } from '#contract/pages.ts';
import type { Org } from '#contract/schemas/orgs.ts';
import { type CartItem, withCurrentPrice } from '#domain/cart.ts';
import type { VersionedFactors } from '#domain/emissions.ts';
import { typicalGrantCents } from '#domain/gift-effect.ts';
import { formatCents, toChargedCents } from '#domain/money.ts';
import { m } from '#messages';
import { type CartLine, serializeCart } from '#web/cart/cart-lines.ts';
import { CartPanel } from '#web/cart/cart-panel.tsx';
import { type Cart, getLastCheckoutCart } from '#web/cart/cart-store.ts';
import { Link } from '#web/navigation/link.tsx';
import { saveGiftChoice, useGiftChoice } from '#web/payment/gift-choice.ts';
import { GiftOptions, getSelectedFee } from '#web/payment/gift-options.tsx';
import { TributeOption, useTribute } from '#web/payment/tribute-option.tsx';
import { useCardFee } from '#web/payment/use-card-fee.ts';
import { useCheckout } from '#web/payment/use-checkout.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { useToast } from '#web/ui/toast.tsx';
import { describeGroupItem, GROUP_HASH, NO_GROUP, parseGroup } from '../group/group-estimate.ts';
import { type CalculatorOrg, describeInput, getLineInput, type TabInput } from './calculator-input.ts';

/** Loads together with the tab where payments start, so that it is ready when the payment page opens. */
export { PaymentPanel } from '#web/payment/payment-status.tsx';

type CartTabProps = {
  org: CalculatorOrg & Pick<Org, 'typicalGrant' | 'savingYears'>;
  cart: Cart;
  /** Called when the payment page is ready and the cart is empty. */
  onCheckedOut: () => void;
  /** Opens the calculator of a line. */
  onEdit: (id: number, input: TabInput) => void;
  /** Shows and focuses the cart. */
  onShow: () => void;
  /** Announces a change to screen readers. */
  onAnnounce: (sentence: string) => void;
};

/** The cart and its checkout. Loaded when a visitor hovers over or focuses the calculator. */
export function CartTab({ org, cart: storedCart, onCheckedOut, onEdit, onShow, onAnnounce }: CartTabProps) {
  const { id: orgId, typicalGrant, savingYears } = org;
  const checkout = useCheckout(orgId);
  const { checkOut, isCheckingOut } = checkout;
  const tribute = useTribute(orgId, checkout);
  const fee = useCardFee();
  const choice = useGiftChoice(orgId);
  const toast = useToast();
  const cart = { ...storedCart, lines: applyCurrentPrices(storedCart.lines, org.factors) };
  const items = getItems(cart.lines);
  const getFee = (cartItems: readonly CartItem[]) => getSelectedFee(cartItems, choice, fee);
  const donatePath = pagePath('donate-page', { orgid: orgId });
  const checkOutLines = (lines: readonly CartLine[]) => {
    if (!tribute.check()) return;
    const itemsToPay = getItems(lines);
    const removeLines = () => {
      getLastCheckoutCart(orgId).write(serializeCart(lines));
      const remainingLines = cart.remove(...lines.map(({ id }) => id));
      if (remainingLines.length === 0) onCheckedOut();
    };
    void checkOut(itemsToPay, removeLines, { coveredFee: getFee(itemsToPay).first });
  };
  const offerUndo = (line: CartLine, index: number) =>
    toast(m.cartRemoved({ item: line.item.title }), {
      label: m.undo(),
      run: () => {
        // The stored line has the original price, so that the cart shows the price change again.
        cart.restore(storedCart.lines.find(({ id }) => id === line.id) ?? line, index);
        onShow();
        onAnnounce(m.cartBack({ item: line.item.title }));
      },
    });
  const getDetails = (line: CartLine) => {
    const name = m.cartEdit({ item: line.item.title, amount: formatCents(toChargedCents(line.item.cost)) });
    const editLink = (address: string) => (
      <ButtonLink kind="quiet" to={address} aria-label={name}>
        {m.navEdit()}
      </ButtonLink>
    );
    if (line.item.type === 'donation') return { edit: editLink(`${donatePath}?edit=${line.id}`) };
    const input = getLineInput(line, org.factors);
    if (!input) return {};
    if (input.tab === 'group') {
      const text = describeGroupItem(parseGroup(input.text) ?? NO_GROUP, line.item.offsetType);
      return { text, edit: editLink(pagePath('group-page', { orgid: orgId }) + GROUP_HASH + input.text) };
    }
    const edit = (
      <Button kind="quiet" aria-label={name} onClick={() => onEdit(line.id, input)}>
        {m.navEdit()}
      </Button>
    );
    return { text: describeInput(input), edit };
  };
  return (
    <CartPanel
      cart={cart}
      isCheckingOut={isCheckingOut}
      problem={tribute.problem}
      onCheckout={checkOutLines}
      onRemoved={offerUndo}
      onAnnounce={onAnnounce}
      getFee={getFee}
      typicalGrant={typicalGrantCents(typicalGrant)}
      savingYears={savingYears}
      getDetails={getDetails}
      options={
        <>
          <GiftOptions
            items={items}
            fee={fee}
            choice={choice}
            onChoice={(newChoice) => saveGiftChoice(orgId, newChoice)}
          />
          <TributeOption tribute={tribute} />
        </>
      }
      priceChanges={describePriceChanges(storedCart.lines, cart.lines)}
      belowItems={<Link to={donatePath}>{m.cartAddDonation()}</Link>}
    />
  );
}

/** The lines at the current price. Stored lines keep their original price, so that the cart can show price changes. */
function applyCurrentPrices(lines: readonly CartLine[], factorSet: VersionedFactors | undefined): CartLine[] {
  return lines.map((line) => ({ ...line, item: withCurrentPrice(line.item, factorSet) }));
}

/** Messages about items whose price has changed since they were added. Both arrays are in the same order. */
function describePriceChanges(storedLines: readonly CartLine[], currentLines: readonly CartLine[]): string[] {
  const formatCost = ({ cost }: CartItem) => formatCents(toChargedCents(cost));
  return currentLines.flatMap(({ item }, index) => {
    const storedItem = storedLines[index]?.item ?? item;
    if (storedItem.cost === item.cost) return [];
    return [m.cartRepriced({ item: item.title, before: formatCost(storedItem), now: formatCost(item) })];
  });
}

function getItems(lines: readonly CartLine[]): CartItem[] {
  return lines.map(({ item }) => item);
}
