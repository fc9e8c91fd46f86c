import { type Failure, tooManyRequests } from '#domain/failures.ts';

/** Runs heavy work a few at a time, so that a burst of it cannot take the memory. */
export type WorkQueue = {
  /** Waits for a turn, then runs the task. Failure too-many-requests where too many wait already. */
  run<Result>(task: () => Promise<Result>): Promise<Result | Failure>;
};

const SECONDS_TO_COME_BACK = 10;

/**
 * @param limits.atOnce how many tasks run at the same time
 * @param limits.waiting how many may wait beside them
 */
export function workQueue(limits: { readonly atOnce: number; readonly waiting: number }): WorkQueue {
  const line: (() => void)[] = [];
  let running = 0;

  const waitForTurn = async (): Promise<void> => {
    if (running < limits.atOnce) running += 1;
    else await new Promise<void>((resolve) => line.push(resolve));
  };
  // The place goes straight to the next in line, so that nobody can slip in between.
  const giveTurn = (): void => {
    const next = line.shift();
    if (next) next();
    else running -= 1;
  };

  return {
    async run(task) {
      const isFull = running >= limits.atOnce && line.length >= limits.waiting;
      if (isFull) return tooManyRequests(SECONDS_TO_COME_BACK);
      await waitForTurn();
      try {
        return await task();
      } finally {
        giveTurn();
      }
    },
  };
}
