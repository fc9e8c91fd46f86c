import { type InLanguage, m } from '#messages';
import {
  type CartItem,
  cartInterval,
  cartTotal,
  completeItem,
  formatInterval,
  type GiftInterval,
  itemFailure,
  MAX_CART_ITEMS,
  MAX_CHECKOUT,
  MIN_CHECKOUT,
  type PricedItem,
  recurringItems,
  type SubmittedItem,
} from './cart.ts';
import { createCartFailure } from './cart-failures.ts';
import { SPECIFIED_FACTORS } from './emissions.ts';
import { Failure } from './failures.ts';
import { type Cents, formatCents } from './money.ts';

/** Adjective for "gifts": "monthly", "every-3-month", "yearly" */
export function intervalAdjective({ unit, count }: GiftInterval, options?: InLanguage): string {
  return unit === 'month' ? m.adjectiveMonths({ count }, options) : m.adjectiveYears({ count }, options);
}

/**
 * The recurring charge of a cart, and its interval: "every month", "every 3 months", "every year". Undefined if all items
 * are one-time, or if their intervals differ, which can't be checked out.
 */
export function describeRenewal(
  items: readonly PricedItem[],
  options?: InLanguage,
): { amount: Cents; intervalText: string } | undefined {
  const interval = cartInterval(items);
  if (!interval || findSecondIntervalItem(items)) return undefined;
  return { amount: cartTotal(recurringItems(items)), intervalText: formatInterval(interval, options) };
}

/** Selects the items to pay first if there are two intervals: one-time items, and those with the first interval. */
export function selectFirstIntervalItems<Item extends { readonly item: CartItem }>(lines: readonly Item[]): Item[] {
  const firstInterval = cartInterval(lines.map(({ item }) => item));
  return lines.filter(({ item }) => {
    const interval = cartInterval([item]);
    return !interval || (interval.unit === firstInterval?.unit && interval.count === firstInterval.count);
  });
}

/** The smallest whole-dollar donation that resolves the failure `cart-below-minimum`; 0 for any other cart. */
export function calculateMissingDollars(items: readonly CartItem[]): number {
  return cartFailure(items)?.code === 'cart-below-minimum' ? Math.ceil((MIN_CHECKOUT - cartTotal(items)) / 100) : 0;
}

/** The first item whose interval differs from the cart's (decisions §3). */
export function findSecondIntervalItem<Item extends PricedItem>(items: readonly Item[]): Item | undefined {
  const interval = cartInterval(items);
  return items.find(
    ({ recurring, recurringInterval }) =>
      interval && recurring !== 'no' && (recurring !== interval.unit || (recurringInterval ?? 1) !== interval.count),
  );
}

/** Validates a cart (§5: at least $5). */
export function cartFailure(items: readonly CartItem[]): Failure | undefined {
  if (items.length === 0) return createCartFailure('cart-empty', { field: 'cart' });
  if (items.length > MAX_CART_ITEMS) return tooManyItems();
  const secondIntervalItem = findSecondIntervalItem(items);
  const [firstInterval, secondInterval] = [items, secondIntervalItem ? [secondIntervalItem] : []].map(cartInterval);
  if (secondIntervalItem && firstInterval && secondInterval) {
    return createCartFailure('two-intervals', {
      firstInterval: (options) => intervalAdjective(firstInterval, options),
      secondInterval: (options) => intervalAdjective(secondInterval, options),
      field: fieldAt(items.indexOf(secondIntervalItem), 'recurring'),
    });
  }
  const total = cartTotal(items);
  if (total < MIN_CHECKOUT) return createCartFailure('cart-below-minimum', { field: 'cart' });
  if (total > MAX_CHECKOUT) return new Failure('cart-above-maximum', { max: formatCents(MAX_CHECKOUT), field: 'cart' });
  return undefined;
}

/**
 * Completes a submitted cart, recomputing every item (decisions §2).
 *
 * @returns a Failure if the cart is invalid. Its field names the item by its index: "cart.1.cost"
 */
export function completeCart(
  submittedItems: readonly SubmittedItem[],
  versionedFactors = SPECIFIED_FACTORS,
): CartItem[] | Failure {
  if (submittedItems.length > MAX_CART_ITEMS) return tooManyItems();
  const items: CartItem[] = [];
  for (const [index, submittedItem] of submittedItems.entries()) {
    const failure = itemFailure(submittedItem, versionedFactors);
    if (failure) {
      const { code, details } = failure;
      return new Failure(code, { ...details, field: fieldAt(index, String(details.field ?? 'type')) });
    }
    items.push(completeItem(submittedItem, versionedFactors));
  }
  return cartFailure(items) ?? items;
}

function fieldAt(index: number, field: string): string {
  return `cart.${index}.${field}`;
}

function tooManyItems(): Failure {
  return createCartFailure('cart-too-many-items', { max: MAX_CART_ITEMS, field: 'cart' });
}
