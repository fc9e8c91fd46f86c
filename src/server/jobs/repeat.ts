export type Repeated = { stop(): Promise<void> };

/** Does work again and again, `everyMs` after it was done the last time; it must not throw. */
export function repeat(
  work: () => Promise<void>,
  { firstMs, everyMs }: { firstMs: number; everyMs: number },
): Repeated {
  let stopped = false;
  let underWay: Promise<void> = Promise.resolve();
  const run = () => {
    underWay = work().finally(() => {
      if (!stopped) timer = later(run, everyMs);
    });
  };
  let timer = later(run, firstMs);
  return {
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await underWay;
    },
  };
}

/** A timer that does not keep the program alive. */
function later(work: () => void, ms: number): NodeJS.Timeout {
  return setTimeout(work, ms).unref();
}
