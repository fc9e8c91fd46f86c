import { monitorEventLoopDelay } from 'node:perf_hooks';
import { promisify } from 'node:util';
import { getHeapStatistics } from 'node:v8';
import type { FastifyInstance } from 'fastify';
import type { AppDeps } from '#server/deps.ts';
import type { Gauge } from '#server/process/metrics.ts';
import { COMMIT, VERSION } from '#server/process/version.ts';

const NANOSECONDS = 1e9;

/** Measures this process: memory, event-loop delays, connections, and the state of the database and the clock. */
export function collectProcessMetrics(
  app: FastifyInstance,
  { db, payments, metrics }: Pick<AppDeps, 'db' | 'payments' | 'metrics'>,
): void {
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  app.addHook('onClose', async () => void delay.disable());
  const connections = promisify(app.server.getConnections.bind(app.server));
  metrics.addGauges(async () => {
    const heap = getHeapStatistics();
    const maxDelay = delay.count === 0 ? 0 : delay.max / NANOSECONDS;
    const meanDelay = delay.count === 0 ? 0 : delay.mean / NANOSECONDS;
    delay.reset();
    return [
      createGauge('fund_build_info', 'Version of the program.', 1, {
        version: VERSION,
        commit: COMMIT,
        node: process.version,
      }),
      createGauge('fund_uptime_seconds', 'Time since the process started.', process.uptime()),
      { ...createGauge('fund_cpu_seconds_total', 'Processor time of the process.', readCpuSeconds()), type: 'counter' },
      createGauge('fund_event_loop_delay_seconds', 'Mean event-loop delay since the last scrape.', meanDelay),
      createGauge('fund_event_loop_delay_max_seconds', 'Maximum event-loop delay since the last scrape.', maxDelay),
      createGauge('fund_memory_bytes', 'Memory of the process (RSS).', process.memoryUsage.rss()),
      createGauge('fund_heap_bytes', 'Heap in use.', heap.used_heap_size),
      createGauge('fund_heap_limit_bytes', 'Maximum heap size.', heap.heap_size_limit),
      createGauge('fund_connections', 'Open connections of visitors and proxies.', await connections()),
      createGauge('fund_database_up', '1 if the database responds, else 0.', db.availability.isDown() ? 0 : 1),
      createGauge('fund_database_connections', 'Connections in the database pool.', db.pool.totalCount),
      createGauge('fund_database_connections_idle', 'Idle connections in the database pool.', db.pool.idleCount),
      createGauge('fund_database_waiting', 'Queries waiting for a database connection.', db.pool.waitingCount),
      createClockGauge(payments.clockLeadMs()),
    ];
  });
}

function createGauge(name: string, help: string, value: number, labels: Readonly<Record<string, string>> = {}): Gauge {
  return { name, help, values: [[labels, value]] };
}

/** @param leadMs undefined if the provider hasn't responded recently */
function createClockGauge(leadMs: number | undefined): Gauge {
  return {
    name: 'fund_clock_lead_seconds',
    help: 'Seconds that the clock of this machine is ahead of the payment provider’s.',
    values: leadMs === undefined ? [] : [[{}, leadMs / 1000]],
  };
}

function readCpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}
