// @spec 2.cart-tab 3.cart-item 4.recurring 5.donate 5.cart 5.titles 5.recurring-suffix 5.descriptions 8.strings
// @spec 9.minimum decisions.2 decisions.3 decisions.6
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type CartItem,
  cartCarbon,
  cartInterval,
  cartTotal,
  completeItem,
  donationItem,
  itemDescription,
  itemTitle,
  MAX_CART_ITEMS,
  MAX_CHECKOUT,
  MAX_INTERVAL_MONTHS,
  MIN_CHECKOUT,
  offsetItem,
  recurringSuffix,
  type SubmittedItem,
  withRecurrence,
} from '#domain/cart.ts';
import { calculatePrice, OFFSET_TYPES, offsetTitle } from '#domain/emissions.ts';
import { Failure } from '#domain/failures.ts';
import { failureSentence } from '#domain/server-failures.ts';
import {
  calculateMissingDollars,
  cartFailure,
  completeCart,
  describeRenewal,
  findSecondIntervalItem,
  selectFirstIntervalItems,
} from '#domain/validate-cart.ts';

const offset = (carbon: number): SubmittedItem => ({
  type: 'offset',
  offsetType: 'air',
  carbon,
  cost: calculatePrice(carbon),
});
const donation = (cost: number): SubmittedItem => ({ type: 'donation', cost });

test('an item has the title of its type', () => {
  expect(itemTitle('donation')).toBe('Donation');
  for (const type of OFFSET_TYPES) expect(itemTitle('offset', type)).toBe(offsetTitle(type));
});

test.each([
  ['offset', 'unknown-type', 'unexpected-offset-type'],
  ['offset', undefined, 'unexpected-offset-type'],
  ['offset', 'toString', 'unexpected-offset-type'],
  ['loan', 'air', 'unexpected-item-type'],
  ['', undefined, 'unexpected-item-type'],
])('an item of type %j with offset type %j has no title', (type, offsetType, code) => {
  expect(resultCode(() => itemTitle(type, offsetType))).toBe(code);
});

test.each([
  [{ type: 'offset', carbon: 3864 }, 'Offset 3,864 lbs carbon'],
  [{ type: 'offset', carbon: 157.5 }, 'Offset 158 lbs carbon'],
  [{ type: 'offset', carbon: 0.0001 }, 'Offset 0 lbs carbon'],
  [{ type: 'donation', carbon: 0 }, 'Donation to carbon offset program'],
] as const)('the description of %j is %j', (item, description) => {
  expect(itemDescription(item)).toBe(description);
});

test.each([
  ['no', undefined, ''],
  ['month', undefined, '(recurring: monthly)'],
  ['month', 1, '(recurring: monthly)'],
  ['month', 3, '(recurring: every 3 months)'],
  ['year', undefined, '(recurring: yearly)'],
  ['year', 1, '(recurring: yearly)'],
] as const)('%s with interval %s has suffix %j', (recurring, interval, suffix) => {
  expect(recurringSuffix(recurring, interval)).toBe(suffix);
});

test('a yearly interval of 2 is an error', () => {
  expect(resultCode(() => recurringSuffix('year', 2))).toBe('yearly-interval');
});

test('completing an offset adds its fields and the factor version', () => {
  expect(offsetItem('air', 3864)).toEqual({
    title: 'Air travel',
    description: 'Offset 3,864 lbs carbon',
    type: 'offset',
    offsetType: 'air',
    carbon: 3864,
    cost: 48.3,
    recurring: 'no',
    factorsVersion: '2026-1',
  });
});

test('completing a donation adds no carbon and no factor version', () => {
  expect(donationItem(25, 'month', 3)).toEqual({
    title: 'Donation',
    description: 'Donation to carbon offset program',
    type: 'donation',
    carbon: 0,
    cost: 25,
    recurring: 'month',
    recurringInterval: 3,
  });
  expect(donationItem(25)).not.toHaveProperty('recurringInterval');
});

