export type RepeatedTask = { stop(): Promise<void> };

/** How long running work has to finish when the program stops. */
export const STOP_TIMEOUT_MS = 10_000;

/** Runs `work` repeatedly, with a pause of `intervalMs` after each run. The work must not throw. */
export function repeat(
  work: () => Promise<void>,
  { initialDelayMs, intervalMs }: { initialDelayMs: number; intervalMs: number },
): RepeatedTask {
  let isStopped = false;
  let currentRun: Promise<void> = Promise.resolve();
  const run = () => {
    currentRun = work().finally(() => {
      if (!isStopped) timer = startTimer(run, intervalMs);
    });
  };
  let timer = startTimer(run, initialDelayMs);
  return {
    stop: async () => {
      isStopped = true;
      clearTimeout(timer);
      await currentRun;
    },
  };
}

/** Starts a timer that doesn't keep the process alive. */
function startTimer(work: () => void, ms: number): NodeJS.Timeout {
  return setTimeout(work, ms).unref();
}
