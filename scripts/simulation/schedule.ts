import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate } from 'node:timers/promises';
import type { Random } from '../sample/seeded-random.ts';

/**
 * Decides which task continues when several run at once: each of them stops at its turns, and the seed picks the next.
 * Between two turns only one of them runs, so that the same seed always gives the same order.
 */
export type Schedule = {
  /** @param mayPass whether what it needs is free */
  turn(mayPass?: () => boolean): Promise<void>;
  /** For what takes real time, such as a query: nothing else runs meanwhile. */
  during<T>(work: Promise<T>): Promise<T>;
  /** Runs tasks at the same time. @returns the errors of those that threw */
  run(tasks: readonly (() => Promise<unknown>)[]): Promise<unknown[]>;
  /** After a crash: what tasks had begun beside themselves fails at its next step, and does not outlive the process. */
  drain(): Promise<void>;
};

type Task = { readonly at: number; isRunning: boolean };
type Waiting = { readonly task: Task | undefined; readonly mayPass: () => boolean; readonly pass: () => void };

/** What one task starts at once stops at its turns within a few rounds of the event loop. */
const QUIET_ROUNDS = 3;
/** After this, a task that does not wait for its turn waits for another task, which does its work with its own. */
const STILL_ROUNDS = 30;
const STUCK_AFTER_MS = 30_000;

const placeOf = ({ task }: Waiting): number => task?.at ?? -1;

export function schedule(random: () => Random): Schedule {
  const current = new AsyncLocalStorage<Task>();
  const waiting: Waiting[] = [];
  let inFlight: Promise<unknown> | undefined;

  /** Until each task has ended or waits for its turn, however long that takes the first time. */
  async function quiet(tasks: readonly Task[]): Promise<void> {
    const begun = performance.now();
    let still = 0;
    for (let rounds = 0; rounds < QUIET_ROUNDS; rounds += 1) {
      await setImmediate();
      if (inFlight) {
        still = 0;
        await inFlight.catch(() => {});
      } else if (tasks.every((task) => !task.isRunning || waiting.some((one) => one.task === task))) continue;
      else if (waiting.length > 0 && still++ > STILL_ROUNDS) return;
      rounds = -1;
      if (performance.now() - begun > STUCK_AFTER_MS) throw new Error('Something waits, and not for its turn.');
    }
  }

  function next(): Waiting {
    // Tasks arrive in any order, say because one was the first to load a module.
    const free = waiting.filter(({ mayPass }) => mayPass()).toSorted((one, other) => placeOf(one) - placeOf(other));
    if (free.length === 0) throw new Error(`Nothing can continue: ${waiting.length} wait for each other.`);
    const [only, another] = free;
    const chosen = only && !another ? only : random().pick(free);
    waiting.splice(waiting.indexOf(chosen), 1);
    return chosen;
  }

  return {
    turn: (mayPass = () => true) => new Promise((pass) => waiting.push({ task: current.getStore(), mayPass, pass })),
    during: async (work) => {
      inFlight = work;
      try {
        return await work;
      } finally {
        if (inFlight === work) inFlight = undefined;
      }
    },
    run: async (works) => {
      const errors: unknown[] = [];
      const tasks = works.map((work, at) => {
        const task = { at, isRunning: true };
        const end = () => {
          task.isRunning = false;
        };
        void current
          .run(task, work)
          .catch((error: unknown) => errors.push(error))
          .finally(end);
        return task;
      });
      for (await quiet(tasks); tasks.some(({ isRunning }) => isRunning); await quiet(tasks)) next().pass();
      return errors;
    },
    drain: async () => {
      for (await quiet([]); waiting.length > 0; await quiet([])) next().pass();
    },
  };
}
