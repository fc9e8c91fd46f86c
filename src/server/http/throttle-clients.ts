import { setTimeout as pauseFor } from 'node:timers/promises';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { hasConnection } from './body-deadlines.ts';
import { getNetwork, getNetworks, WIDER_NETWORK_FACTOR } from './network.ts';
import { ESSENTIAL_PATHS } from './reject-overload.ts';

/** Requests per client. Even an office behind one IP address stays below this in normal use. */
const REQUESTS_PER_SECOND = 100;
/** Number of requests that an expensive call or a large body counts as. Each takes several milliseconds of CPU time. */
const EXPENSIVE_REQUEST_COST = 20;
const LARGE_BODY_BYTES = 16_384;
/** The burst that a client may send, so that a page with its data and pictures isn't delayed. */
const BURST_MS = 1000;
/** The most recent networks are remembered: at least this many, and at most twice as many. */
const REMEMBERED_NETWORKS = 10_000;
/** An unconfigured proxy, or this machine's own tools. */
const THIS_MACHINE = ['127.0.0.1', getNetwork('::1')];

export type PacingClock = {
  /** A monotonic clock in milliseconds. */
  readonly time: () => number;
  readonly pause: (milliseconds: number) => Promise<unknown>;
};

/**
 * Delays the requests of a client that sends too many, so that other visitors don't have to wait. Delayed requests continue
 * one by one, because together they would be another burst.
 */
export function throttleClients(
  app: FastifyInstance,
  { time, pause }: PacingClock = { time: () => performance.now(), pause: pauseFor },
  rememberedNetworks = REMEMBERED_NETWORKS,
): void {
  /** Time at which each network's next request may continue. */
  let recentTurns = new Map<string, number>();
  let earlierTurns = recentTurns;
  const reserveTurn = (network: string, step: number): number => {
    const now = time();
    const turn = Math.max(now, recentTurns.get(network) ?? earlierTurns.get(network) ?? now) + step;
    recentTurns.set(network, turn);
    if (recentTurns.size >= rememberedNetworks) {
      earlierTurns = recentTurns;
      recentTurns = new Map();
    }
    return turn - now - BURST_MS;
  };
  app.addHook('onRequest', async (request) => {
    if (!isThrottled(request)) return;
    const cost = calculateRequestCost(request);
    const delays = getNetworks(request.ip).map((network, width) =>
      reserveTurn(network, (1000 * cost) / (REQUESTS_PER_SECOND * WIDER_NETWORK_FACTOR ** width)),
    );
    const delay = Math.max(...delays);
    if (delay > 0) await pause(delay);
  });
}

/** The request's cost in small requests. */
function calculateRequestCost({ routeOptions, headers }: FastifyRequest): number {
  const isLarge =
    headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > LARGE_BODY_BYTES;
  return routeOptions.config.isExpensive || isLarge ? EXPENSIVE_REQUEST_COST : 1;
}

function isThrottled(request: FastifyRequest): boolean {
  if (!hasConnection(request) || THIS_MACHINE.includes(getNetwork(request.ip))) return false;
  return !ESSENTIAL_PATHS.has(request.routeOptions.url) && !request.url.startsWith('/assets/');
}
