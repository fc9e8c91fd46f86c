import { type ReactNode, useRef } from 'react';
import { cartFailure, cartRenewal, cartTotal } from '#domain/cart.ts';
import { formatCents } from '#domain/money.ts';
import { Button } from '#web/ui/button.tsx';
import type { CartLine } from './cart-lines.ts';
import styles from './cart-panel.module.css';
import { CartRow } from './cart-row.tsx';
import type { Cart } from './use-cart.ts';

type CartPanelProps = {
  cart: Cart;
  checkingOut: boolean;
  /** Why the last attempt to check out came to nothing. */
  problem: string | undefined;
  onCheckout: () => void;
  /** Told when an item has gone, for those who listen to the page. */
  onRemoved: (line: CartLine) => void;
  /** What stands under the items. */
  besideItems?: ReactNode;
};

/** What the Cart tab shows (§2): the items, their total, and the way to the payment page. */
export function CartPanel(props: CartPanelProps) {
  const { cart, checkingOut, problem, onCheckout, onRemoved, besideItems } = props;
  const panel = useRef<HTMLDivElement>(null);
  const { lines } = cart;
  const items = lines.map(({ item }) => item);
  const failure = cartFailure(items);
  const total = formatCents(cartTotal(items));
  const renewal = cartRenewal(items);
  const remove = (line: CartLine, button: HTMLButtonElement) => {
    focusNear(button, panel.current);
    cart.remove(line.id);
    onRemoved(line);
  };
  return (
    // The focus comes here when the last item is gone, and its button with it.
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
          <div className={styles.foot}>
            <div>
              <p className={styles.total}>
                <span>Total</span> <strong>{total}</strong>
              </p>
              <output className={styles.renewal}>
                {renewal && `${total} today, then ${formatCents(renewal.amount)} ${renewal.every}`}
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

/** Moves the focus from a button that is about to go to its neighbour's like it, or else to the panel. */
function focusNear(button: HTMLButtonElement, panel: HTMLElement | null): void {
  const buttons = [...(panel?.querySelectorAll<HTMLElement>('[data-remove]') ?? [])];
  const at = buttons.indexOf(button);
  (buttons[at + 1] ?? buttons[at - 1] ?? panel)?.focus();
}
