import { setImmediate as nextTick } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import { createWorkQueue } from '#server/process/work-queue.ts';

afterEach(() => void vi.useRealTimers());

/** Creates tasks that finish when the test calls `end`. */
function controllableTasks() {
  const started: number[] = [];
  const ends = new Map<number, () => void>();
  const task = (name: number) => async () => {
    started.push(name);
    await new Promise<void>((resolve) => ends.set(name, resolve));
    return name;
  };
  const end = async (name: number) => {
    ends.get(name)?.();
    await nextTick();
  };
  return { started, task, end };
}

test('the queue runs tasks up to its limit and starts the rest in order', async () => {
  const queue = createWorkQueue({ maxRunning: 2, maxQueued: 5, timeoutSeconds: 60 });
  const { started, task, end } = controllableTasks();
  const tasks = [1, 2, 3, 4].map((name) => queue.run(task(name)));
  await nextTick();
  expect(started).toEqual([1, 2]);
  await end(2);
  expect(started).toEqual([1, 2, 3]);
  await end(1);
  expect(started).toEqual([1, 2, 3, 4]);
  await end(3);
  await end(4);
  expect(await Promise.all(tasks)).toEqual([1, 2, 3, 4]);
});

// @asvs 15.2.2
test('a full queue rejects the next task and accepts tasks again once there’s room', async () => {
  const queue = createWorkQueue({ maxRunning: 1, maxQueued: 1, timeoutSeconds: 60 });
  const { started, task, end } = controllableTasks();
  const acceptedTasks = [queue.run(task(1)), queue.run(task(2))];
  expect(await queue.run(task(3))).toMatchObject({ code: 'too-many-requests', details: { seconds: 10 } });
  await end(1);
  acceptedTasks.push(queue.run(task(4)));
  await end(2);
  await end(4);
  expect(await Promise.all(acceptedTasks)).toEqual([1, 2, 4]);
  expect(started).toEqual([1, 2, 4]);
});

test('a failed task makes room for the next one', async () => {
  const queue = createWorkQueue({ maxRunning: 1, maxQueued: 1, timeoutSeconds: 60 });
  const brokenTask = queue.run(() => Promise.reject(new Error('broken')));
  const nextTask = queue.run(async () => 'done');
  await expect(brokenTask).rejects.toThrow('broken');
  expect(await nextTask).toBe('done');
});

test('a slow task fails at its time limit, and the next one starts once the slow task has ended', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const queue = createWorkQueue({ maxRunning: 1, maxQueued: 1, timeoutSeconds: 60 });
  const { started, task, end } = controllableTasks();
  const slowTask = queue.run(task(1));
  await vi.advanceTimersByTimeAsync(59_999);
  const nextTask = queue.run(task(2));
  expect(await Promise.race([slowTask, nextTask, nextTick('nothing yet')])).toBe('nothing yet');
  await vi.advanceTimersByTimeAsync(1);
  expect(await slowTask).toMatchObject({ code: 'too-many-requests', details: { seconds: 10 } });
  await nextTick();
  expect(started).toEqual([1]);
  await end(1);
  expect(started).toEqual([1, 2]);
  await end(2);
  expect(await nextTask).toBe(2);
  expect(vi.getTimerCount()).toBe(0);
});

test('a task that gets no slot within the time limit fails and never starts', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const onSlowTask = vi.fn<() => void>();
  const queue = createWorkQueue({ maxRunning: 1, maxQueued: 1, timeoutSeconds: 60 }, onSlowTask);
  const { started, task, end } = controllableTasks();
  const slowTask = queue.run(task(1));
  const waitingTask = queue.run(task(2));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await Promise.race([waitingTask, nextTick('still waiting')])).toMatchObject({ code: 'too-many-requests' });
  expect(await slowTask).toMatchObject({ code: 'too-many-requests' });
  // The task that timed out made room for another.
  const nextTask = queue.run(task(3));
  await vi.advanceTimersByTimeAsync(30_000);
  await end(1);
  expect(started).toEqual([1, 3]);
  await end(3);
  expect(await nextTask).toBe(3);
  expect(onSlowTask).toHaveBeenCalledOnce();
});

test('with a pause factor, the queue waits a multiple of the previous task’s duration', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const queue = createWorkQueue({ maxRunning: 1, maxQueued: 5, timeoutSeconds: 60, pauseFactor: 9 });
  const { started, task, end } = controllableTasks();
  const tasks = [1, 2].map((name) => queue.run(task(name)));
  await vi.advanceTimersByTimeAsync(10);
  await end(1);
  await vi.advanceTimersByTimeAsync(89);
  expect(started).toEqual([1]);
  await vi.advanceTimersByTimeAsync(1);
  expect(started).toEqual([1, 2]);
  await end(2);
  expect(await Promise.all(tasks)).toEqual([1, 2]);
});
