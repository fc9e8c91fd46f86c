import type { Failure } from '#domain/failures.ts';
import { tooManyRequests } from '#domain/server-failures.ts';
import { withTimeout } from './with-timeout.ts';

/** Limits concurrent heavy work, so that a burst can't use up the memory. */
export type WorkQueue = {
  /** Runs a task in turn. @returns Failure too-many-requests if the queue is full, or if the task takes too long */
  run<Result>(task: () => Promise<Result>): Promise<Result | Failure>;
};

export type WorkLimits = {
  /** Maximum number of running tasks. */
  readonly maxRunning: number;
  /** Maximum number of waiting tasks. */
  readonly maxQueued: number;
  /** Time limit for a task's caller. A slower task keeps its slot until it ends, because it still uses memory. */
  readonly timeoutSeconds: number;
  /** Pause after each task, as a multiple of its duration, to leave time for the process's other work. */
  readonly pauseFactor?: number;
};

const RETRY_AFTER_SECONDS = 10;

export function createWorkQueue(limits: WorkLimits): WorkQueue {
  const waitingTasks: (() => void)[] = [];
  let runningCount = 0;

  const waitForTurn = async (): Promise<void> => {
    if (runningCount < limits.maxRunning) runningCount += 1;
    else await new Promise<void>((resolve) => waitingTasks.push(resolve));
  };
  // Passes the slot directly to the next waiting task, so that no new task can take it.
  const passSlot = (): void => {
    const next = waitingTasks.shift();
    if (next) next();
    else runningCount -= 1;
  };

  const runInSlot = async <Result>(task: () => Promise<Result>): Promise<Result> => {
    const start = performance.now();
    try {
      return await task();
    } finally {
      if (limits.pauseFactor === undefined) passSlot();
      else setTimeout(passSlot, (performance.now() - start) * limits.pauseFactor).unref();
    }
  };

  return {
    async run(task) {
      const isFull = runningCount >= limits.maxRunning && waitingTasks.length >= limits.maxQueued;
      if (isFull) return tooManyRequests(RETRY_AFTER_SECONDS);
      await waitForTurn();
      return withTimeout(runInSlot(task), limits.timeoutSeconds * 1000, () => tooManyRequests(RETRY_AFTER_SECONDS));
    },
  };
}
