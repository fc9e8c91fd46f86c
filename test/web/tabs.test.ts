import { expect, test } from 'vitest';
import { TABS, tabByKey } from '#web/routes/home/calculator/tabs.tsx';

test('the tabs are in the order of the specification', () => {
  expect(TABS.map(({ label }) => label)).toEqual(['Air', 'Car', 'Home', 'Quick', 'Cart']);
});

test.each([
  ['air', 'ArrowRight', 'car'],
  ['air', 'ArrowLeft', 'cart'],
  ['cart', 'ArrowRight', 'air'],
  ['quick', 'Home', 'air'],
  ['car', 'End', 'cart'],
  ['car', 'Tab', undefined],
] as const)('from %s the key %s moves to %s', (tab, key, next) => {
  expect(tabByKey(tab, key)).toBe(next);
});
