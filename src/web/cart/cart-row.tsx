import { type CartItem, recurringSuffix } from '#domain/cart.ts';
import { chargeOf, formatCents, formatPounds } from '#domain/money.ts';
import { Icon, type IconName } from '#web/ui/icon.tsx';
import { type Recurrence, RecurrenceSelect } from '#web/ui/recurrence-select.tsx';
import styles from './cart-row.module.css';

type CartRowProps = {
  item: CartItem;
  onRecur: (recurrence: Recurrence) => void;
  /** Given its own button, which has the focus. */
  onRemove: (button: HTMLButtonElement) => void;
};

/** One item: title, pounds and dollars with 2 decimals (§2), how often, and its way out. */
export function CartRow({ item, onRecur, onRemove }: CartRowProps) {
  const { title, carbon, cost, recurring, recurringInterval = 1 } = item;
  // What is shown is what will be charged: whole cents (decisions §2).
  const dollars = formatCents(chargeOf(cost));
  const suffix = recurringSuffix(recurring, recurringInterval);
  return (
    <li className={styles.row}>
      <span className={styles.icon}>
        <Icon name={iconOf(item)} />
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

function iconOf({ type, offsetType }: CartItem): IconName {
  if (type === 'donation') return 'gift';
  if (offsetType === 'air') return 'plane';
  return offsetType === 'car' ? 'car' : 'home';
}
