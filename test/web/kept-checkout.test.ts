import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sharedText } from '#test/support/shared-text.ts';
import { createCheckoutKeeper, keptOfText } from '#web/payment/kept-checkout.ts';

const NOON = Date.UTC(2026, 0, 1, 12);
const DAY = 24 * 60 * 60_000;
const KEPT = { id: 'c1', time: NOON };

test('a checkout is kept for the 24 hours of its life', () => {
  const keeper = createCheckoutKeeper(sharedText().tab());
  expect(keeper.kept(NOON)).toBeUndefined();
  keeper.keep(KEPT);
  expect(keeper.kept(NOON)).toEqual(KEPT);
  expect(keeper.kept(NOON + DAY)).toEqual(KEPT);
  expect(keeper.kept(NOON + DAY + 1)).toBeUndefined();
});

test('a clock that was set back by more than a day does not keep a checkout for ever', () => {
  const keeper = createCheckoutKeeper(sharedText().tab());
  keeper.keep(KEPT);
  expect(keeper.kept(NOON - 60_000)).toEqual(KEPT);
  expect(keeper.kept(NOON - DAY - 1)).toBeUndefined();
});

test('another checkout takes its place, and only the one that is kept is forgotten by its id', () => {
  const shared = sharedText();
  const keeper = createCheckoutKeeper(shared.tab());
  keeper.keep(KEPT);
  keeper.keep({ id: 'c2', time: NOON });
  keeper.forget('c1');
  expect(keeper.kept(NOON)?.id).toBe('c2');
  keeper.forget('c2');
  expect(shared.text()).toBeNull();
});

test('every change is told, of this tab and of another, for as long as somebody listens', () => {
  const shared = sharedText();
  const keeper = createCheckoutKeeper(shared.tab());
  const other = createCheckoutKeeper(shared.tab());
  let told = 0;
  const stop = keeper.subscribe(() => {
    told += 1;
  });
  keeper.keep(KEPT);
  other.keep({ id: 'c2', time: NOON });
  expect(told).toBe(2);
  stop();
  other.forget();
  expect(told).toBe(2);
});

test('whatever stands in the storage, nothing but a checkout is read from it', () => {
  const anything = fc.oneof(fc.string(), fc.json(), fc.constant(null), fc.jsonValue().map(String));
  fc.assert(
    fc.property(anything, (text) => {
      const kept = keptOfText(text);
      if (kept) expect([typeof kept.id, typeof kept.time]).toEqual(['string', 'number']);
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
  expect(texts.map(keptOfText)).toEqual(texts.map(() => undefined));
});
