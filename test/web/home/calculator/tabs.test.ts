// @spec 2.home-screen
import { expect, test } from 'vitest';
import { OFFSET_TYPES } from '#domain/emissions.ts';
import { getNextTab, TABS } from '#web/routes/home/calculator/tabs.tsx';

test('every offset type has a tab', () => {
  expect(TABS.map(({ tab }) => tab)).toEqual(expect.arrayContaining(OFFSET_TYPES));
});

test.each([
  ['air', 'ArrowRight', 'car'],
  ['air', 'ArrowLeft', 'cart'],
  ['cart', 'ArrowRight', 'air'],
  ['quick', 'Home', 'air'],
  ['car', 'End', 'cart'],
  ['car', 'Tab', undefined],
] as const)('from %s, the key %s moves to %s', (tab, key, next) => {
  expect(getNextTab(tab, key)).toBe(next);
});
