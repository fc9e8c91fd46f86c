import os from 'node:os';
import { getHeapStatistics } from 'node:v8';
import underPressure from '@fastify/under-pressure';
import type { FastifyInstance } from 'fastify';
import { METRICS_PATH, WEBHOOK_PATH } from '#contract/calls.ts';
import { Failure } from '#domain/failures.ts';
import { hasConnection } from './body-deadlines.ts';
import { LIVENESS_PATH, READINESS_PATH } from './health.ts';

/** Load above which requests are rejected. */
export type LoadLimits = {
  /** Mean, in milliseconds. */
  readonly maxEventLoopDelay: number;
  readonly maxHeapUsedBytes: number;
  readonly maxRssBytes: number;
  /** Milliseconds. */
  readonly sampleInterval: number;
};

/** Routes that are never delayed or rejected: webhooks, which report payments, and routes for monitoring. */
export const ESSENTIAL_PATHS: ReadonlySet<string | undefined> = new Set([
  WEBHOOK_PATH,
  METRICS_PATH,
  LIVENESS_PATH,
  READINESS_PATH,
]);

/** Long enough that a single slow task, such as reading the city list, doesn't raise the mean delay to a second. */
const SAMPLE_INTERVAL_MS = 5000;
const LOG_INTERVAL_MS = 10_000;

/** Rejects requests while the process is overloaded, before it runs out of memory or stops responding. */
export async function rejectOverload(app: FastifyInstance, limits: LoadLimits = getProcessLimits()): Promise<void> {
  let loggedAt = Number.NEGATIVE_INFINITY;
  await app.register(underPressure, {
    ...limits,
    pressureHandler: async (request, _reply, measure, value) => {
      // An injected request is part of a page that was already accepted.
      if (!hasConnection(request) || ESSENTIAL_PATHS.has(request.routeOptions.url)) return;
      if (performance.now() - loggedAt >= LOG_INTERVAL_MS) {
        loggedAt = performance.now();
        request.log.warn({ measure, value }, 'requests are rejected because the load is too high');
      }
      throw new Failure('too-busy');
    },
  });
}

function getProcessLimits(): LoadLimits {
  // 0 means that the system reports no limit.
  const memory = Math.min(process.constrainedMemory() || Number.POSITIVE_INFINITY, os.totalmem());
  return {
    maxEventLoopDelay: 1000,
    maxHeapUsedBytes: 0.9 * getHeapStatistics().heap_size_limit,
    maxRssBytes: 0.9 * memory,
    sampleInterval: SAMPLE_INTERVAL_MS,
  };
}
