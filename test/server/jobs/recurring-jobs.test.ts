import { afterEach, expect, test, vi } from 'vitest';
import { startRecurringJobs } from '#server/jobs/start-recurring-jobs.ts';
import { HOUR, MINUTE } from '#test/support/clock.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { createLogSpy } from '#test/support/log-spy.ts';

const db = await createTestDatabase();
afterEach(() => void vi.useRealTimers());

test.each([MINUTE, HOUR])(
  'a job that runs every %d ms is recorded once it has failed for an hour',
  async (intervalMs) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
    const { log, loggedProblems } = createLogSpy();
    let isBroken = true;
    let recordCount = 0;
    const run = async () => {
      if (isBroken) throw new Error('broken');
    };
    const deps = {
      db,
      log,
      now: () => new Date(),
      recordFailingJob: async () => {
        recordCount += 1;
        throw new Error('The database is unreachable.');
      },
    };
    const jobs = startRecurringJobs([{ name: 'sweep', initialDelayMs: 0, intervalMs, isExclusive: false, run }], deps);
    await vi.advanceTimersByTimeAsync(HOUR - 1);
    expect(recordCount).toBe(0);
    await vi.advanceTimersByTimeAsync(1);
    expect(recordCount).toBe(1);
    await vi.advanceTimersByTimeAsync(intervalMs);
    expect(recordCount).toBe(2);
    expect(new Set(loggedProblems)).toEqual(new Set(['a recurring job failed: broken']));
    isBroken = false;
    await vi.advanceTimersByTimeAsync(intervalMs);
    isBroken = true;
    await vi.advanceTimersByTimeAsync(HOUR);
    expect(recordCount).toBe(2);
    await jobs.stop();
  },
);

test('stopping waits at most ten seconds for a job that ignores the signal', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { log } = createLogSpy();
  const deps = { db, log, now: () => new Date(), recordFailingJob: async () => {} };
  const run = vi.fn(() => new Promise<void>(() => {}));
  const schedule = { initialDelayMs: 0, intervalMs: HOUR, isExclusive: false };
  const jobs = startRecurringJobs([{ name: 'compare', ...schedule, run }], deps);
  await vi.advanceTimersByTimeAsync(1);
  expect(run).toHaveBeenCalledOnce();
  let isStopped = false;
  const stopPromise = jobs.stop().then(() => {
    isStopped = true;
  });
  await vi.advanceTimersByTimeAsync(9999);
  expect(isStopped).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  await stopPromise;
});
