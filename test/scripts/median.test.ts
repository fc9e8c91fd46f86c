import { expect, test } from 'vitest';
import { getMedian } from '#scripts/bench/median.ts';

test('the median is the middle value or the mean of the two middle values', () => {
  expect(getMedian([3, 1, 2])).toBe(2);
  expect(getMedian([4, 1, 3, 2])).toBe(2.5);
});
