// @spec 1.visitors 4.cart decisions.3
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { donationItem, offsetItem, withCurrentPrice } from '#domain/cart.ts';
import { createSharedText } from '#test/support/shared-text.ts';
import { parseCart, parseValidItem, serializeCart } from '#web/cart/cart-lines.ts';
import { createCartStore } from '#web/cart/cart-store.ts';
import { findStoredInput, listRestorableItems } from '#web/routes/home/calculator/restored-items.ts';

const FLIGHT = offsetItem('air', 3864);
const GIFT = donationItem(25);

test('a cart starts empty, adds items, and removes them by id', () => {
  const store = createCartStore(createSharedText().tab());
  expect(store.lines()).toEqual([]);
  store.add(FLIGHT);
  store.add(GIFT, FLIGHT);
  expect(store.lines().map(({ item }) => item.title)).toEqual(['Air travel', 'Donation', 'Air travel']);
  const [, gift] = store.lines();
  store.remove(gift?.id ?? 0);
  expect(store.lines().map(({ item }) => item)).toEqual([FLIGHT, FLIGHT]);
  store.remove(...store.lines().map(({ id }) => id));
  expect(store.lines()).toEqual([]);
});

test('removing the last item removes the cart’s options', () => {
  const options = createSharedText();
  const store = createCartStore(createSharedText().tab(), options.tab());
  options.tab().write('{"coversFee":true}');
  store.add(FLIGHT, GIFT);
  const [flight, gift] = store.lines().map(({ id }) => id);
  store.remove(flight ?? 0);
  expect(options.text()).toBe('{"coversFee":true}');
  store.remove(gift ?? 0);
  expect(options.text()).toBeNull();
});

test('checking out keeps an item that another tab added at the same time', () => {
  const storage = createSharedText();
  const [firstTab, secondTab] = [createCartStore(storage.tab()), createCartStore(storage.tab())];
  firstTab.add(FLIGHT);
  const checkedOutIds = firstTab.lines().map(({ id }) => id);
  secondTab.add(GIFT);
  const remainingLines = firstTab.remove(...checkedOutIds);
  expect(remainingLines.map(({ item }) => item)).toEqual([GIFT]);
  expect(firstTab.lines()).toEqual(remainingLines);
});

test('a cart survives a reload', () => {
  const storage = createSharedText();
  createCartStore(storage.tab()).add(FLIGHT, GIFT);
  const reloadedStore = createCartStore(storage.tab());
  expect(reloadedStore.lines().map(({ item }) => item)).toEqual([FLIGHT, GIFT]);
});

test('lines() returns the same array until the cart changes', () => {
  const store = createCartStore(createSharedText().tab());
  expect(store.lines()).toBe(store.lines());
  store.add(FLIGHT);
  const initialLines = store.lines();
  expect(store.lines()).toBe(initialLines);
  store.add(GIFT);
  expect(store.lines()).not.toBe(initialLines);
});

test('two tabs stay in sync and keep each other’s items', () => {
  const storage = createSharedText();
  const [firstTab, secondTab] = [createCartStore(storage.tab()), createCartStore(storage.tab())];
  let notificationCount = 0;
  const stop = secondTab.subscribe(() => {
    notificationCount += 1;
  });
  firstTab.add(FLIGHT);
  expect(notificationCount).toBe(1);
  secondTab.add(GIFT);
  expect(firstTab.lines().map(({ item }) => item)).toEqual([FLIGHT, GIFT]);
  expect(notificationCount).toBe(2);
  stop();
  firstTab.remove(1, 2);
  expect(notificationCount).toBe(2);
});

test('an item can recur only within the limits', () => {
  const store = createCartStore(createSharedText().tab());
  store.add(FLIGHT);
  const id = store.lines()[0]?.id ?? 0;
  store.setRecurrence(id, 'month', 3);
  expect(store.lines()[0]?.item).toMatchObject({ recurring: 'month', recurringInterval: 3 });
  expect(() => store.setRecurrence(id, 'month', 37)).toThrow('interval-out-of-range');
  store.setRecurrence(id, 'no');
  expect(store.lines()[0]?.item).toEqual(FLIGHT);
});

const STORED_INPUT = { tab: 'air', fields: { travelers: '2' } };

test('an item keeps its inputs, and an edited item replaces its line', () => {
  const storage = createSharedText();
  const store = createCartStore(storage.tab());
  store.put(FLIGHT, STORED_INPUT);
  store.add(GIFT);
  const id = store.lines()[0]?.id ?? 0;
  store.setRecurrence(id, 'month', 3);
  const changedInputs = { ...STORED_INPUT, fields: { travelers: '1' } };
  store.put(offsetItem('air', 1932), changedInputs, id);
  const reloadedLines = createCartStore(storage.tab()).lines();
  expect(reloadedLines.map(({ item }) => item.carbon)).toEqual([1932, 0]);
  expect(reloadedLines[0]).toMatchObject({
    id,
    item: { recurring: 'month', recurringInterval: 3 },
    input: changedInputs,
  });
  store.put(donationItem(50), undefined, store.lines()[1]?.id);
  expect(store.lines()[1]?.item).toEqual(donationItem(50));
});

