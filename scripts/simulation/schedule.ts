import { setImmediate } from 'node:timers/promises';
import type { Random } from '../sample/seeded-random.ts';

/**
 * Decides which task continues when several things happen at once: each of them stops at its turns, and the seed picks the next.
 * Between two turns only one of them runs, so that the same seed always gives the same order.
 */
export type Schedule = {
  /** @param mayPass whether what it needs is free */
  turn(mayPass?: () => boolean): Promise<void>;
  /** For what takes real time, such as a query: nothing else runs meanwhile. */
  during<T>(work: Promise<T>): Promise<T>;
  /** Runs tasks at the same time. @returns the errors of those that threw */
  run(tasks: readonly (() => Promise<unknown>)[]): Promise<unknown[]>;
};

type Waiting = { readonly mayPass: () => boolean; readonly pass: () => void };

/** A request inside the process goes through a few rounds of the event loop. */
const QUIET_ROUNDS = 3;

export function schedule(random: () => Random): Schedule {
  const waiting: Waiting[] = [];
  let inFlight: Promise<unknown> | undefined;

  async function quiet(): Promise<void> {
    for (let rounds = 0; rounds < QUIET_ROUNDS; rounds += 1) {
      if (inFlight) {
        await inFlight.catch(() => {});
        rounds = 0;
      }
      await setImmediate();
    }
  }

  function next(): Waiting {
    const free = waiting.filter(({ mayPass }) => mayPass());
    if (free.length === 0) throw new Error(`Nothing can continue: ${waiting.length} wait for each other.`);
    const [only, another] = free;
    const chosen = only && !another ? only : random().pick(free);
    waiting.splice(waiting.indexOf(chosen), 1);
    return chosen;
  }

  return {
    turn: (mayPass = () => true) => new Promise((pass) => waiting.push({ mayPass, pass })),
    during: async (work) => {
      inFlight = work;
      try {
        return await work;
      } finally {
        if (inFlight === work) inFlight = undefined;
      }
    },
    run: async (tasks) => {
      let running = tasks.length;
      const errors: unknown[] = [];
      for (const task of tasks) {
        void task()
          .catch((error: unknown) => errors.push(error))
          .finally(() => {
            running -= 1;
          });
      }
      for (await quiet(); running > 0; await quiet()) next().pass();
      return errors;
    },
  };
}