test('unknown and unneeded fields of a submitted item are dropped', () => {
  const submittedItem = { ...donation(25), offsetType: 'air', title: '<b>Free</b>', factorsVersion: '1999' } as const;
  expect(completeItem(submittedItem)).toEqual(donationItem(25));
});

test.each([0, -0, Number.NaN])('a donation of %d is rejected because it has no amount', (dollars) => {
  expect(resultCode(() => donationItem(dollars))).toBe('no-amount');
});

test.each([-1, 0.5, 1.01, 25.5, 5e-324, 1e21, 2 ** 53, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])(
  'a donation of %d is not a whole number of dollars',
  (dollars) => {
    expect(resultCode(() => donationItem(dollars))).toBe('donation-not-whole-dollars');
  },
);

test.each([
  undefined,
  0,
  -0,
  -1,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
  5e-324,
  0.00001,
  1 / 3,
])('an offset of %d lb is rejected as having no carbon', (carbon) => {
  const submittedItem = { type: 'offset', offsetType: 'home', cost: 0.01 } as const;
  expect(resultCode(() => completeItem(carbon === undefined ? submittedItem : { ...submittedItem, carbon }))).toBe(
    'carbon-missing',
  );
});

test.each([
  [0, '$0.00'],
  [-48.3, '-$48.30'],
  [48.29, '$48.29'],
  [48.31, '$48.31'],
  [48.300_01, '$48.3000'],
  [Number.NaN, 'NaN'],
  [Number.POSITIVE_INFINITY, 'Infinity'],
  [1e21, '$1,000,000,000,000,000,000,000.00'],
])('an offset of 3,864 lb for $%d is rejected, not corrected', (cost, formattedCost) => {
  const mismatch = catchFailure(() => completeItem({ ...offset(3864), cost }));
  expect(mismatch?.code).toBe('cost-mismatch');
  expect(mismatch && failureSentence(mismatch)).toBe(
    `Air travel costs $48.30, not ${formattedCost}. Please remove it and add it again.`,
  );
});

test('a donation with carbon is rejected with a clear message', () => {
  const error = catchFailure(() => completeItem({ ...donation(25), carbon: 100 }));
  expect(error && failureSentence(error)).toBe('A donation offsets no carbon, so its carbon must be 0.');
  expect(resultCode(() => completeItem({ ...donation(25), carbon: 100 }))).toBe('carbon-on-donation');
  expect(resultCode(() => completeItem({ ...donation(25), carbon: Number.NaN }))).toBe('carbon-on-donation');
});

test.each([
  ['month', 0, 'interval-out-of-range'],
  ['month', -1, 'interval-out-of-range'],
  ['month', 1.5, 'interval-out-of-range'],
  ['month', Number.NaN, 'interval-out-of-range'],
  ['month', MAX_INTERVAL_MONTHS + 1, 'interval-out-of-range'],
  ['month', MAX_INTERVAL_MONTHS, 'fine'],
  ['month', 1, 'fine'],
  ['year', 2, 'yearly-interval'],
  ['year', 0, 'yearly-interval'],
  ['year', 1, 'fine'],
  ['no', 1, 'fine'],
  ['no', 2, 'interval-without-recurrence'],
] as const)('a gift recurring by %s with interval %d: %s', (recurring, recurringInterval, code) => {
  expect(resultCode(() => completeItem({ ...donation(25), recurring, recurringInterval }))).toBe(code);
});

test('changing the recurrence keeps the rest of the item and drops the interval of a one-time gift', () => {
  const monthly = withRecurrence(offsetItem('car', 722), 'month', 2);
  expect(monthly).toMatchObject({ carbon: 722, recurring: 'month', recurringInterval: 2 });
  expect(withRecurrence(monthly, 'year')).toMatchObject({ recurring: 'year', recurringInterval: 1 });
  expect(withRecurrence(monthly, 'no')).toEqual(offsetItem('car', 722));
});

