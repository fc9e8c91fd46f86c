import { type Failure, tooManyRequests } from '#domain/failures.ts';

/** Runs heavy work a few at a time, so that a burst of it cannot take the memory. */
export type WorkQueue = {
  /** Waits for a turn, then runs the task. Failure too-many-requests where too many wait already, or it takes too long. */
  run<Result>(task: () => Promise<Result>): Promise<Result | Failure>;
};

export type WorkLimits = {
  /** How many tasks run at the same time. */
  readonly atOnce: number;
  /** How many may wait beside them. */
  readonly waiting: number;
  /** How long a task may take. One that is not done by then is given up: a held one must not hold all the others. */
  readonly seconds: number;
};

const RETRY_AFTER_SECONDS = 10;

export function workQueue(limits: WorkLimits): WorkQueue {
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
      if (isFull) return tooManyRequests(RETRY_AFTER_SECONDS);
      await waitForTurn();
      try {
        return await inTime(task(), limits.seconds);
      } finally {
        giveTurn();
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
