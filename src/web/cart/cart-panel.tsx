import { type ReactNode, useRef } from 'react';
import { type CoveredFee, chargeFailure } from '#domain/card-fee.ts';
import { type CartItem, cartCarbon, cartInterval, cartTotal, donationItem, recurringSuffix } from '#domain/cart.ts';
import { effectSentence } from '#domain/gift-effect.ts';
import { type Cents, formatCents, formatPounds, formatWholeDollars, toChargedCents } from '#domain/money.ts';
import { delayedSavingsSentence } from '#domain/saving-years.ts';
import {
  calculateMissingDollars,
  describeRenewal,
  intervalAdjective,
  selectFirstIntervalItems,
} from '#domain/whole-cart.ts';
import { m } from '#messages';
import { Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { Problem } from '#web/ui/problem.tsx';
import {
  COMMON_RECURRENCES,
  OTHER_RECURRENCES,
  type Recurrence,
  RecurrenceSelect,
} from '#web/ui/recurrence-select.tsx';
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx';
import styles from './cart.module.css';
import type { CartLine } from './cart-lines.ts';
import type { Cart } from './cart-store.ts';

type CartPanelProps = {
  cart: Cart;
  isCheckingOut: boolean;
  /** Why the last checkout attempt failed. */
  problem: string | undefined;
  /** Checks out these lines. */
  onCheckout: (lines: readonly CartLine[]) => void;
  /** Called with a removed line and its index. */
  onRemoved: (line: CartLine, index: number) => void;
  /** Announces a change to screen readers. */
  onAnnounce: (sentence: string) => void;
  /** The card fee that the donor chose to add to the items. */
  getFee: (items: readonly CartItem[]) => CoveredFee;
  /** Dollars of the organization's typical grant, if it publishes one. */
  typicalGrant: Cents | null;
  /** Years over which the measures of a typical grant save carbon. */
  savingYears: number;
  /** A line's trip text and edit control. */
  getDetails: (line: CartLine) => LineDetails;
  /** Sentences about items whose price changed. */
  priceChanges: readonly string[];
  /** Shown below the items. */
  belowItems?: ReactNode;
  /** Further options for the donor. */
  options: ReactNode;
};

type LineDetails = { readonly text?: string | undefined; readonly edit?: ReactNode };

/** The items, their total, and the Checkout button (§2). */
export function CartPanel(props: CartPanelProps) {
  const {
    cart,
    isCheckingOut,
    problem,
    onCheckout,
    onRemoved,
    onAnnounce,
    getFee,
    getDetails,
    priceChanges,
    belowItems,
    options,
  } = props;
  const panel = useRef<HTMLDivElement>(null);
  const { lines } = cart;
  const items = lines.map(({ item }) => item);
  const coveredFee = getFee(items);
  const failure = chargeFailure(items, coveredFee);
  const shortfall = calculateMissingDollars(items);
  const total = formatCents(cartTotal(items) + coveredFee.first);
  const renewal = describeRenewal(items);
  const remove = (line: CartLine, button: HTMLButtonElement) => {
    focusNextRemoveButton(button, panel.current);
    cart.remove(line.id);
    onRemoved(line, lines.indexOf(line));
  };
  const roundUp = () => {
    // The pressed button is about to disappear.
    panel.current?.focus();
    cart.add(donationItem(shortfall));
    onAnnounce(m.cartDonationAdded({ amount: formatWholeDollars(shortfall) }));
  };
  return (
    // Receives the focus when the last item is removed along with its button.
    <div ref={panel} tabIndex={-1} className={styles.cart}>
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
                details={getDetails(line)}
                onRecurrenceChange={({ recurring, interval }) => cart.setRecurrence(line.id, recurring, interval)}
                onRemove={(button) => remove(line, button)}
              />
            ))}
          </ul>
          <output className={styles.priceChanges}>{priceChanges.join(' ')}</output>
          {belowItems && <p className={styles.below}>{belowItems}</p>}
          <div className={styles.options}>{options}</div>
          <div className={styles.effects}>
            <p className={styles.effect}>
              {effectSentence({
                carbon: cartCarbon(items),
                amount: cartTotal(items),
                typicalGrant: props.typicalGrant,
              })}
            </p>
            {cartCarbon(items) > 0 && <SavingTime years={props.savingYears} />}
          </div>
          <div className={styles.foot}>
            <div>
              <output className={styles.total}>
                <span>{m.cartTotal()}</span> <strong>{total}</strong>
              </output>
              <output className={styles.renewal}>
                {renewal &&
                  m.cartRenewal({
                    total,
                    amount: formatCents(renewal.amount + coveredFee.renewal),
                    every: renewal.intervalText,
                  })}
              </output>
            </div>
            <output className={styles.message}>{failure?.message}</output>
            <Button
              kind="action"
              wide
              busy={isCheckingOut}
              disabled={failure !== undefined}
              onClick={() => onCheckout(lines)}
            >
              {isCheckingOut ? m.openingPayment() : m.cartCheckout()}
            </Button>
          </div>
          {shortfall > 0 && (
            <Button kind="outline" className={styles.option} onClick={roundUp}>
              {m.cartAddMissing({ amount: formatWholeDollars(shortfall) })}
            </Button>
          )}
          {failure?.code === 'two-intervals' && <FirstIntervalButton {...props} />}
          <Problem tone="field" className={styles.problem}>
            {problem}
          </Problem>
        </>
      )}
    </div>
  );
}