test('a total is the sum of charges in whole cents, so displayed amounts add up', () => {
  // 3 × $1.5213 is $4.5639, but the card page shows 3 × $1.52.
  const items = [offsetItem('air', 121.7), offsetItem('air', 121.7), offsetItem('air', 121.7)];
  expect(cartTotal(items)).toBe(456);
  expect(cartTotal([])).toBe(0);
});

const anyItem = fc.oneof(
  fc.integer({ min: 1, max: 10_000_000 }).map((units) => offset(units / 10_000)),
  fc.integer({ min: 1, max: 10_000 }).map(donation),
);

test('totals don’t depend on the order of items', () => {
  fc.assert(
    fc.property(fc.array(anyItem, { minLength: 1, maxLength: 20 }), (submittedItems) => {
      const items = submittedItems.map((submittedItem) => completeItem(submittedItem));
      const [first, ...rest] = items;
      expect(cartTotal(items.toReversed())).toBe(cartTotal(items));
      expect(cartCarbon(items.toReversed())).toBe(cartCarbon(items));
      expect(cartTotal(items)).toBe(cartTotal(rest) + cartTotal(first ? [first] : []));
      expect(Number.isSafeInteger(cartTotal(items)) && Number.isSafeInteger(cartCarbon(items))).toBe(true);
    }),
  );
});

test('completing an item twice changes nothing', () => {
  fc.assert(
    fc.property(anyItem, (submittedItem) => {
      const item = completeItem(submittedItem);
      expect(completeItem(item)).toEqual(item);
    }),
  );
});

test.each([
  [[], 'cart-empty'],
  [[donation(4)], 'cart-below-minimum'],
  [[offset(399.2)], 'cart-below-minimum'],
  [[offset(400)], 'fine'],
  [[donation(5)], 'fine'],
  [[donation(4), offset(80)], 'fine'],
  [[donation(999_999)], 'fine'],
  [[donation(999_999), donation(1)], 'cart-above-maximum'],
  [Array.from({ length: MAX_CART_ITEMS }, () => donation(1)), 'fine'],
  [Array.from({ length: MAX_CART_ITEMS + 1 }, () => donation(1)), 'cart-too-many-items'],
  [Array.from({ length: 5000 }, () => donation(1)), 'cart-too-many-items'],
] as const)('a cart of %j: %s', (submittedItems, code) => {
  expect(resultCode(() => completeCart(submittedItems))).toBe(code);
});

// @asvs 2.2.3
test('one incorrect item invalidates the entire cart, and the error names the item', () => {
  const cart = [donation(25), { ...offset(3864), offsetType: 'car', cost: 1 } as const];
  const failure = catchFailure(() => completeCart(cart));
  expect(failure && failureSentence(failure)).toMatch(/^Car travel costs \$48\.30, not \$1\./);
});

// @asvs 1.4.2
test('the largest amounts the API accepts are rejected without overflow', () => {
  const largestCart = Array.from({ length: MAX_CART_ITEMS }, () => donation(1_000_000_000));
  expect(resultCode(() => completeCart(largestCart))).toBe('cart-above-maximum');
  expect(MAX_CHECKOUT).toBe(99_999_999);
});

test('one recurring interval can be combined with any number of one-time gifts', () => {
  const [oneTime, monthly] = [donationItem(10), donationItem(10, 'month')];
  expect(cartFailure([oneTime, monthly, oneTime, monthly])).toBeUndefined();
  expect(cartInterval([oneTime, monthly])).toEqual({ unit: 'month', count: 1 });
  expect(cartInterval([oneTime, donationItem(10, 'year')])).toEqual({ unit: 'year', count: 1 });
  expect(cartInterval([oneTime])).toBeUndefined();
});

