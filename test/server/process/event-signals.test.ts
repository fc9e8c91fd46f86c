import { expect, test, vi } from 'vitest';
import { createEventSignals } from '#server/process/event-signals.ts';

async function isSettled(promise: Promise<void>): Promise<boolean> {
  return Promise.race([promise.then(() => true), vi.advanceTimersByTimeAsync(0).then(() => false)]);
}

test('receipts wait for a backlog of events to clear, but for at most five seconds', async () => {
  vi.useFakeTimers();
  const signals = createEventSignals();
  expect(await isSettled(signals.whenNotBusy())).toBe(true);
  signals.setBusy(true);
  const first = signals.whenNotBusy();
  expect(await isSettled(first)).toBe(false);
  signals.setBusy(false);
  expect(await isSettled(first)).toBe(true);
  signals.setBusy(true);
  const second = signals.whenNotBusy();
  await vi.advanceTimersByTimeAsync(4999);
  expect(await isSettled(second)).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(await isSettled(second)).toBe(true);
  const third = signals.whenNotBusy();
  signals.stop();
  expect(await isSettled(third)).toBe(true);
  vi.useRealTimers();
});
