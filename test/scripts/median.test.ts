import { expect, test } from 'vitest';
import { median } from '#scripts/bench/median.ts';

test('the median is the middle value or the mean of the two middle values', () => {
  expect(median([3, 1, 2])).toBe(2);
  expect(median([4, 1, 3, 2])).toBe(2.5);
});
