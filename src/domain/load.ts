/** What the program carries at a moment. */
export type Load = {
  /** Share of the heap limit in use, including garbage: 0 to 1. */
  readonly heap: number;
  /** Of the memory of the machine or container: 0 to 1. */
  readonly memory: number;
  /** For how many milliseconds of its own work the program looks at nothing new, three times in a row. */
  readonly delayMs: number;
  readonly connections: number;
};

/** From which load on requests are refused. */
export type LoadLimits = Load;

/** most: what can wait is refused. all: also reports of payments, which are sent again. */
export type Shedding = 'nothing' | 'most' | 'all';

/** Of the connections; the rest is for what cannot wait. */
const FOR_MOST = 0.9;
const MUCH_LONGER = 5;

/** What is refused under a load, before the program dies of it. */
export function sheddingUnder(load: Load, limits: LoadLimits): Shedding {
  const nearlyFull = (limit: number) => (1 + limit) / 2;
  if (
    load.heap >= nearlyFull(limits.heap) ||
    load.memory >= nearlyFull(limits.memory) ||
    load.delayMs >= limits.delayMs * MUCH_LONGER
  )
    return 'all';
  const isHeavy =
    load.heap >= limits.heap ||
    load.memory >= limits.memory ||
    load.delayMs >= limits.delayMs ||
    load.connections >= limits.connections * FOR_MOST;
  return isHeavy ? 'most' : 'nothing';
}
