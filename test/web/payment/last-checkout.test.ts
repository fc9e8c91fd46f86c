import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSharedText } from '#test/support/shared-text.ts';
import { createLastCheckoutStorage, parseLastCheckout } from '#web/payment/last-checkout.ts';

const NOON = Date.UTC(2026, 0, 1, 12);
const DAY = 24 * 60 * 60_000;
const STORED_CHECKOUT = { id: 'c1', time: NOON };

test('a checkout is remembered for 24 hours', () => {
  const storage = createLastCheckoutStorage(createSharedText().tab());
  expect(storage.read(NOON)).toBeUndefined();
  storage.save(STORED_CHECKOUT);
  expect(storage.read(NOON)).toEqual(STORED_CHECKOUT);
  expect(storage.read(NOON + DAY)).toEqual(STORED_CHECKOUT);
  expect(storage.read(NOON + DAY + 1)).toBeUndefined();
});

test('setting the clock back by more than a day doesn’t make a checkout last forever', () => {
  const storage = createLastCheckoutStorage(createSharedText().tab());
  storage.save(STORED_CHECKOUT);
  expect(storage.read(NOON - 60_000)).toEqual(STORED_CHECKOUT);
  expect(storage.read(NOON - DAY - 1)).toBeUndefined();
});

test('another checkout replaces the stored one, and forgetting by id affects only the stored one', () => {
  const shared = createSharedText();
  const storage = createLastCheckoutStorage(shared.tab());
  storage.save(STORED_CHECKOUT);
  storage.save({ id: 'c2', time: NOON });
  storage.forget('c1');
  expect(storage.read(NOON)?.id).toBe('c2');
  storage.forget('c2');
  expect(shared.text()).toBeNull();
});

test('listeners receive every change from this tab and others', () => {
  const shared = createSharedText();
  const storage = createLastCheckoutStorage(shared.tab());
  const otherTab = createLastCheckoutStorage(shared.tab());
  let notificationCount = 0;
  const stop = storage.subscribe(() => {
    notificationCount += 1;
  });
  storage.save(STORED_CHECKOUT);
  otherTab.save({ id: 'c2', time: NOON });
  expect(notificationCount).toBe(2);
  stop();
  otherTab.forget();
  expect(notificationCount).toBe(2);
});

test('only a valid stored checkout is accepted', () => {
  const plausibleText = fc.record({ id: fc.jsonValue(), time: fc.jsonValue() }).map((value) => JSON.stringify(value));
  const anyText = fc.oneof(fc.string(), fc.json(), fc.constant(null), plausibleText);
  fc.assert(
    fc.property(anyText, (text) => {
      const checkout = parseLastCheckout(text);
      if (checkout) expect([typeof checkout.id, typeof checkout.time]).toEqual(['string', 'number']);
    }),
  );
  const texts = [
    '',
    '{',
    'null',
    '"c1"',
    '[]',
    '{"id":"c1"}',
    '{"id":1,"time":2}',
    '{"id":"","time":2}',
    '{"id":"c1","time":"2"}',
  ];
  expect(texts.map(parseLastCheckout)).toEqual(texts.map(() => undefined));
});
