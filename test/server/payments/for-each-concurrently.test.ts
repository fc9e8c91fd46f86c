import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Failure } from '#domain/failures.ts';
import { forEachConcurrently } from '#server/process/for-each-concurrently.ts';

const ITEMS = Array.from({ length: 20 }, (_, index) => index);

/** Processes each item. The second item fails; the rest of the first eight finish after it. */
async function runWithProblem(problem: () => Promise<unknown>) {
  const [started, ended]: [number[], number[]] = [[], []];
  const failureDone = Promise.withResolvers<void>();
  const run = forEachConcurrently(ITEMS, async (item) => {
    started.push(item);
    if (item !== 1) await failureDone.promise;
    ended.push(item);
    return item === 1 ? problem() : undefined;
  });
  await setImmediate();
  failureDone.resolve();
  const [result] = await Promise.allSettled([run]);
  return { result, started, ended };
}

test('calls the function for every item', async () => {
  const processedItems: number[] = [];
  expect(await forEachConcurrently(ITEMS, async (item) => processedItems.push(item))).toBeUndefined();
  expect(processedItems).toEqual(ITEMS);
});

test.each([
  ['an error', () => Promise.reject(new Error('broken')), { status: 'rejected', reason: new Error('broken') }],
  [
    'a Failure',
    async () => new Failure('payment-unavailable'),
    { status: 'fulfilled', value: new Failure('payment-unavailable') },
  ],
])('after %s, no new calls start and running calls finish', async (_name, problem, expected) => {
  const { result, started, ended } = await runWithProblem(problem);
  expect(result).toEqual(expected);
  expect(started).toEqual(ITEMS.slice(0, 8));
  expect(ended.toSorted((a, b) => a - b)).toEqual(started);
});
