import type { Failure } from '#domain/failures.ts';
import { tooManyRequests } from '#domain/refusals.ts';

/** Limits how much heavy work runs at once, so that a burst of it can't use up the memory. */
export type WorkQueue = {
  /** @returns Failure too-many-requests if too many are waiting, or the task takes too long */
  run<Result>(task: () => Promise<Result>): Promise<Result | Failure>;
};

export type WorkLimits = {
  readonly atOnce: number;
  readonly waiting: number;
  /** A task that takes longer is given up, so that it doesn't block the others. */
  readonly seconds: number;
  /** After each task a turn is free for this many times as long as it took, so that others' work comes between. */
  readonly rest?: number;
};

const RETRY_AFTER_SECONDS = 10;

export function workQueue(limits: WorkLimits): WorkQueue {
  const line: (() => void)[] = [];
  let running = 0;

  const waitForTurn = async (): Promise<void> => {
    if (running < limits.atOnce) running += 1;
    else await new Promise<void>((resolve) => line.push(resolve));
  };
  // The turn goes straight to the next in line, so that nothing slips in between.
  const giveTurn = (): void => {
    const next = line.shift();
    if (next) next();
    else running -= 1;
  };

  return {
    async run(task) {
      const isFull = running >= limits.atOnce && line.length >= limits.waiting;
      if (isFull) return tooManyRequests(RETRY_AFTER_SECONDS);
      await waitForTurn();
      const began = performance.now();
      try {
        return await inTime(task(), limits.seconds);
      } finally {
        if (limits.rest === undefined) giveTurn();
        else setTimeout(giveTurn, (performance.now() - began) * limits.rest).unref();
      }
    },
  };
}

async function inTime<Result>(work: Promise<Result>, seconds: number): Promise<Result | Failure> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Failure>((resolve) => {
    timer = setTimeout(() => resolve(tooManyRequests(RETRY_AFTER_SECONDS)), seconds * 1000);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
