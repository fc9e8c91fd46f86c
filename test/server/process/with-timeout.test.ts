import { expect, test, vi } from 'vitest';
import { withTimeout } from '#server/process/with-timeout.ts';

test('work within the time limit returns its result or error', async () => {
  expect(await withTimeout(Promise.resolve('result'), 1000, () => 'late')).toBe('result');
  const failure = new Error('no result');
  await expect(withTimeout(Promise.reject(failure), 1000, () => 'late')).rejects.toBe(failure);
});

test('work that exceeds the time limit results in a fallback value or an error', async () => {
  vi.useFakeTimers();
  const neverDone = new Promise<string>(() => {});
  const lateResult = withTimeout(neverDone, 1000, () => 'late');
  const failure = new Error('too late');
  const lateError = withTimeout(neverDone, 2000, () => {
    throw failure;
  });
  const errorExpectation = expect(lateError).rejects.toBe(failure);
  await vi.advanceTimersByTimeAsync(2000);
  vi.useRealTimers();
  expect(await lateResult).toBe('late');
  await errorExpectation;
});
