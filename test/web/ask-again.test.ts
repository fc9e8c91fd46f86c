import { expect, test, vi } from 'vitest';
import type { Checkout } from '#contract/schemas/checkouts.ts';
import type { PaymentStatus } from '#domain/checkout.ts';
import { askUntilSettled, pauseBefore, pauseFor } from '#web/routes/checkout/watch-payment.ts';

const withStatus = (paymentStatus: PaymentStatus): Checkout => ({
  id: 'a',
  paymentStatus,
  completed: false,
  over: false,
  cart: [],
  total: 5,
  paymentURL: null,
  offsetterURL: null,
  draft: null,
  createdTimestamp: '2026-01-01T00:00:00.000Z',
});

/** What a provider says, one answer after another; an error stands for no answer at all. */
function asked(...answers: readonly (PaymentStatus | Error)[]) {
  const left = [...answers];
  const told: (PaymentStatus | undefined)[] = [];
  const pauses: number[] = [];
  const asking = {
    ask: async () => {
      const answer = left.shift();
      if (answer === undefined) throw new Error('asked too often');
      if (answer instanceof Error) throw answer;
      return withStatus(answer);
    },
    pause: async (milliseconds: number) => void pauses.push(milliseconds),
    told: (answer: Checkout | undefined) => void told.push(answer?.paymentStatus),
  };
  return { asking, told, pauses, left };
}

test('the pause is 2 seconds at first, grows, and stays at 15', () => {
  const pauses = Array.from({ length: 12 }, (_, index) => pauseBefore(index));
  expect(pauses[0]).toBe(2000);
  expect(pauses.at(-1)).toBe(15_000);
  expect(pauses).toEqual([...pauses].sort((one, other) => one - other));
  expect(new Set(pauses).size).toBeGreaterThan(4);
});

test('the question is asked until the payment is settled, and not again', async () => {
  const { asking, told, pauses } = asked('unpaid', 'processing', 'paid');
  await askUntilSettled(asking, new AbortController().signal);
  expect(told).toEqual(['unpaid', 'processing', 'paid']);
  expect(pauses).toEqual([pauseBefore(0), pauseBefore(1), pauseBefore(2)]);
});

test.each(['failed', 'expired', 'refunded', 'disputed'] as const)('%s is settled too', async (status) => {
  const { asking, told } = asked(status);
  await askUntilSettled(asking, new AbortController().signal);
  expect(told).toEqual([status]);
});

test('no answer is told as none, and the question is asked again', async () => {
  const { asking, told } = asked(new Error('offline'), 'paid');
  await askUntilSettled(asking, new AbortController().signal);
  expect(told).toEqual([undefined, 'paid']);
});

test('nothing is asked once it was stopped while waiting', async () => {
  const { asking, told, left } = asked('paid');
  const controller = new AbortController();
  const pause = async () => controller.abort();
  await askUntilSettled({ ...asking, pause }, controller.signal);
  expect([told, left]).toEqual([[], ['paid']]);
});

test('an answer that comes after it was stopped is not told', async () => {
  const { asking, told } = asked('unpaid');
  const controller = new AbortController();
  const ask = async () => {
    controller.abort();
    return asking.ask();
  };
  await askUntilSettled({ ...asking, ask }, controller.signal);
  expect(told).toEqual([]);
});

test('a pause lasts as long as it should, and ends when it is stopped', async () => {
  vi.useFakeTimers();
  try {
    const ended: string[] = [];
    const controller = new AbortController();
    void pauseFor(2000, new AbortController().signal).then(() => ended.push('waited'));
    const stopped = pauseFor(60_000, controller.signal).then(() => ended.push('stopped'));
    await vi.advanceTimersByTimeAsync(1999);
    expect(ended).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(ended).toEqual(['waited']);
    controller.abort();
    await stopped;
    expect(ended).toEqual(['waited', 'stopped']);
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});
