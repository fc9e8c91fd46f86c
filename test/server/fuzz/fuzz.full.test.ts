import { afterAll, expect, test } from 'vitest';
import { processTexts } from '#server/gateways/texts/process-texts.ts';
import { runs } from '#test/support/sizes.ts';
import { createLogSpy } from '#test/support/watched-log.ts';
import { createWorld } from '../permissions/world.ts';
import { fuzz } from './fuzz.ts';

/** `npm run fuzz` sends more requests. */
const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? runs(60, 10_000));
const SEED = process.env.FUZZ_SEED ?? '1';
const ONLY_CALL = process.env.FUZZ_ONLY;
/** Allowed heap growth between the first and last quarter. */
const MAX_HEAP_GROWTH = 1.25;

const texts = processTexts({ log: createLogSpy().log });
afterAll(() => texts.close());
const world = await createWorld({ texts });

test('no request makes the program fail, hang, or violate its schema or permissions', {
  timeout: 600_000 + REQUESTS * 200,
}, async () => {
  const isLong = process.env.FUZZ_REQUESTS !== undefined;
  const { problems, byStatus, heapMegabytes, slowestMs, requests } = await fuzz(world, {
    seed: SEED,
    requests: REQUESTS,
    only: ONLY_CALL,
    ...(isLong ? { report: (line: string) => console.log(line) } : {}),
  });
  if (isLong) {
    console.log(`Responses by status: ${JSON.stringify(byStatus)}; the slowest took ${slowestMs} ms`);
    console.log(`Heap at each quarter: ${heapMegabytes.join(', ')} MB`);
    console.log(`${requests} requests with seed ${SEED}: ${problems.length} problems`);
  }
  expect(problems).toEqual([]);
  expect(requests).toBe(REQUESTS);
  // The result means nothing if no requests were sent.
  if (ONLY_CALL === undefined) expect(byStatus['200'] ?? 0).toBeGreaterThan(REQUESTS / 20);
  const [first = 0] = heapMegabytes;
  expect(heapMegabytes.at(-1) ?? 0).toBeLessThan(first * MAX_HEAP_GROWTH);
});
