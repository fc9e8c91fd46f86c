// @spec decisions.3
import { getEventListeners } from 'node:events';
import { expect, test, vi } from 'vitest';
import type { Checkout } from '#contract/schemas/checkouts.ts';
import type { PaymentStatus } from '#domain/checkout.ts';
import { pause } from '#web/browser/pause.ts';
import { pollDelay, pollUntilSettled } from '#web/routes/checkout/use-polled-checkout.ts';

const checkoutWithStatus = (paymentStatus: PaymentStatus): Checkout => ({
  id: 'a',
  paymentStatus,
  completed: false,
  isOver: false,
  needsCompletion: false,
  cart: [],
  total: 5,
  coveredFee: 0,
  paymentURL: null,
  offsetterURL: null,
  draft: null,
  createdTimestamp: '2026-01-01T00:00:00.000Z',
});

/** Creates a provider with these responses in order. An error means no response. */
function createFakePolling(...responses: readonly (PaymentStatus | Error)[]) {
  const remainingResponses = [...responses];
  const statuses: (PaymentStatus | undefined)[] = [];
  const delays: number[] = [];
  const polling = {
    poll: async () => {
      const response = remainingResponses.shift();
      if (response === undefined) throw new Error('polled too often');
      if (response instanceof Error) throw response;
      return checkoutWithStatus(response);
    },
    wait: async (milliseconds: number) => void delays.push(milliseconds),
    onCheckout: (response: Checkout | undefined) => void statuses.push(response?.paymentStatus),
  };
  return { polling, reportedStatuses: statuses, delays, remainingResponses };
}

test('the delay starts at 2 seconds, increases, and is capped at 15', () => {
  const delays = Array.from({ length: 12 }, (_, index) => pollDelay(index));
  expect(delays[0]).toBe(2000);
  expect(delays.at(-1)).toBe(15_000);
  expect(delays).toEqual([...delays].sort((a, b) => a - b));
  expect(new Set(delays).size).toBeGreaterThan(4);
});

test('polling continues until the payment is settled and then stops', async () => {
  const { polling, reportedStatuses, delays } = createFakePolling('unpaid', 'processing', 'paid');
  await pollUntilSettled(polling, new AbortController().signal);
  expect(reportedStatuses).toEqual(['unpaid', 'processing', 'paid']);
  expect(delays).toEqual([pollDelay(0), pollDelay(1), pollDelay(2)]);
});

test.each(['failed', 'expired', 'refunded', 'disputed'] as const)('%s counts as settled', async (status) => {
  const { polling, reportedStatuses } = createFakePolling(status);
  await pollUntilSettled(polling, new AbortController().signal);
  expect(reportedStatuses).toEqual([status]);
});

test('a failed poll is reported, and polling continues', async () => {
  const { polling, reportedStatuses } = createFakePolling(new Error('offline'), 'paid');
  await pollUntilSettled(polling, new AbortController().signal);
  expect(reportedStatuses).toEqual([undefined, 'paid']);
});

test('polling stopped during a delay makes no more requests', async () => {
  const { polling, reportedStatuses, remainingResponses } = createFakePolling('paid');
  const controller = new AbortController();
  const stopWaiting = async () => controller.abort();
  await pollUntilSettled({ ...polling, wait: stopWaiting }, controller.signal);
  expect([reportedStatuses, remainingResponses]).toEqual([[], ['paid']]);
});

test('a response after polling stopped is dropped', async () => {
  const { polling, reportedStatuses } = createFakePolling('unpaid');
  const controller = new AbortController();
  const fetchCheckout = async () => {
    controller.abort();
    return polling.poll();
  };
  await pollUntilSettled({ ...polling, poll: fetchCheckout }, controller.signal);
  expect(reportedStatuses).toEqual([]);
});

test('a pause lasts its full time, ends early when stopped, and leaves no listener', async () => {
  vi.useFakeTimers();
  try {
    const endedPauses: string[] = [];
    const controller = new AbortController();
    const uninterrupted = new AbortController().signal;
    void pause(2000, uninterrupted).then(() => endedPauses.push('waited'));
    const stoppedPause = pause(60_000, controller.signal).then(() => endedPauses.push('stopped'));
    await vi.advanceTimersByTimeAsync(1999);
    expect(endedPauses).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(endedPauses).toEqual(['waited']);
    controller.abort();
    await stoppedPause;
    expect(endedPauses).toEqual(['waited', 'stopped']);
    void pause(60_000, controller.signal).then(() => endedPauses.push('already stopped'));
    await vi.advanceTimersByTimeAsync(0);
    expect(endedPauses).toContain('already stopped');
    expect(vi.getTimerCount()).toBe(0);
    expect(getEventListeners(uninterrupted, 'abort')).toEqual([]);
  } finally {
    vi.useRealTimers();
  }
});
