import { type InLanguage, LANGUAGE, m } from '#messages';
import {
  OFFSET_TYPES,
  type OffsetType,
  offsetTitle,
  priceOf,
  SPECIFIED_FACTORS,
  type VersionedFactors,
} from './emissions.ts';
import { Failure, type LocalizedText } from './failures.ts';
import {
  type Cents,
  chargeOf,
  type Dollars,
  fitsStoredDecimals,
  formatDollars,
  formatWhole,
  type Pounds,
  tenThousandthsOf,
} from './money.ts';

export const RECURRENCES = ['no', 'month', 'year'] as const;
export type Recurring = (typeof RECURRENCES)[number];

export const GIFT_UNITS = ['month', 'year'] as const;
/** Interval between the charges of a gift. */
export type GiftInterval = { readonly unit: (typeof GIFT_UNITS)[number]; readonly count: number };

/** "every month", "every 3 months", "every year" */
export function intervalText({ unit, count }: GiftInterval, options?: InLanguage): string {
  return unit === 'month' ? m.everyMonth({ count }, options) : m.everyYear({ count }, options);
}

/** A stored cart item (§3). */
export type CartItem = {
  readonly title: string;
  readonly description: string;
  readonly cost: Dollars;
  readonly type: 'donation' | 'offset';
  readonly offsetType?: OffsetType;
  readonly carbon: Pounds;
  readonly recurring: Recurring;
  readonly recurringInterval?: number;
  /** Version of the emission factors used for the pounds of an offset. */
  readonly factorsVersion?: string;
};

/** A visitor's claim about an item. The program fills in the rest. */
export type SubmittedItem = Pick<CartItem, 'type' | 'cost'> &
  Partial<Pick<CartItem, 'offsetType' | 'carbon' | 'recurring' | 'recurringInterval' | 'factorsVersion'>>;

export const MINIMUM_CHECKOUT: Cents = 500;
/** The card provider's limit on one charge: eight digits of cents. */
export const MAXIMUM_CHECKOUT: Cents = 99_999_999;
/** The card provider's limit on the lines of one payment. */
export const MAXIMUM_ITEMS = 100;
/** The card provider's cap on a recurring interval: three years. */
export const MAXIMUM_MONTHS = 36;
export const DONATION_PRESETS: readonly number[] = [25, 50, 100, 250, 500];

/**
 * Title of an item. Stored and sent to the provider in English; pages translate it by type.
 * @throws Failure unexpected-offset-type, unexpected-item-type (§5)
 */
export function itemTitle(type: string, offsetType?: string, options?: InLanguage): string {
  if (type === 'donation') return m.itemDonation({}, options);
  if (type !== 'offset') throw new Failure('unexpected-item-type', { field: 'type' });
  const knownType = OFFSET_TYPES.find((each) => each === offsetType);
  if (knownType) return offsetTitle(knownType, options);
  const types: LocalizedText = (inLanguage) =>
    new Intl.ListFormat(inLanguage?.locale ?? LANGUAGE, { type: 'disjunction' }).format(OFFSET_TYPES);
  throw new Failure('unexpected-offset-type', { types, field: 'offsetType' });
}

/** "Offset N lbs carbon" with N rounded, or "Donation to carbon offset program" (§5). */
export function itemDescription(item: Pick<CartItem, 'type' | 'carbon'>, options?: InLanguage): string {
  return item.type === 'offset'
    ? m.itemOffsets({ pounds: formatWhole(item.carbon) }, options)
    : m.itemDonates({}, options);
}

/**
 * "(recurring: monthly)", "(recurring: every N months)", "(recurring: yearly)", or an empty text (§5).
 * @throws Failure yearly-interval when a year's interval is not 1 (§4)
 */
export function recurringSuffix(recurring: Recurring, interval = 1, options?: InLanguage): string {
  if (recurring === 'no') return '';
  if (recurring === 'month') return m.recurringMonths({ count: interval }, options);
  if (interval !== 1) throw new Failure('yearly-interval');
  return m.recurringYearly({}, options);
}

export function offsetItem(offsetType: OffsetType, carbon: Pounds, usedFactors = SPECIFIED_FACTORS): CartItem {
  return completeItem({ type: 'offset', offsetType, carbon, cost: priceOf(carbon, usedFactors.factors) }, usedFactors);
}

/** @throws Failure no-amount, donation-not-whole-dollars */
export function donationItem(dollars: Dollars, recurring: Recurring = 'no', recurringInterval?: number): CartItem {
  if (!dollars) throw new Failure('no-amount');
  const item: SubmittedItem = { type: 'donation', cost: dollars, recurring };
  return completeItem(recurringInterval === undefined ? item : { ...item, recurringInterval });
}

