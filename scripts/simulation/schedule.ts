import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate } from 'node:timers/promises';
import type { Random } from '../seeded-random.ts';

/**
 * Decides which of several concurrent tasks continues: each of them stops at its turns, and the seed picks the next.
 * Only one task runs between two turns, so that the same seed always gives the same order.
 */
export type Schedule = {
  /** @param mayPass whether the resource that the task needs is free */
  turn(mayPass?: () => boolean): Promise<void>;
  /** Waits for work in real time, such as a query, during which nothing else runs. */
  waitFor<T>(work: Promise<T>): Promise<T>;
  /** Runs tasks concurrently. @returns the errors of the tasks that failed */
  run(tasks: readonly (() => Promise<unknown>)[]): Promise<unknown[]>;
  /** Ends work that crashed tasks left in the background: it fails at its next step, before the next process starts. */
  drain(): Promise<void>;
};

type Task = { readonly index: number; isRunning: boolean };
type WaitingTask = { readonly task: Task | undefined; readonly mayPass: () => boolean; readonly pass: () => void };

/** Work that a task starts in the background reaches its turn within a few rounds of the event loop. */
const QUIET_ROUNDS = 3;
/** After this many rounds, a task without a turn is considered to be waiting for another task. */
const STILL_ROUNDS = 30;
const STUCK_AFTER_MS = 30_000;

const placeOf = ({ task }: WaitingTask): number => task?.index ?? -1;

export function schedule(random: () => Random): Schedule {
  const current = new AsyncLocalStorage<Task>();
  const waiting: WaitingTask[] = [];
  let inFlight: Promise<unknown> | undefined;

  /** Waits until each task has ended or waits for its turn, even if its first run takes long. */
  async function runUntilIdle(tasks: readonly Task[]): Promise<void> {
    const startTime = performance.now();
    let idleRounds = 0;
    for (let rounds = 0; rounds < QUIET_ROUNDS; rounds += 1) {
      await setImmediate();
      if (inFlight) {
        idleRounds = 0;
        await inFlight.catch(() => {});
      } else if (tasks.every((task) => !task.isRunning || waiting.some((one) => one.task === task))) continue;
      else if (waiting.length > 0 && idleRounds++ > STILL_ROUNDS) return;
      rounds = -1;
      if (performance.now() - startTime > STUCK_AFTER_MS)
        throw new Error('A task waits for something other than its turn.');
    }
  }

  function next(): WaitingTask {
    // Sorted, since tasks arrive in any order, for example because one was the first to load a module.
    const readyTasks = waiting
      .filter(({ mayPass }) => mayPass())
      .toSorted((one, other) => placeOf(one) - placeOf(other));
    if (readyTasks.length === 0) throw new Error(`Nothing can continue: ${waiting.length} wait for each other.`);
    const [onlyTask, secondTask] = readyTasks;
    const nextTask = onlyTask && !secondTask ? onlyTask : random().pick(readyTasks);
    waiting.splice(waiting.indexOf(nextTask), 1);
    return nextTask;
  }

  return {
    turn: (mayPass = () => true) => new Promise((pass) => waiting.push({ task: current.getStore(), mayPass, pass })),
    waitFor: async (work) => {
      inFlight = work;
      try {
        return await work;
      } finally {
        if (inFlight === work) inFlight = undefined;
      }
    },
    run: async (actions) => {
      const errors: unknown[] = [];
      const tasks = actions.map((work, index) => {
        const task = { index, isRunning: true };
        const end = () => {
          task.isRunning = false;
        };
        void current
          .run(task, work)
          .catch((error: unknown) => errors.push(error))
          .finally(end);
        return task;
      });
      for (await runUntilIdle(tasks); tasks.some(({ isRunning }) => isRunning); await runUntilIdle(tasks))
        next().pass();
      return errors;
    },
    drain: async () => {
      for (await runUntilIdle([]); waiting.length > 0; await runUntilIdle([])) next().pass();
    },
  };
}