test.each([
  [
    [donationItem(10), donationItem(25, 'month'), offsetItem('air', 121.7)],
    { amount: 2500, intervalText: 'every month' },
  ],
  [[donationItem(10, 'month', 3), donationItem(5, 'month', 3)], { amount: 1500, intervalText: 'every 3 months' }],
  [[withRecurrence(offsetItem('air', 121.7), 'year')], { amount: 152, intervalText: 'every year' }],
  [[donationItem(10)], undefined],
  [[], undefined],
  [[donationItem(10, 'month'), donationItem(10, 'year')], undefined],
])('the renewal of the cart %j is %j', (items, renewal) => {
  expect(describeRenewal(items)).toEqual(renewal);
});

test.each([
  [donationItem(10, 'month'), donationItem(11, 'month', 2)],
  [donationItem(10, 'month'), donationItem(11, 'year')],
  [donationItem(10, 'month', 12), donationItem(11, 'year')],
] as readonly (readonly [CartItem, CartItem])[])(
  'a second interval is rejected with the name of its item',
  (first, second) => {
    expect(findSecondIntervalItem([donationItem(7), first, second])).toBe(second);
    expect(findSecondIntervalItem([second, donationItem(7), first])).toBe(first);
    expect(cartFailure([first, second])?.code).toBe('two-intervals');
  },
);

test.each([
  [donationItem(10, 'month'), donationItem(11, 'year'), 'Monthly and yearly'],
  [donationItem(10, 'year'), donationItem(11, 'month', 3), 'Yearly and every-3-month'],
])('the error names both intervals and the gifts that can be paid first', (first, second, gifts) => {
  expect(cartFailure([donationItem(7), first, second])?.message).toBe(
    `${gifts} gifts can’t be paid together. Check out one now, then come back for the other.`,
  );
  const lines = [second, donationItem(7), first, second].map((item) => ({ item }));
  expect(selectFirstIntervalItems(lines).map(({ item }) => item)).toEqual([second, donationItem(7), second]);
});

test.each([
  [[], 0],
  [[offsetItem('air', 56)], 5],
  [[offsetItem('air', 336)], 1],
  [[offsetItem('air', 320)], 1],
  [[donationItem(4)], 1],
  [[donationItem(5)], 0],
  [[donationItem(1, 'month'), donationItem(1, 'year')], 0],
])('the suggested extra donation brings the cart %j to the minimum', (items, dollars) => {
  expect(calculateMissingDollars(items)).toBe(dollars);
  if (dollars > 0) {
    expect(cartFailure([...items, donationItem(dollars)])).toBeUndefined();
    expect(cartTotal(items) + (dollars - 1) * 100).toBeLessThan(MIN_CHECKOUT);
  }
});

test('any submitted cart becomes a complete cart or a named failure', () => {
  const number = fc.oneof(
    fc.double({ min: 0, max: 1e9 }),
    fc.integer({ min: -5, max: 50 }),
    fc.constantFrom(-0, 5e-324, Number.NaN, Number.POSITIVE_INFINITY, 1e21),
  );
  const arbitraryItem = fc.record(
    {
      type: fc.constantFrom('donation' as const, 'offset' as const),
      cost: number,
      carbon: number,
      offsetType: fc.constantFrom(...OFFSET_TYPES),
      recurring: fc.constantFrom('no' as const, 'month' as const, 'year' as const),
      recurringInterval: number,
    },
    { requiredKeys: ['type', 'cost'] },
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(arbitraryItem, anyItem), { maxLength: 5 }), (submittedItems) => {
      expect(resultCode(() => completeCart(submittedItems))).not.toBe('not a failure');
    }),
  );
});

function catchFailure(run: () => unknown): Failure | undefined {
  try {
    const result = run();
    return result instanceof Failure ? result : undefined;
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
}

function resultCode(run: () => unknown): string {
  try {
    return catchFailure(run)?.code ?? 'fine';
  } catch {
    return 'not a failure';
  }
}