/**
 * The complete item for a valid claim (decisions §2, §3).
 * @param factors factors to check the price with; null keeps the price, which `withCurrentPrice` compares with today's
 * @throws Failure naming the item
 */
export function completeItem(claimed: SubmittedItem, factors: VersionedFactors | null = SPECIFIED_FACTORS): CartItem {
  const title = itemTitle(claimed.type, claimed.offsetType);
  const titleWords: LocalizedText = (options) => itemTitle(claimed.type, claimed.offsetType, options);
  checkCost(claimed, titleWords, factors);
  checkRecurrence(claimed, titleWords);
  const { type, cost, carbon = 0, offsetType, recurring = 'no' } = claimed;
  return {
    title,
    description: itemDescription({ type, carbon }),
    cost,
    type,
    carbon,
    recurring,
    ...(recurring === 'no' ? {} : { recurringInterval: claimed.recurringInterval ?? 1 }),
    ...(type === 'offset' && offsetType
      ? { offsetType, factorsVersion: claimed.factorsVersion ?? (factors ?? SPECIFIED_FACTORS).version }
      : {}),
  };
}

/** The item with another recurrence. @throws Failure as completeItem does */
export function withRecurrence(item: CartItem, recurring: Recurring, recurringInterval?: number): CartItem {
  const { recurringInterval: _before, ...rest } = item;
  return completeItem({ ...rest, recurring, ...(recurringInterval === undefined ? {} : { recurringInterval }) }, null);
}

/** An offset at today's price. Its pounds and their factors' version don't change. */
export function withCurrentPrice(item: CartItem, { factors }: VersionedFactors = SPECIFIED_FACTORS): CartItem {
  return item.type === 'offset' ? { ...item, cost: priceOf(item.carbon, factors) } : item;
}

/** The sum of the items' charges, each rounded to whole cents (decisions §2). */
export function cartTotal(items: readonly Pick<CartItem, 'cost'>[]): Cents {
  return items.reduce((total, item) => total + chargeOf(item.cost), 0);
}

/** Ten-thousandths of a pound that a cart offsets. */
export function cartCarbon(items: readonly Pick<CartItem, 'carbon'>[]): number {
  return items.reduce((total, item) => total + tenThousandthsOf(item.carbon), 0);
}

/** The price of an item, and how often it is paid. */
export type PricedItem = Pick<CartItem, 'cost' | 'recurring'> & { readonly recurringInterval?: number | undefined };

/** The items that recur. */
export function recurringItems<Item extends PricedItem>(items: readonly Item[]): Item[] {
  return items.filter(({ recurring }) => recurring !== 'no');
}

/** The recurring interval of a cart; undefined if all items are one-time. */
export function cartInterval(items: readonly PricedItem[]): GiftInterval | undefined {
  const item = items.find(({ recurring }) => recurring !== 'no');
  return item && item.recurring !== 'no' ? { unit: item.recurring, count: item.recurringInterval ?? 1 } : undefined;
}

function checkCost(
  { type, cost, carbon = 0 }: SubmittedItem,
  item: LocalizedText,
  used: VersionedFactors | null,
): void {
  if (type === 'donation') {
    if (carbon !== 0) throw new Failure('carbon-on-donation', { item, field: 'carbon' });
    if (!Number.isSafeInteger(cost) || cost < 1)
      throw new Failure('donation-not-whole-dollars', { item, field: 'cost' });
    return;
  }
  if (!(carbon > 0) || !fitsStoredDecimals(carbon)) throw new Failure('carbon-missing', { item, field: 'carbon' });
  const expected = used ? priceOf(carbon, used.factors) : cost;
  if (cost !== expected)
    throw new Failure('cost-mismatch', {
      item,
      field: 'cost',
      expected: formatDollars(expected),
      actual: Number.isFinite(cost) ? formatDollars(cost) : String(cost),
    });
}

function checkRecurrence({ recurring = 'no', recurringInterval }: SubmittedItem, item: LocalizedText): void {
  if (recurring === 'no') {
    if (recurringInterval !== undefined && recurringInterval !== 1)
      throw new Failure('interval-without-recurrence', { item, field: 'recurringInterval' });
    return;
  }
  const interval = recurringInterval ?? 1;
  if (recurring === 'year' && interval !== 1) throw new Failure('yearly-interval', { field: 'recurringInterval' });
  if (!Number.isInteger(interval) || interval < 1 || interval > MAXIMUM_MONTHS) {
    throw new Failure('interval-out-of-range', { item, field: 'recurringInterval' });
  }
}
