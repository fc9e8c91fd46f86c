import { afterAll, expect, test } from 'vitest';
import { createRendererProcess } from '#server/gateways/markdown/renderer-process.ts';
import { createLogSpy } from '#test/support/log-spy.ts';
import { createWorld } from '../permissions/world.ts';
import { fuzz } from './fuzz.ts';

/** `npm run fuzz` sends more requests. */
const REQUEST_COUNT = Number(process.env.FUZZ_REQUESTS ?? 4000);
const SEED = process.env.FUZZ_SEED ?? '1';
const ONLY_CALL = process.env.FUZZ_ONLY;
/** Allowed heap growth between the first and last quarter. */
const MAX_HEAP_GROWTH = 1.25;

const markdownRenderer = createRendererProcess({ log: createLogSpy().log });
afterAll(() => markdownRenderer.close());
const world = await createWorld({ markdownRenderer });

test('no request makes the program fail, hang, or violate its schema or permissions', {
  timeout: 600_000 + REQUEST_COUNT * 200,
}, async () => {
  const isLongRun = process.env.FUZZ_REQUESTS !== undefined;
  const { problems, byStatus, heapMegabytes, slowestMs, requestCount } = await fuzz(world, {
    seed: SEED,
    requestCount: REQUEST_COUNT,
    onlyCall: ONLY_CALL,
    ...(isLongRun ? { report: (line: string) => console.log(line) } : {}),
  });
  if (isLongRun) {
    console.log(`Responses by status: ${JSON.stringify(byStatus)}; the slowest took ${slowestMs} ms`);
    console.log(`Heap at each quarter: ${heapMegabytes.join(', ')} MB`);
    console.log(`${requestCount} requests with seed ${SEED}: ${problems.length} problems`);
  }
  expect(problems).toEqual([]);
  expect(requestCount).toBe(REQUEST_COUNT);
  // The result is meaningless unless enough requests succeed.
  if (ONLY_CALL === undefined) expect(byStatus['200'] ?? 0).toBeGreaterThan(REQUEST_COUNT / 20);
  const [first = 0] = heapMegabytes;
  expect(heapMegabytes.at(-1) ?? 0).toBeLessThan(first * MAX_HEAP_GROWTH);
});
