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
const MAX_NETWORKS = 10_000;
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
  maxNetworks = MAX_NETWORKS,
): void {
  /** Time at which each network's next request may continue. */
  const nextAllowedAt = new Map<string, number>();
  const reserveTurn = (network: string, step: number): number => {
    const now = time();
    if (nextAllowedAt.size >= maxNetworks && !nextAllowedAt.has(network)) makeRoom(nextAllowedAt, now);
    const turn = Math.max(now, nextAllowedAt.get(network) ?? now) + step;
    nextAllowedAt.set(network, turn);
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

/** Removes the networks that aren't limited at the moment or, if there are none, the one whose limit ends first. */
function makeRoom(nextAllowedAt: Map<string, number>, now: number): void {
  let first: { readonly network: string; readonly turn: number } | undefined;
  const fullSize = nextAllowedAt.size;
  for (const [network, turn] of nextAllowedAt) {
    if (turn <= now) nextAllowedAt.delete(network);
    if (!first || turn < first.turn) first = { network, turn };
  }
  if (first && nextAllowedAt.size === fullSize) nextAllowedAt.delete(first.network);
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
