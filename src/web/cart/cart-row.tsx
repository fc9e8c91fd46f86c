import type { ReactNode } from 'react';
import { type CartItem, itemDescription, itemTitle, type PricedItem, recurringSuffix } from '#domain/cart.ts';
import type { OffsetType } from '#domain/emissions.ts';
import { formatCents, formatPounds, toChargedCents } from '#domain/money.ts';
import { m } from '#messages';
import { Icon } from '#web/ui/icon.tsx';
import {
  COMMON_RECURRENCES,
  OTHER_RECURRENCES,
  type Recurrence,
  RecurrenceSelect,
} from '#web/ui/recurrence-select.tsx';
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx';
import styles from './cart-row.module.css';

const RECURRENCES = [...COMMON_RECURRENCES, ...OTHER_RECURRENCES];

type CartRowProps = {
  item: CartItem;
  /** The calculator's fields in words: "Ithaca ⇄ Lisbon, 2 travelers" */
  trip?: string | undefined;
  /** The control that edits the item. */
  edit?: ReactNode;
  onRecurrenceChange: (recurrence: Recurrence) => void;
  /** Called with the Remove button, which has focus. */
  onRemove: (button: HTMLButtonElement) => void;
};

/** An item of the cart, its recurrence, and the buttons to edit and remove it. */
export function CartRow({ item, trip, edit, onRecurrenceChange, onRemove }: CartRowProps) {
  const { title, cost, recurring, recurringInterval = 1 } = item;
  const dollars = formatCents(toChargedCents(cost));
  return (
    <li className={styles.row}>
      <ItemCells item={item} trip={trip} />
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
          label={m.recurrenceOf({ item: `${title}, ${dollars}` })}
          choices={RECURRENCES}
          value={{ recurring, interval: recurringInterval }}
          onChange={onRecurrenceChange}
        />
        {edit}
      </div>
    </li>
  );
}

/** Moves the focus from a Remove button that is about to disappear to the next one, or to the cart. */
export function focusNextRemoveButton(button: HTMLButtonElement, cart: HTMLElement | null): void {
  const buttons = [...(cart?.querySelectorAll<HTMLElement>('[data-remove]') ?? [])];
  const index = buttons.indexOf(button);
  (buttons[index + 1] ?? buttons[index - 1] ?? cart)?.focus();
}

type ItemCellsProps = {
  item: PricedItem & Pick<CartItem, 'type' | 'carbon'> & { readonly offsetType?: OffsetType | undefined };
  trip?: string | undefined;
};

/** Icon, title, trip, and pounds and dollars with 2 decimals (§2), in the row's grid areas. */
export function ItemCells({ item, trip }: ItemCellsProps) {
  const { type, offsetType, carbon, cost, recurring, recurringInterval } = item;
  return (
    <>
      <span className={styles.icon}>
        <Icon name={offsetType ?? 'gift'} />
      </span>
      <div className={styles.details}>
        <p className={styles.title}>
          {itemTitle(type, offsetType)} {recurringSuffix(recurring, recurringInterval)}
        </p>
        {trip && <p className={styles.trip}>{renderAccessibleTrip(trip)}</p>}
        <p className={styles.carbon}>
          {type === 'offset' ? m.cartPounds({ pounds: formatPounds(carbon) }) : itemDescription(item)}
        </p>
      </div>
      {/* Amount to be charged, in whole cents (decisions §2). */}
      <p className={styles.cost}>{formatCents(toChargedCents(cost))}</p>
    </>
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
