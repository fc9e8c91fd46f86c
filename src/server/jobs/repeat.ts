export type Repeated = { stop(): Promise<void> };

/** Runs `work` repeatedly, `everyMs` after each run ends. It must not throw. */
export function repeat(
  work: () => Promise<void>,
  { firstMs, everyMs }: { firstMs: number; everyMs: number },
): Repeated {
  let stopped = false;
  let running: Promise<void> = Promise.resolve();
  const run = () => {
    running = work().finally(() => {
      if (!stopped) timer = later(run, everyMs);
    });
  };
  let timer = later(run, firstMs);
  return {
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}

/** A timer that does not keep the process alive. */
function later(work: () => void, ms: number): NodeJS.Timeout {
  return setTimeout(work, ms).unref();
}