test('an item that another tab removed during an edit is added again', () => {
  const store = createCartStore(createSharedText().tab());
  store.put(FLIGHT, STORED_INPUT, 7);
  expect(store.lines()).toEqual([{ id: 1, item: FLIGHT, input: STORED_INPUT }]);
});

test('an undone removal restores the line’s position, even if its id was reused', () => {
  const store = createCartStore(createSharedText().tab());
  store.add(GIFT, FLIGHT);
  const [, flight] = store.lines();
  if (!flight) throw new Error('The flight is missing.');
  store.remove(flight.id);
  store.restore(flight, 1);
  expect(store.lines().map(({ item }) => item)).toEqual([GIFT, FLIGHT]);
  store.remove(flight.id);
  store.add(GIFT);
  store.restore(flight, 1);
  expect(store.lines().map(({ item }) => item)).toEqual([GIFT, FLIGHT, GIFT]);
  expect(new Set(store.lines().map(({ id }) => id)).size).toBe(3);
});

test.each([
  ['nothing', null],
  ['invalid JSON', '{'],
  ['null', 'null'],
  ['a list', '[]'],
  ['another format', JSON.stringify({ form: 0, lines: [{ id: 1, item: GIFT }] })],
  ['no lines', JSON.stringify({ format: 2 })],
  ['invalid lines', JSON.stringify({ format: 2, lines: [null, 7, 'x', {}, { id: 1 }] })],
])('storage with %s is an empty cart', (_, text) => {
  expect(parseCart(text)).toEqual([]);
});

test('invalid items are dropped, and the others are kept', () => {
  const badItems = [
    { ...FLIGHT, cost: 0 },
    { ...FLIGHT, cost: -1 },
    { ...FLIGHT, carbon: 1e300, cost: 1.25e298 },
    { ...FLIGHT, carbon: Number.NaN },
    { ...FLIGHT, offsetType: 'unknown-type' },
    { ...GIFT, cost: 12.5 },
    { ...GIFT, cost: 2_000_000 },
    { ...GIFT, recurring: 'month', recurringInterval: 99 },
    { ...GIFT, cost: '25' },
  ];
  const lines = [...badItems, FLIGHT].map((item, index) => ({ id: index + 1, item }));
  expect(parseCart(JSON.stringify({ format: 2, lines })).map(({ item }) => item)).toEqual([FLIGHT]);
});

test('a title tampered with in storage is not shown', () => {
  expect(parseValidItem({ ...GIFT, title: 'Lottery ticket', description: 'x' })).toEqual(GIFT);
});

test('only the first of two lines with the same id is kept', () => {
  const lines = [FLIGHT, GIFT].map((item) => ({ id: 1, item }));
  expect(parseCart(JSON.stringify({ format: 2, lines }))).toEqual([{ id: 1, item: FLIGHT }]);
});

test('corrupt storage never breaks the cart', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), fc.jsonValue(), (text, item) => {
      expect(parseCart(text)).toEqual([]);
      const storedText = JSON.stringify({ format: 2, lines: [{ id: 1, item }] });
      expect(parseCart(serializeCart(parseCart(storedText)))).toEqual(parseCart(storedText));
    }),
  );
});

test('a canceled checkout restores its items into an empty cart', () => {
  const checkout = { paymentStatus: 'unpaid', cart: [FLIGHT, GIFT] } as const;
  expect(listRestorableItems([], checkout)).toEqual([FLIGHT, GIFT]);
});

test('a restored item has its inputs from this browser', () => {
  expect(findStoredInput([{ id: 4, item: FLIGHT, input: STORED_INPUT }], FLIGHT)).toEqual(STORED_INPUT);
  expect(findStoredInput([{ id: 4, item: FLIGHT, input: STORED_INPUT }], GIFT)).toBeUndefined();
});

test('restoring adds only items that aren’t in the cart', () => {
  const checkout = { paymentStatus: 'unpaid', cart: [FLIGHT, GIFT] } as const;
  expect(listRestorableItems([{ id: 1, item: GIFT }], checkout)).toEqual([FLIGHT]);
  expect(
    listRestorableItems(
      [FLIGHT, GIFT].map((item, id) => ({ id, item })),
      checkout,
    ),
  ).toEqual([]);
});

test.each(['processing', 'paid', 'refunded', 'disputed'] as const)(
  'a checkout that is %s restores nothing',
  (paymentStatus) => {
    expect(listRestorableItems([], { paymentStatus, cart: [FLIGHT] })).toEqual([]);
  },
);

test('an item keeps its earlier price and version until the cart reprices it', () => {
  const oldItem = { ...FLIGHT, cost: 40, factorsVersion: '2026-1.1' };
  const [restoredItem, ...rest] = listRestorableItems([], { paymentStatus: 'failed', cart: [oldItem, GIFT] });
  expect([restoredItem, rest]).toEqual([oldItem, [GIFT]]);
  expect(restoredItem && withCurrentPrice(restoredItem)).toEqual({ ...FLIGHT, factorsVersion: '2026-1.1' });
  expect(withCurrentPrice(GIFT)).toBe(GIFT);
});
