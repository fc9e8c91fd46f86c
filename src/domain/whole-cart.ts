import { type InLanguage, m } from '#messages';
import {
  type CartItem,
  type ClaimedItem,
  cartInterval,
  cartTotal,
  completeItem,
  everyText,
  type GiftInterval,
  MAXIMUM_CHECKOUT,
  MAXIMUM_ITEMS,
  MINIMUM_CHECKOUT,
  recurringItems,
} from './cart.ts';
import { SPECIFIED, type UsedFactors } from './emissions.ts';
import { Failure } from './failures.ts';
import { type Cents, formatCents } from './money.ts';

/** Before "gifts": "monthly", "every-3-month", "yearly" */
export function adjectiveOf({ unit, count }: GiftInterval, options?: InLanguage): string {
  return unit === 'month' ? m.adjectiveMonths({ count }, options) : m.adjectiveYears({ count }, options);
}

/**
 * What will be charged again, and how often: "every month", "every 3 months", "every year". Undefined if all of the cart
 * is one-time, or if its items have different intervals, so that it cannot be checked out.
 */
export function cartRenewal(
  items: readonly CartItem[],
  options?: InLanguage,
): { amount: Cents; every: string } | undefined {
  const interval = cartInterval(items);
  if (!interval || itemOfSecondInterval(items)) return undefined;
  return { amount: cartTotal(recurringItems(items)), every: everyText(interval, options) };
}

/** The items that can be paid first where there are two intervals: those of the first one, and the one-time ones. */
export function itemsOfFirstInterval<Item extends { readonly item: CartItem }>(lines: readonly Item[]): Item[] {
  const first = cartInterval(lines.map(({ item }) => item));
  return lines.filter(({ item }) => {
    const own = cartInterval([item]);
    return !own || (own.unit === first?.unit && own.count === first.count);
  });
}

/** The smallest donation, in whole dollars, with which these items can be checked out; 0 if they need none. */
export function missingDollars(items: readonly CartItem[]): number {
  return cartFailure(items)?.code === 'cart-below-minimum' ? Math.ceil((MINIMUM_CHECKOUT - cartTotal(items)) / 100) : 0;
}

/** The first item whose interval differs from the cart's (decisions §3). */
export function itemOfSecondInterval(items: readonly CartItem[]): CartItem | undefined {
  const first = cartInterval(items);
  return items.find(
    ({ recurring, recurringInterval }) =>
      first && recurring !== 'no' && (recurring !== first.unit || (recurringInterval ?? 1) !== first.count),
  );
}

/** Why a cart cannot be checked out (§5: at least $5). */
export function cartFailure(items: readonly CartItem[]): Failure | undefined {
  if (items.length === 0) return new Failure('cart-empty', { field: 'cart' });
  if (items.length > MAXIMUM_ITEMS) return tooManyItems();
  const second = itemOfSecondInterval(items);
  const [one, other] = [items, second ? [second] : []].map(cartInterval);
  if (second && one && other) {
    return new Failure('two-intervals', {
      one: (options) => adjectiveOf(one, options),
      other: (options) => adjectiveOf(other, options),
      field: fieldAt(items.indexOf(second), 'recurring'),
    });
  }
  const total = cartTotal(items);
  if (total < MINIMUM_CHECKOUT) return new Failure('cart-below-minimum', { field: 'cart' });
  if (total > MAXIMUM_CHECKOUT)
    return new Failure('cart-above-maximum', { most: formatCents(MAXIMUM_CHECKOUT), field: 'cart' });
  return undefined;
}

/**
 * The cart for what a visitor claims: every item is recomputed, and a wrong one refused (decisions §2).
 * @throws Failure whose field names the item by its index: "cart.1.cost"
 */
export function completeCart(claimed: readonly ClaimedItem[], used = SPECIFIED): CartItem[] {
  if (claimed.length > MAXIMUM_ITEMS) throw tooManyItems();
  const items = claimed.map((item, index) => completeItemAt(item, index, used));
  const failure = cartFailure(items);
  if (failure) throw failure;
  return items;
}

function completeItemAt(claimed: ClaimedItem, index: number, used: UsedFactors): CartItem {
  try {
    return completeItem(claimed, used);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw new Failure(error.code, { ...error.details, field: fieldAt(index, String(error.details.field ?? 'type')) });
  }
}

function fieldAt(index: number, field: string): string {
  return `cart.${index}.${field}`;
}

function tooManyItems(): Failure {
  return new Failure('cart-too-many-items', { most: MAXIMUM_ITEMS, field: 'cart' });
}
