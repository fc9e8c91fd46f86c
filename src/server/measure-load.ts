import { readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { getHeapStatistics } from 'node:v8';

type Share = { readonly used: number; readonly limit: number };

/** What is measured of this process. Tests measure something else. */
export type Measure = {
  /** In bytes, including garbage that is not collected yet. */
  readonly heap: () => Share;
  /** In bytes: of the container, or of this process in the machine. */
  readonly memory: () => Share;
  /** Milliseconds of processor time so far: unlike those of a clock, they don't pass while others use the machine. */
  readonly worked: () => number;
  /** Milliseconds of a clock that only goes forward. */
  readonly time: () => number;
};

export function measureThisProcess(): Measure {
  const memory = containerMemory() ?? processMemory;
  return {
    heap: () => {
      const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics();
      return { used, limit };
    },
    memory,
    worked: () => {
      const { user, system } = process.threadCpuUsage();
      return (user + system) / 1000;
    },
    time: () => performance.now(),
  };
}

const CGROUPS = '/sys/fs/cgroup';

/** Of a container or service with a limit (cgroup version 2), without what the system only keeps from files. */
function containerMemory(): (() => Share) | undefined {
  try {
    const own = /^0::(.*)$/m.exec(readFileSync('/proc/self/cgroup', 'utf8'))?.[1] ?? '/';
    const textOf = (name: string) => readFileSync(path.join(CGROUPS, own, name), 'utf8');
    const limit = Number(textOf('memory.max'));
    if (!Number.isFinite(limit)) return undefined;
    return () => {
      const kept = [...textOf('memory.stat').matchAll(/^(?:in)?active_file (\d+)$/gm)];
      const files = kept.reduce((sum, [, bytes]) => sum + Number(bytes), 0);
      return { used: Number(textOf('memory.current')) - files, limit };
    };
  } catch {
    return undefined;
  }
}

/** What others use is not counted: they would be the reason to refuse visitors. */
function processMemory(): Share {
  // 0 is for a system that says nothing of a limit, such as one without control groups.
  const constrained = process.constrainedMemory() || Number.POSITIVE_INFINITY;
  return { used: process.memoryUsage.rss(), limit: Math.min(constrained, os.totalmem()) };
}

const MOST_CONNECTIONS = 10_000;
const OF_OPEN_FILES = 0.6;

/** What this process can hold besides its other files. */
export function mostConnections(): number {
  try {
    const files = Number(/^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]);
    return files > 0 ? Math.min(MOST_CONNECTIONS, Math.floor(files * OF_OPEN_FILES)) : MOST_CONNECTIONS;
  } catch {
    return MOST_CONNECTIONS;
  }
}
