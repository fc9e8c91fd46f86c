import { readFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { promisify } from 'node:util';
import { getHeapStatistics } from 'node:v8';
import type { FastifyInstance } from 'fastify';
import type { AppDeps } from '#server/deps.ts';
import type { Gauge } from '#server/program/metrics.ts';
import { programFile } from '#server/program/program-file.ts';

const { version: PROGRAM_VERSION }: { version: string } = JSON.parse(readFileSync(programFile('package.json'), 'utf8'));

const NANOSECONDS = 1e9;

/** This process: its memory, its delays, its connections. */
export function measureProgram(app: FastifyInstance, { db, metrics }: Pick<AppDeps, 'db' | 'metrics'>): void {
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  app.addHook('onClose', async () => void delay.disable());
  const connections = promisify(app.server.getConnections.bind(app.server));
  metrics.measure(async () => {
    const heap = getHeapStatistics();
    const longest = delay.count === 0 ? 0 : delay.max / NANOSECONDS;
    const usual = delay.count === 0 ? 0 : delay.mean / NANOSECONDS;
    delay.reset();
    return [
      one('fund_build_info', 'The version that runs.', 1, { version: PROGRAM_VERSION, node: process.version }),
      one('fund_uptime_seconds', 'Since the process started.', process.uptime()),
      one('fund_cpu_seconds', 'Processor time of the process.', cpuSeconds()),
      one('fund_event_loop_delay_seconds', 'How late timers were since the last look.', usual),
      one('fund_event_loop_delay_max_seconds', 'The latest timer since the last look.', longest),
      one('fund_memory_bytes', 'Memory of the process (RSS).', process.memoryUsage.rss()),
      one('fund_heap_bytes', 'Heap in use.', heap.used_heap_size),
      one('fund_heap_limit_bytes', 'Heap at most.', heap.heap_size_limit),
      one('fund_connections', 'Open connections of visitors and proxies.', await connections()),
      one('fund_database_connections', 'Connections of the pool to the database.', db.pool.totalCount),
      one('fund_database_connections_idle', 'Of these, unused.', db.pool.idleCount),
      one('fund_database_waiting', 'What waits for a connection to the database.', db.pool.waitingCount),
    ];
  });
}

function one(name: string, help: string, value: number, labels: Readonly<Record<string, string>> = {}): Gauge {
  return { name, help, values: [[labels, value]] };
}

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}
