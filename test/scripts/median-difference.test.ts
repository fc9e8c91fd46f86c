import { expect, test } from 'vitest';
import { compare, median } from '#scripts/bench/median-difference.ts';
import { seededRandom } from '#scripts/sample/seeded-random.ts';

/** Realistic answer times: around `about` milliseconds, with a few much longer ones. */
function times(seed: string, about: number): number[] {
  const random = seededRandom(seed);
  return Array.from({ length: 300 }, () => about + random.between(-3, 3) + (random.chance(0.05) ? 40 : 0));
}

const draws = seededRandom('draws');
const compared = (a: number[], b: number[], unknown: number[]) => compare(a, b, unknown, () => draws.next());

test('a median is the middle value, or the mean of the two middle ones', () => {
  expect(median([3, 1, 2])).toBe(2);
  expect(median([4, 1, 3, 2])).toBe(2.5);
});

test.each([1, 2])('times from the same distribution are alike (%i)', (run) => {
  const { alike, difference } = compared(times(`a${run}`, 60), times(`b${run}`, 60), times(`c${run}`, 60));
  expect(alike).toBe(true);
  expect(difference).toBeGreaterThan(0);
});

test.each([58, 61.5])('unknown addresses with other times are detected (%d instead of 60)', (about) => {
  const { alike, allowed } = compared(times('a', 60), times('b', 60), times('c', about));
  expect(alike).toBe(false);
  expect(allowed).toBeLessThan(1.5);
});

test('unknown addresses may differ as much as the two known sets', () => {
  const { alike, noise, allowed } = compared(times('a', 60), times('b', 70), times('c', 63));
  expect(noise).toBeGreaterThan(9);
  expect(allowed).toBeGreaterThanOrEqual(noise);
  expect(alike).toBe(true);
});
