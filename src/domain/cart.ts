import { type InLanguage, LANGUAGE, m } from '#messages';
import {
  calculatePrice,
  OFFSET_TYPES,
  type OffsetType,
  offsetTitle,
  SPECIFIED_FACTORS,
  type VersionedFactors,
} from './emissions.ts';
import { Failure, type LocalizedText } from './failures.ts';
import {
  type Cents,
  type Dollars,
  fitsStoredDecimals,
  formatDollars,
  formatWhole,
  type Pounds,
  toChargedCents,
  toTenThousandths,
} from './money.ts';

export const RECURRENCES = ['no', 'month', 'year'] as const;
export type Recurring = (typeof RECURRENCES)[number];

export const GIFT_UNITS = ['month', 'year'] as const;
/** Interval between the charges of a gift. */
export type GiftInterval = { readonly unit: (typeof GIFT_UNITS)[number]; readonly count: number };

/** "every month", "every 3 months", "every year" */
export function formatInterval({ unit, count }: GiftInterval, options?: InLanguage): string {
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

/** The fields of an item that a visitor submits. The server fills in the rest. */
export type SubmittedItem = Pick<CartItem, 'type' | 'cost'> &
  Partial<Pick<CartItem, 'offsetType' | 'carbon' | 'recurring' | 'recurringInterval' | 'factorsVersion'>>;

export const MIN_CHECKOUT: Cents = 500;
/** The card provider's limit on one charge: eight digits of cents. */
export const MAX_CHECKOUT: Cents = 99_999_999;
/** The card provider's limit on the lines of one payment. */
export const MAX_CART_ITEMS = 100;
/** The card provider's cap on a recurring interval: three years. */
export const MAX_INTERVAL_MONTHS = 36;
export const DONATION_PRESETS: readonly number[] = [25, 50, 100, 250, 500];

/**
 * Title of an item. Stored and sent to the provider in English; pages translate it by type.
 * @throws Failure unexpected-offset-type, unexpected-item-type (§5)
 */
export function itemTitle(type: string, offsetType?: string, options?: InLanguage): string {
  if (type === 'donation') return m.itemDonation({}, options);
  const knownType = OFFSET_TYPES.find((candidate) => candidate === offsetType);
  if (type !== 'offset' || !knownType) throw unexpectedTypeFailure(type);
  return offsetTitle(knownType, options);
}

function unexpectedTypeFailure(type: string): Failure {
  if (type !== 'offset') return new Failure('unexpected-item-type', { field: 'type' });
  const types: LocalizedText = (inLanguage) =>
    new Intl.ListFormat(inLanguage?.locale ?? LANGUAGE, { type: 'disjunction' }).format(OFFSET_TYPES);
  return new Failure('unexpected-offset-type', { types, field: 'offsetType' });
}

/** "Offset N lbs carbon" with N rounded, or "Donation to carbon offset program" (§5). */
export function itemDescription(item: Pick<CartItem, 'type' | 'carbon'>, options?: InLanguage): string {
  return item.type === 'offset'
    ? m.itemOffsets({ pounds: formatWhole(item.carbon) }, options)
    : m.itemDonates({}, options);
}

/**
 * "(recurring: monthly)", "(recurring: every N months)", "(recurring: yearly)", or an empty string (§5).
 * @throws Failure yearly-interval when a year's interval is not 1 (§4)
 */
export function recurringSuffix(recurring: Recurring, interval = 1, options?: InLanguage): string {
  if (recurring === 'no') return '';
  if (recurring === 'month') return m.recurringMonths({ count: interval }, options);
  if (interval !== 1) throw new Failure('yearly-interval');
  return m.recurringYearly({}, options);
}

export function offsetItem(offsetType: OffsetType, carbon: Pounds, versionedFactors = SPECIFIED_FACTORS): CartItem {
  return completeItem(
    { type: 'offset', offsetType, carbon, cost: calculatePrice(carbon, versionedFactors.factors) },
    versionedFactors,
  );
}

/** @throws Failure no-amount, donation-not-whole-dollars */
export function donationItem(dollars: Dollars, recurring: Recurring = 'no', recurringInterval?: number): CartItem {
  if (!dollars) throw new Failure('no-amount');
  const item: SubmittedItem = { type: 'donation', cost: dollars, recurring };
  return completeItem(recurringInterval === undefined ? item : { ...item, recurringInterval });
}

/**
 * Validates a submitted item.
 * @param factors as for `completeItem`
 * @returns Failure naming the item
 */
export function itemFailure(submittedItem: SubmittedItem, factors: VersionedFactors | null): Failure | undefined {
  const { offsetType } = submittedItem;
  // Untrusted input can have any type.
  const type: string = submittedItem.type;
  const isKnown =
    type === 'donation' || (type === 'offset' && OFFSET_TYPES.some((candidate) => candidate === offsetType));
  if (!isKnown) return unexpectedTypeFailure(type);
  const title: LocalizedText = (options) => itemTitle(type, offsetType, options);
  return costFailure(submittedItem, title, factors) ?? recurrenceFailure(submittedItem, title);
}

/**
 * Completes a valid submitted item (decisions §2, §3).
 * @param factors factors to check the price with; null accepts any price
 * @throws Failure as returned by `itemFailure`
 */
export function completeItem(
  submittedItem: SubmittedItem,
  factors: VersionedFactors | null = SPECIFIED_FACTORS,
): CartItem {
  const failure = itemFailure(submittedItem, factors);
  if (failure) throw failure;
  const { type, cost, carbon = 0, offsetType, recurring = 'no' } = submittedItem;
  return {
    title: itemTitle(type, offsetType),
    description: itemDescription({ type, carbon }),
    cost,
    type,
    carbon,
    recurring,
    ...(recurring === 'no' ? {} : { recurringInterval: submittedItem.recurringInterval ?? 1 }),
    ...(type === 'offset' && offsetType
      ? { offsetType, factorsVersion: submittedItem.factorsVersion ?? (factors ?? SPECIFIED_FACTORS).version }
      : {}),
  };
}

/** Changes an item's recurrence. @throws Failure as `completeItem` does */
export function withRecurrence(item: CartItem, recurring: Recurring, recurringInterval?: number): CartItem {
  const { recurringInterval: _previousInterval, ...rest } = item;
  return completeItem({ ...rest, recurring, ...(recurringInterval === undefined ? {} : { recurringInterval }) }, null);
}

/** An offset at today's price. The pounds and the version of their factors don't change. */
export function withCurrentPrice(item: CartItem, { factors }: VersionedFactors = SPECIFIED_FACTORS): CartItem {
  return item.type === 'offset' ? { ...item, cost: calculatePrice(item.carbon, factors) } : item;
}

/** The sum of the items' charges, each rounded to whole cents (decisions §2). */
export function cartTotal(items: readonly Pick<CartItem, 'cost'>[]): Cents {
  return items.reduce((total, item) => total + toChargedCents(item.cost), 0);
}

/** Carbon that a cart offsets, in ten-thousandths of a pound. */
export function cartCarbon(items: readonly Pick<CartItem, 'carbon'>[]): number {
  return items.reduce((total, item) => total + toTenThousandths(item.carbon), 0);
}

/** The price of an item, and how often it is paid. */
export type PricedItem = Pick<CartItem, 'cost' | 'recurring'> & { readonly recurringInterval?: number | undefined };

export function recurringItems<Item extends PricedItem>(items: readonly Item[]): Item[] {
  return items.filter(({ recurring }) => recurring !== 'no');
}

/** The recurring interval of a cart; undefined if all items are one-time. */
export function cartInterval(items: readonly PricedItem[]): GiftInterval | undefined {
  const item = items.find(({ recurring }) => recurring !== 'no');
  return item && item.recurring !== 'no' ? { unit: item.recurring, count: item.recurringInterval ?? 1 } : undefined;
}

function costFailure(
  { type, cost, carbon = 0 }: SubmittedItem,
  item: LocalizedText,
  versionedFactors: VersionedFactors | null,
): Failure | undefined {
  if (type === 'donation') {
    if (carbon !== 0) return new Failure('carbon-on-donation', { field: 'carbon' });
    const isWhole = Number.isSafeInteger(cost) && cost >= 1;
    return isWhole ? undefined : new Failure('donation-not-whole-dollars', { item, field: 'cost' });
  }
  if (!(carbon > 0) || !fitsStoredDecimals(carbon)) return new Failure('carbon-missing', { item, field: 'carbon' });
  const expected = versionedFactors ? calculatePrice(carbon, versionedFactors.factors) : cost;
  if (cost === expected) return undefined;
  return new Failure('cost-mismatch', {
    item,
    field: 'cost',
    expected: formatDollars(expected),
    actual: Number.isFinite(cost) ? formatDollars(cost) : String(cost),
  });
}

function recurrenceFailure(
  { recurring = 'no', recurringInterval = 1 }: SubmittedItem,
  item: LocalizedText,
): Failure | undefined {
  const details = { item, field: 'recurringInterval' };
  if (recurring === 'no')
    return recurringInterval === 1 ? undefined : new Failure('interval-without-recurrence', details);
  if (recurring === 'year' && recurringInterval !== 1)
    return new Failure('yearly-interval', { field: 'recurringInterval' });
  const isInRange =
    Number.isInteger(recurringInterval) && recurringInterval >= 1 && recurringInterval <= MAX_INTERVAL_MONTHS;
  return isInRange ? undefined : new Failure('interval-out-of-range', details);
}
