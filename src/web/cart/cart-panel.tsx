import { type ReactNode, useRef } from 'react';
import { type CoveredFee, chargeFailure } from '#domain/card-fee.ts';
import { type CartItem, cartRenewal, cartTotal, recurringSuffix } from '#domain/cart.ts';
import { chargeOf, formatCents, formatPounds } from '#domain/money.ts';
import { Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { type Recurrence, RecurrenceSelect } from '#web/ui/recurrence-select.tsx';
import styles from './cart.module.css';
import type { CartLine } from './cart-lines.ts';
import type { Cart } from './cart-store.ts';

type CartPanelProps = {
  cart: Cart;
  checkingOut: boolean;
  /** Why the last checkout attempt failed. */
  problem: string | undefined;
  onCheckout: () => void;
  /** Called after an item was removed, to announce it to screen readers. */
  onRemoved: (line: CartLine) => void;
  /** Added to the items, by the donor's choice. */
  coveredFee: CoveredFee;
  /** Shown below the items. */
  besideItems?: ReactNode;
  /** What else the donor may choose. */
  options: ReactNode;
};

/** The items, their total, and the Checkout button (§2). */
export function CartPanel(props: CartPanelProps) {
  const { cart, checkingOut, problem, onCheckout, onRemoved, coveredFee, besideItems, options } = props;
  const panel = useRef<HTMLDivElement>(null);
  const { lines } = cart;
  const items = lines.map(({ item }) => item);
  const failure = chargeFailure(items, coveredFee);
  const total = formatCents(cartTotal(items) + coveredFee.first);
  const renewal = cartRenewal(items);
  const remove = (line: CartLine, button: HTMLButtonElement) => {
    focusNear(button, panel.current);
    cart.remove(line.id);
    onRemoved(line);
  };
  return (
    // Takes the focus when the last item is removed, and its button with it.
    <div ref={panel} tabIndex={-1} className={styles.cart}>
      {lines.length === 0 ? (
        <div className={styles.empty}>
          <p className={styles.none}>No items in cart</p>
          <p>Click on a carbon emission icon above to calculate your offset.</p>
        </div>
      ) : (
        <>
          <ul className={styles.lines}>
            {lines.map((line) => (
              <CartRow
                key={line.id}
                item={line.item}
                onRecur={({ recurring, interval }) => cart.recur(line.id, recurring, interval)}
                onRemove={(button) => remove(line, button)}
              />
            ))}
          </ul>
          {besideItems && <p className={styles.beside}>{besideItems}</p>}
          <div className={styles.options}>{options}</div>
          <div className={styles.foot}>
            <div>
              <output className={styles.total}>
                <span>Total</span> <strong>{total}</strong>
              </output>
              <output className={styles.renewal}>
                {renewal && `${total} today, then ${formatCents(renewal.amount + coveredFee.renewal)} ${renewal.every}`}
              </output>
            </div>
            <Button kind="action" busy={checkingOut} disabled={failure !== undefined} onClick={onCheckout}>
              {checkingOut ? 'Opening the payment page…' : 'Checkout'}
            </Button>
          </div>
          <output className={styles.message}>{failure?.message}</output>
          <p role="alert" className={styles.problem}>
            {problem}
          </p>
        </>
      )}
    </div>
  );
}

/** Moves the focus from a Remove button that is about to disappear to the next one, or to the panel. */
function focusNear(button: HTMLButtonElement, panel: HTMLElement | null): void {
  const buttons = [...(panel?.querySelectorAll<HTMLElement>('[data-remove]') ?? [])];
  const index = buttons.indexOf(button);
  (buttons[index + 1] ?? buttons[index - 1] ?? panel)?.focus();
}

type CartRowProps = {
  item: CartItem;
  onRecur: (recurrence: Recurrence) => void;
  /** Receives the Remove button, which has the focus. */
  onRemove: (button: HTMLButtonElement) => void;
};

/** Title, pounds and dollars with 2 decimals (§2), how often, and a Remove button. */
export function CartRow({ item, onRecur, onRemove }: CartRowProps) {
  const { title, carbon, cost, recurring, recurringInterval = 1 } = item;
  // The amount that will be charged: whole cents (decisions §2).
  const dollars = formatCents(chargeOf(cost));
  const suffix = recurringSuffix(recurring, recurringInterval);
  return (
    <li className={styles.row}>
      <span className={styles.icon}>
        <Icon name={item.offsetType ?? 'gift'} />
      </span>
      <div className={styles.what}>
        <p className={styles.title}>
          {title} {suffix && <span className={styles.suffix}>{suffix}</span>}
        </p>
        <p className={styles.carbon}>
          {item.type === 'offset' ? `${formatPounds(carbon)} lbs carbon` : item.description}
        </p>
      </div>
      <p className={styles.cost}>{dollars}</p>
      <button
        type="button"
        data-remove
        className={styles.remove}
        aria-label={`Remove ${title}, ${dollars}`}
        onClick={({ currentTarget }) => onRemove(currentTarget)}
      >
        <Icon name="trash" />
      </button>
      <div className={styles.recurrence}>
        <RecurrenceSelect
          of={`${title}, ${dollars}`}
          value={{ recurring, interval: recurringInterval }}
          onChange={onRecur}
        />
      </div>
    </li>
  );
}
