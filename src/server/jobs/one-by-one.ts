import type { Jobs } from './queues.ts';

/** Jobs by something else than the program's queues. */
export function oneByOne(enqueue: Jobs['enqueue']): Jobs {
  return {
    enqueue,
    enqueueAll: async (tx, name, all) => {
      for (const data of all) await enqueue(tx, name, data);
    },
  };
}