/** Discloses, before payment, when the carbon will be saved (16 CFR 260.5). */
function SavingTime({ years }: { years: number }) {
  const sentence = delayedSavingsSentence(years);
  return (
    sentence !== '' && (
      <details className={styles.timing}>
        <summary>{m.cartLaterTitle()}</summary>
        <p>{sentence}</p>
      </details>
    )
  );
}

/** Checks out only the gifts of the first interval, if the cart has two. */
function FirstIntervalButton({ cart, isCheckingOut, onCheckout, getFee }: CartPanelProps) {
  const lines = selectFirstIntervalItems(cart.lines);
  const items = lines.map(({ item }) => item);
  const interval = cartInterval(items);
  const fee = getFee(items);
  if (!interval || chargeFailure(items, fee)) return null;
  return (
    <Button kind="outline" className={styles.option} busy={isCheckingOut} onClick={() => onCheckout(lines)}>
      {m.cartFirstInterval({
        adjective: intervalAdjective(interval),
        amount: formatCents(cartTotal(items) + fee.first),
      })}
    </Button>
  );
}

/** Moves the focus from a Remove button that is about to disappear to the next one, or to the panel. */
function focusNextRemoveButton(button: HTMLButtonElement, panel: HTMLElement | null): void {
  const buttons = [...(panel?.querySelectorAll<HTMLElement>('[data-remove]') ?? [])];
  const index = buttons.indexOf(button);
  (buttons[index + 1] ?? buttons[index - 1] ?? panel)?.focus();
}

const RECURRENCES = [...COMMON_RECURRENCES, ...OTHER_RECURRENCES];

type CartRowProps = {
  item: CartItem;
  details?: LineDetails;
  onRecurrenceChange: (recurrence: Recurrence) => void;
  /** Receives the Remove button, which has the focus. */
  onRemove: (button: HTMLButtonElement) => void;
};

/** Title, trip, pounds and dollars with 2 decimals (§2), recurrence, and the buttons to edit and remove the item. */
export function CartRow({ item, details = {}, onRecurrenceChange, onRemove }: CartRowProps) {
  const { title, carbon, cost, recurring, recurringInterval = 1 } = item;
  const suffix = recurringSuffix(recurring, recurringInterval);
  // The amount that will be charged: whole cents (decisions §2).
  const dollars = formatCents(toChargedCents(cost));
  return (
    <li className={styles.row}>
      <span className={styles.icon}>
        <Icon name={item.offsetType ?? 'gift'} />
      </span>
      <div className={styles.details}>
        <p className={styles.title}>
          {title} {suffix && <span className={styles.suffix}>{suffix}</span>}
        </p>
        {details.text && <p className={styles.trip}>{renderAccessibleTrip(details.text)}</p>}
        <p className={styles.carbon}>
          {item.type === 'offset' ? m.cartPounds({ pounds: formatPounds(carbon) }) : item.description}
        </p>
      </div>
      <p className={styles.cost}>{dollars}</p>
      <button
        type="button"
        data-remove
        className={styles.remove}
        aria-label={m.cartRemove({ item: title, amount: dollars })}
        onClick={({ currentTarget }) => onRemove(currentTarget)}
      >
        <Icon name="trash" />
      </button>
      <div className={styles.recurrence}>
        <RecurrenceSelect
          label={m.recurrenceOf({ of: `${title}, ${dollars}` })}
          choices={RECURRENCES}
          value={{ recurring, interval: recurringInterval }}
          onChange={onRecurrenceChange}
        />
        {details.edit}
      </div>
    </li>
  );
}

/** "Ithaca ⇄ Lisbon", read as "Ithaca to Lisbon". */
function renderAccessibleTrip(text: string): ReactNode {
  const [from, to] = text.split(/ (?=[⇄→] )/);
  if (to === undefined) return text;
  return (
    <>
      {from} <span aria-hidden="true">{to.slice(0, 1)}</span>
      <VisuallyHidden>{m.tripSpokenTo()}</VisuallyHidden>
      {to.slice(1)}
    </>
  );
}
