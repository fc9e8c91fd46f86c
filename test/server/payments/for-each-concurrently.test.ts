import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Failure } from '#domain/failures.ts';
import { forEachConcurrently } from '#server/program/for-each-concurrently.ts';

const ITEMS = Array.from({ length: 20 }, (_, index) => index);

/** Asks about each item. The second item has a problem; the others of the first eight end after it. */
async function askWithProblem(problem: () => Promise<unknown>) {
  const [started, ended]: [number[], number[]] = [[], []];
  const others = Promise.withResolvers<void>();
  const asking = forEachConcurrently(ITEMS, async (item) => {
    started.push(item);
    if (item !== 1) await others.promise;
    ended.push(item);
    return item === 1 ? problem() : undefined;
  });
  await setImmediate();
  others.resolve();
  const [result] = await Promise.allSettled([asking]);
  return { result, started, ended };
}

test('calls the function for every item', async () => {
  const requests: number[] = [];
  expect(await forEachConcurrently(ITEMS, async (item) => requests.push(item))).toBeUndefined();
  expect(requests).toEqual(ITEMS);
});

test.each([
  ['an error', () => Promise.reject(new Error('broken')), { status: 'rejected', reason: new Error('broken') }],
  [
    'a Failure',
    async () => new Failure('payment-unavailable'),
    { status: 'fulfilled', value: new Failure('payment-unavailable') },
  ],
])('after %s, no further request starts, and the running ones end', async (_name, problem, expected) => {
  const { result, started, ended } = await askWithProblem(problem);
  expect(result).toEqual(expected);
  expect(started).toEqual(ITEMS.slice(0, 8));
  expect(ended.toSorted((a, b) => a - b)).toEqual(started);
});
