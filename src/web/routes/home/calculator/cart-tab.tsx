import { useRef } from 'react';
import { pagePath } from '#contract/pages.ts';
import { chargeFailure } from '#domain/card-fee.ts';
import { type CartItem, donationItem, withCurrentPrice } from '#domain/cart.ts';
import type { VersionedFactors } from '#domain/emissions.ts';
import { formatCents, formatWholeDollars, toChargedCents } from '#domain/money.ts';
import { calculateMissingDollars } from '#domain/validate-cart.ts';
import { m } from '#messages';
import { type CartLine, serializeCart } from '#web/cart/cart-lines.ts';
import { CartRow, focusNextRemoveButton } from '#web/cart/cart-row.tsx';
import { type Cart, getLastCheckoutCart } from '#web/cart/cart-store.ts';
import { Link } from '#web/navigation/link.tsx';
import { saveGiftChoice, useGiftChoice } from '#web/payment/gift-choice.ts';
import { GiftOptions, getSelectedFee } from '#web/payment/gift-options.tsx';
import { TributeOption, useTribute } from '#web/payment/tribute-option.tsx';
import { useCardFee } from '#web/payment/use-card-fee.ts';
import { useCheckout } from '#web/payment/use-checkout.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { Problem } from '#web/ui/problem.tsx';
import { useToast } from '#web/ui/toast.tsx';
import { describeGroupItem, GROUP_HASH, NO_GROUP, parseGroup } from '../group/group-estimate.ts';
import { type CalculatorOrg, describeInput, getLineInput, type TabInput } from './calculator-input.ts';
import { CartEffects, CartFoot, FirstIntervalButton, type GivingOrg } from './cart-foot.tsx';
import styles from './cart-tab.module.css';

/** Loads together with the tab where payments start, so that it is ready when the payment page opens. */
export { PaymentPanel } from '#web/payment/payment-status.tsx';

type CartTabProps = {
  org: CalculatorOrg & GivingOrg;
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

/** The cart and its checkout (§2). Loaded when a visitor hovers over or focuses the calculator. */
export function CartTab({ org, cart: storedCart, onCheckedOut, onEdit, onShow, onAnnounce }: CartTabProps) {
  const checkout = useCheckout(org.id);
  const { isCheckingOut } = checkout;
  const tribute = useTribute(org.id, checkout);
  const fee = useCardFee();
  const choice = useGiftChoice(org.id);
  const toast = useToast();
  const panel = useRef<HTMLDivElement>(null);
  const cart = { ...storedCart, lines: applyCurrentPrices(storedCart.lines, org.factors) };
  const { lines } = cart;
  const items = getItems(lines);
  const missingDollars = calculateMissingDollars(items);
  const getFee = (paidItems: readonly CartItem[]) => getSelectedFee(paidItems, choice, fee);
  const coveredFee = getFee(items);
  const failure = chargeFailure(items, coveredFee);
  const checkOut = (linesToPay: readonly CartLine[]) => {
    if (!tribute.validate()) return;
    const itemsToPay = getItems(linesToPay);
    const removeLines = () => {
      getLastCheckoutCart(org.id).write(serializeCart(linesToPay));
      const remainingLines = cart.remove(...linesToPay.map(({ id }) => id));
      if (remainingLines.length === 0) onCheckedOut();
    };
    void checkout.checkOut(itemsToPay, removeLines, { coveredFee: getFee(itemsToPay).initial });
  };
  const remove = (line: CartLine, button: HTMLButtonElement) => {
    focusNextRemoveButton(button, panel.current);
    cart.remove(line.id);
    toast(m.cartRemoved({ item: line.item.title }), { label: m.undo(), run: () => undoRemoval(line) });
  };
  const undoRemoval = (line: CartLine) => {
    // The stored line has the original price, so that the cart shows the price change again.
    cart.restore(storedCart.lines.find(({ id }) => id === line.id) ?? line, lines.indexOf(line));
    // The cart removed the choice along with its last item.
    if (lines.length === 1) saveGiftChoice(org.id, choice);
    onShow();
    onAnnounce(m.cartBack({ item: line.item.title }));
  };
  const addMissing = () => {
    // The pressed button is about to disappear.
    panel.current?.focus();
    cart.add(donationItem(missingDollars));
    onAnnounce(m.cartDonationAdded({ amount: formatWholeDollars(missingDollars) }));
  };
  return (
    // Receives focus when the last item is removed along with its button.
    <div ref={panel} tabIndex={-1}>
      {lines.length === 0 ? (
        <div className={styles.empty}>
          <p className={styles.emptyTitle}>{m.cartEmpty()}</p>
          <p>{m.cartEmptyHint()}</p>
        </div>
      ) : (
        <>
          <ul className={styles.lines}>
            {lines.map((line) => (
              <CartRow
                key={line.id}
                item={line.item}
                {...describeLine(line, org, onEdit)}
                onRecurrenceChange={({ recurring, interval }) => cart.setRecurrence(line.id, recurring, interval)}
                onRemove={(button) => remove(line, button)}
              />
            ))}
          </ul>
          <output className={styles.priceChanges}>{describePriceChanges(storedCart.lines, lines).join(' ')}</output>
          <p className={styles.below}>
            <Link to={pagePath('donate-page', { orgid: org.id })}>{m.cartAddDonation()}</Link>
          </p>
          <div className={styles.options}>
            <GiftOptions
              items={items}
              fee={fee}
              choice={choice}
              onChoice={(newChoice) => saveGiftChoice(org.id, newChoice)}
            />
            <TributeOption tribute={tribute} />
          </div>
          <CartEffects items={items} org={org} />
          <CartFoot
            items={items}
            coveredFee={coveredFee}
            failure={failure}
            busy={isCheckingOut}
            onCheckout={() => checkOut(lines)}
          />
          {missingDollars > 0 && (
            <Button kind="outline" className={styles.option} onClick={addMissing}>
              {m.cartAddMissing({ amount: formatWholeDollars(missingDollars) })}
            </Button>
          )}
          {failure?.code === 'two-intervals' && (
            <FirstIntervalButton lines={lines} getFee={getFee} busy={isCheckingOut} onCheckout={checkOut} />
          )}
          <Problem tone="field" className={styles.problem}>
            {tribute.problem}
          </Problem>
        </>
      )}
    </div>
  );
}

/** A line's trip in words, and the link or button that edits it. */
function describeLine(line: CartLine, org: CalculatorOrg, onEdit: CartTabProps['onEdit']) {
  const { id, item } = line;
  const name = m.cartEdit({ item: item.title, amount: formatCents(toChargedCents(item.cost)) });
  const editLink = (address: string) => (
    <ButtonLink kind="quiet" to={address} aria-label={name}>
      {m.navEdit()}
    </ButtonLink>
  );
  if (item.type === 'donation') return { edit: editLink(`${pagePath('donate-page', { orgid: org.id })}?edit=${id}`) };
  const input = getLineInput(line, org.factors);
  if (!input) return {};
  if (input.tab === 'group') {
    const trip = describeGroupItem(parseGroup(input.text) ?? NO_GROUP, item.offsetType);
    return { trip, edit: editLink(pagePath('group-page', { orgid: org.id }) + GROUP_HASH + input.text) };
  }
  const edit = (
    <Button kind="quiet" aria-label={name} onClick={() => onEdit(id, input)}>
      {m.navEdit()}
    </Button>
  );
  return { trip: describeInput(input), edit };
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
