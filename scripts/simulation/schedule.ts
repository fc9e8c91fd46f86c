import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate } from 'node:timers/promises';
import type { Random } from '../seeded-random.ts';

/**
 * Decides which of several concurrent tasks continues. Each task pauses to wait for its turn, and the seed picks the
 * next task. Only one task runs at a time, so that the same seed always gives the same order.
 */
export type Schedule = {
  /** Waits for the task's turn. @param canProceed whether the resource that the task needs is free */
  waitForTurn(canProceed?: () => boolean): Promise<void>;
  /** Waits for work in real time, such as a query. Nothing else runs in the meantime. */
  waitFor<T>(work: Promise<T>): Promise<T>;
  /** Runs tasks concurrently. @returns the errors of the tasks that failed */
  run(tasks: readonly (() => Promise<unknown>)[]): Promise<unknown[]>;
  /** Ends background work of crashed tasks before the next process starts. The work fails at its next step. */
  drain(): Promise<void>;
};

type Task = { readonly index: number; isRunning: boolean };
type WaitingTask = {
  readonly task: Task | undefined;
  readonly canProceed: () => boolean;
  readonly proceed: () => void;
};

/** Background work started by a task begins waiting for its turn within this many rounds of the event loop. */
const QUIET_ROUNDS = 3;
/** After this many rounds, a task that isn't waiting for its turn is assumed to be waiting for another task. */
const MAX_IDLE_ROUNDS = 30;
const STUCK_AFTER_MS = 30_000;

const getTaskIndex = ({ task }: WaitingTask): number => task?.index ?? -1;

export function createSchedule(random: () => Random): Schedule {
  const currentTask = new AsyncLocalStorage<Task>();
  const waitingTasks: WaitingTask[] = [];
  let pendingWork: Promise<unknown> | undefined;

  /** Waits until each task has ended or is waiting for its turn, even if its first step takes a long time. */
  async function runUntilIdle(tasks: readonly Task[]): Promise<void> {
    const startTime = performance.now();
    let idleRounds = 0;
    for (let rounds = 0; rounds < QUIET_ROUNDS; rounds += 1) {
      await setImmediate();
      if (pendingWork) {
        idleRounds = 0;
        await pendingWork.catch(() => {});
      } else if (
        tasks.every((task) => !task.isRunning || waitingTasks.some((waitingTask) => waitingTask.task === task))
      )
        continue;
      else if (waitingTasks.length > 0 && idleRounds++ > MAX_IDLE_ROUNDS) return;
      rounds = -1;
      if (performance.now() - startTime > STUCK_AFTER_MS)
        throw new Error('A task waits for something other than its turn.');
    }
  }

  function takeNextTask(): WaitingTask {
    // Sorted, since the order in which tasks arrive varies, for example if one task was the first to load a module.
    const readyTasks = waitingTasks
      .filter(({ canProceed }) => canProceed())
      .toSorted((a, b) => getTaskIndex(a) - getTaskIndex(b));
    if (readyTasks.length === 0) throw new Error(`Deadlock: ${waitingTasks.length} tasks wait for each other.`);
    const [onlyTask, secondTask] = readyTasks;
    const nextTask = onlyTask && !secondTask ? onlyTask : random().pick(readyTasks);
    waitingTasks.splice(waitingTasks.indexOf(nextTask), 1);
    return nextTask;
  }

  return {
    waitForTurn: (canProceed = () => true) =>
      new Promise((proceed) => waitingTasks.push({ task: currentTask.getStore(), canProceed, proceed })),
    waitFor: async (work) => {
      pendingWork = work;
      try {
        return await work;
      } finally {
        if (pendingWork === work) pendingWork = undefined;
      }
    },
    run: async (actions) => {
      const errors: unknown[] = [];
      const tasks = actions.map((work, index) => {
        const task = { index, isRunning: true };
        const markEnded = () => {
          task.isRunning = false;
        };
        void currentTask
          .run(task, work)
          .catch((error: unknown) => errors.push(error))
          .finally(markEnded);
        return task;
      });
      for (await runUntilIdle(tasks); tasks.some(({ isRunning }) => isRunning); await runUntilIdle(tasks))
        takeNextTask().proceed();
      return errors;
    },
    drain: async () => {
      for (await runUntilIdle([]); waitingTasks.length > 0; await runUntilIdle([])) takeNextTask().proceed();
    },
  };
}
