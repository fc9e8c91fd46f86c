// @spec decisions.3
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type CartItem, completeItem, MAX_CART_ITEMS } from '#domain/cart.ts';
import { calculatePrice, OFFSET_TYPES } from '#domain/emissions.ts';
import {
  cartFromLines,
  coveredFeeFromLines,
  parseStoredCart,
  serializeCart,
} from '#server/features/checkouts/provider-cart.ts';
import { buildSessionRequest, toSessionSummary } from '#server/gateways/payments/stripe-sessions.ts';

const recurrence = fc.oneof(
  fc.constant({ recurring: 'no' as const }),
  fc.record({ recurring: fc.constant('month' as const), recurringInterval: fc.integer({ min: 1, max: 36 }) }),
  fc.constant({ recurring: 'year' as const }),
);
const donation = fc.integer({ min: 1, max: 999_999 }).map((cost) => ({ type: 'donation' as const, cost }));
const offset = fc
  .record({
    offsetType: fc.constantFrom(...OFFSET_TYPES),
    tenThousandths: fc.integer({ min: 1, max: 799_999_999_999 }),
  })
  .map(({ offsetType, tenThousandths }) => {
    const carbon = tenThousandths / 10_000;
    return { type: 'offset' as const, offsetType, carbon, cost: calculatePrice(carbon) };
  });
const item = fc
  .tuple(fc.oneof(donation, offset), recurrence)
  .map(([base, schedule]) => completeItem({ ...base, ...schedule }));
const cart = fc.array(item, { minLength: 1, maxLength: MAX_CART_ITEMS });

const LARGEST_ITEM: CartItem = completeItem({
  type: 'offset',
  offsetType: 'home',
  carbon: 79_999_999.9999,
  cost: calculatePrice(79_999_999.9999),
  recurring: 'month',
  recurringInterval: 36,
});

const COVERED_FEE = { initial: 99_999_998, renewal: 99_999_997 };

function buildMetadata(items: readonly CartItem[]) {
  const request = {
    orgId: 'ithaca',
    orgName: 'Ithaca',
    checkoutId: 'one',
    lines: [],
    cart: serializeCart(items),
    userId: 'eve',
    giftKey: 'key',
    coveredFee: COVERED_FEE,
    successUrl: '',
    cancelUrl: '',
    expiresAt: new Date(0),
  };
  const { metadata } = buildSessionRequest(request, 'ours');
  return Object.fromEntries(Object.entries(metadata ?? {}).map(([key, value]) => [key, String(value)]));
}

function roundTrip(items: readonly CartItem[]) {
  const metadata = buildMetadata(items);
  expect(Object.keys(metadata).length).toBeLessThanOrEqual(50);
  for (const [key, value] of Object.entries(metadata)) {
    expect(key.length).toBeLessThanOrEqual(40);
    expect(value.length).toBeLessThanOrEqual(500);
  }
  const session = { id: 'cs_1', metadata, created: 0 } as unknown as Parameters<typeof toSessionSummary>[0];
  const { cart: storedCart, coveredFee } = toSessionSummary(session, 'ours');
  expect(coveredFee).toEqual(COVERED_FEE);
  return parseStoredCart(storedCart ?? '');
}

test('any cart fits in the provider’s metadata and survives a round trip', () => {
  fc.assert(
    fc.property(cart, (items) => {
      expect(roundTrip(items)).toEqual(items);
    }),
    { numRuns: 50 },
  );
  const widestCart = Array.from({ length: MAX_CART_ITEMS }, () => LARGEST_ITEM);
  expect(roundTrip(widestCart)).toEqual(widestCart);
});

test.each([
  [''],
  ['[]'],
  ['[{"type":"offset","cost":1,"carbon":1,"recurring":"no","offsetType":"boat"}]'],
  ['[{}]'],
  ['{'],
])('ignores text that isn’t a cart in the current format: %s', (text) => expect(parseStoredCart(text)).toBeUndefined());

test('lines show each amount and its recurrence; merged items have unknown carbon', () => {
  const monthly = { unit: 'month', count: 3 } as const;
  const lines = [
    { name: 'Donation', description: 'Donation to carbon offset program', amount: 2500 },
    {
      name: 'Air travel',
      description: 'Offset 1,234 lbs carbon (recurring: every 3 months)',
      amount: 1543,
      recurring: monthly,
    },
    { name: '5 more items', description: 'Air travel, Donation', amount: 9001 },
  ];
  expect(cartFromLines(lines)).toEqual([
    completeItem({ type: 'donation', cost: 25 }),
    {
      title: 'Air travel',
      description: 'Offset 1,234 lbs carbon',
      cost: 15.43,
      type: 'offset',
      offsetType: 'air',
      carbon: 1234,
      recurring: 'month',
      recurringInterval: 3,
    },
    {
      title: '5 more items',
      description: 'Donation to carbon offset program',
      cost: 90.01,
      type: 'donation',
      carbon: 0,
      recurring: 'no',
    },
  ]);
});

test('card fee lines aren’t items', () => {
  const monthly = { unit: 'month', count: 1 } as const;
  const lines = [
    { name: 'Donation', description: 'Donation to carbon offset program', amount: 2500, recurring: monthly },
    {
      name: 'Card fee',
      description: 'Covers the card fee, so your whole gift goes to homes',
      amount: 106,
      recurring: monthly,
    },
    { name: 'Card fee', description: 'Covers the card fee, so your whole gift goes to homes', amount: 75 },
  ];
  expect(cartFromLines(lines)).toEqual([completeItem({ type: 'donation', cost: 25, recurring: 'month' })]);
  expect(coveredFeeFromLines(lines)).toEqual({ initial: 181, renewal: 106 });
});

test('parses Spanish lines like English ones', () => {
  const lines = [
    { name: 'Viaje en avión', description: 'Compensa 1,234 lb de carbono', amount: 1543 },
    { name: 'Donación', description: 'Donación al programa de compensación de carbono', amount: 2500 },
    {
      name: 'Comisión de la tarjeta',
      description: 'Cubre la comisión de la tarjeta para que toda su donación llegue a los hogares',
      amount: 75,
    },
  ];
  expect(cartFromLines(lines)).toEqual([
    {
      title: 'Air travel',
      description: 'Offset 1,234 lbs carbon',
      cost: 15.43,
      recurring: 'no',
      type: 'offset',
      offsetType: 'air',
      carbon: 1234,
    },
    completeItem({ type: 'donation', cost: 25 }),
  ]);
  expect(coveredFeeFromLines(lines)).toEqual({ initial: 75, renewal: 0 });
});

test('card fee lines aren’t merged with items', () => {
  const line = { name: 'Donation', description: 'Donation to carbon offset program', amount: 100 };
  const fee = { name: 'Card fee', description: 'Covers the card fee, so your whole gift goes to homes', amount: 330 };
  const request = {
    orgId: 'ithaca',
    orgName: 'Ithaca',
    checkoutId: 'one',
    cart: '',
    userId: undefined,
    giftKey: 'key',
    lines: [...Array.from({ length: MAX_CART_ITEMS }, () => line), fee],
    coveredFee: { initial: 330, renewal: 0 },
    successUrl: '',
    cancelUrl: '',
    expiresAt: new Date(0),
  };
  const { line_items: lines = [] } = buildSessionRequest(request, 'ours');
  const lineNames = lines.map(({ price_data: price }) => [price?.product_data?.name, price?.unit_amount]);
  expect(lineNames.slice(-3)).toEqual([
    ['Donation', 100],
    ['2 more items', 200],
    ['Card fee', 330],
  ]);
  expect(lines.length).toBe(MAX_CART_ITEMS);
});
