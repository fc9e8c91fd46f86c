import type { Failure } from '#domain/failures.ts';
import { tooManyRequests } from '#domain/server-failures.ts';
import { withTimeout } from './with-timeout.ts';

/** Limits concurrent heavy work, so that a burst can't use up memory. */
export type WorkQueue = {
  /** Runs a task in turn. @returns Failure too-many-requests if the queue is full, or if the result takes too long */
  run<Result>(task: () => Promise<Result>): Promise<Result | Failure>;
};

export type WorkLimits = {
  /** Maximum number of running tasks. */
  readonly maxRunning: number;
  /** Maximum number of waiting tasks. */
  readonly maxQueued: number;
  /**
   * Time limit for the caller's wait, including the wait for a slot. A slower task keeps its slot until it ends,
   * because it still uses memory.
   */
  readonly timeoutSeconds: number;
  /** Pause after each task, as a multiple of its duration, to leave time for the process's other work. */
  readonly pauseFactor?: number;
};

const RETRY_AFTER_SECONDS = 10;

/** @param onSlowTask called once for each task that keeps its slot for longer than the time limit */
export function createWorkQueue(limits: WorkLimits, onSlowTask: () => void = () => {}): WorkQueue {
  const timeoutMs = limits.timeoutSeconds * 1000;
  /** Callbacks that start the waiting tasks, in order. */
  const waitingTasks = new Set<() => void>();
  let runningCount = 0;

  // Passes the slot directly to the next waiting task, so that no new task can take it.
  const passSlot = (): void => {
    const [startNext] = waitingTasks;
    if (startNext) {
      waitingTasks.delete(startNext);
      startNext();
    } else {
      runningCount -= 1;
    }
  };

  const runInSlot = async <Result>(task: () => Promise<Result>): Promise<Result> => {
    const start = performance.now();
    const slowTimer = setTimeout(onSlowTask, timeoutMs).unref();
    try {
      return await task();
    } finally {
      clearTimeout(slowTimer);
      if (limits.pauseFactor === undefined) passSlot();
      else setTimeout(passSlot, (performance.now() - start) * limits.pauseFactor).unref();
    }
  };

  return {
    async run(task) {
      const hasSlot = runningCount < limits.maxRunning;
      if (!hasSlot && waitingTasks.size >= limits.maxQueued) return tooManyRequests(RETRY_AFTER_SECONDS);
      const { promise: turn, resolve: start } = Promise.withResolvers<void>();
      if (hasSlot) {
        runningCount += 1;
        start();
      } else {
        waitingTasks.add(start);
      }
      const result = turn.then(() => runInSlot(task));
      return withTimeout(result, timeoutMs, () => {
        waitingTasks.delete(start);
        return tooManyRequests(RETRY_AFTER_SECONDS);
      });
    },
  };
}
