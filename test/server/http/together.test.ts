import { expect, test } from 'vitest';
import { together } from '#server/together.ts';

test('work that arrives meanwhile is batched up to a limit, each item with its own result', async () => {
  const runs: number[][] = [];
  const double = together(async (numbers: readonly number[]) => {
    runs.push([...numbers]);
    return numbers.map((number) => number * 2);
  }, 3);
  expect(await Promise.all([1, 2, 3, 4, 5].map(double))).toEqual([2, 4, 6, 8, 10]);
  expect(runs).toEqual([
    [1, 2, 3],
    [4, 5],
  ]);
  expect(await double(6)).toBe(12);
});

test('an item that fails does so alone', async () => {
  const done: number[] = [];
  const work = together(async (numbers: readonly number[]) => {
    if (numbers.includes(2)) throw new Error('not 2');
    done.push(...numbers);
    return numbers;
  }, 10);
  const results = await Promise.allSettled([1, 2, 3].map(work));
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(done).toEqual([1, 3]);
  expect(await work(4)).toBe(4);
});
