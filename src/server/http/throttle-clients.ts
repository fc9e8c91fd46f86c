import { setTimeout as pauseFor } from 'node:timers/promises';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { tooManyRequests } from '#domain/server-failures.ts';
import { hasConnection } from './body-deadlines.ts';
import { createDisconnectSignal } from './disconnection.ts';
import { getNetwork, getNetworks, WIDER_NETWORK_FACTOR } from './network.ts';
import { ESSENTIAL_PATHS } from './reject-overload.ts';

/** Requests per client. Even an office behind one IP address stays below this in normal use. */
const REQUESTS_PER_SECOND = 100;
/** Cost of an expensive call or a large body, in ordinary requests. Each takes several milliseconds of CPU time. */
const EXPENSIVE_REQUEST_COST = 20;
const LARGE_BODY_BYTES = 16_384;
/** Burst that a client may send without delay, enough for a page with its data and pictures. */
const BURST_MS = 1000;
/** Requests that would wait longer are rejected, because each waiting request uses memory. */
const MAX_DELAY_MS = 10_000;
/** The most recent networks are remembered: at least this many, and at most twice as many. */
const REMEMBERED_NETWORKS = 10_000;
/** Addresses of an unconfigured proxy or this machine's own tools. */
const THIS_MACHINE = ['127.0.0.1', getNetwork('::1')];

export type PacingClock = {
  /** A monotonic clock in milliseconds. */
  readonly time: () => number;
  /** Rejects when the signal aborts. */
  readonly pause: (milliseconds: number, signal: AbortSignal) => Promise<unknown>;
};

const DEFAULT_CLOCK: PacingClock = {
  time: () => performance.now(),
  pause: (milliseconds, signal) => pauseFor(milliseconds, undefined, { signal }),
};

/**
 * Delays the requests of a client that sends too many, so that other visitors aren't slowed down. Delayed requests
 * continue one by one, because releasing them together would cause another burst. Rejects requests that would wait too
 * long.
 */
export function throttleClients(
  app: FastifyInstance,
  { time, pause }: PacingClock = DEFAULT_CLOCK,
  rememberedNetworks = REMEMBERED_NETWORKS,
): void {
  /** Time at which each network's next request may continue. */
  let recentTurns = new Map<string, number>();
  let earlierTurns = recentTurns;
  const findTurn = (network: string): number => recentTurns.get(network) ?? earlierTurns.get(network) ?? 0;
  const reserveTurn = (network: string, turn: number): void => {
    recentTurns.set(network, turn);
    if (recentTurns.size < rememberedNetworks) return;
    earlierTurns = recentTurns;
    recentTurns = new Map();
  };
  app.addHook('onRequest', async (request, reply) => {
    if (!isThrottled(request)) return;
    const now = time();
    const cost = calculateRequestCost(request);
    const turns = getNetworks(request.ip).map((network, level) => {
      const step = (1000 * cost) / (REQUESTS_PER_SECOND * WIDER_NETWORK_FACTOR ** level);
      return { network, turn: Math.max(now, findTurn(network)) + step };
    });
    const delay = Math.max(...turns.map(({ turn }) => turn)) - now - BURST_MS;
    if (delay > MAX_DELAY_MS) throw tooManyRequests(Math.ceil(delay / 1000));
    for (const { network, turn } of turns) reserveTurn(network, turn);
    if (delay > 0 && !(await pauseWhileConnected(request, (signal) => pause(delay, signal)))) reply.hijack();
  });
}

/** @returns false if the client disconnected */
async function pauseWhileConnected(
  { raw }: FastifyRequest,
  pause: (signal: AbortSignal) => Promise<unknown>,
): Promise<boolean> {
  const signal = createDisconnectSignal(raw);
  await pause(signal).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
  return !signal.aborted;
}

/** Calculates a request's cost in ordinary requests. */
function calculateRequestCost({ routeOptions, headers }: FastifyRequest): number {
  const isLarge =
    headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > LARGE_BODY_BYTES;
  return routeOptions.config.isExpensive || isLarge ? EXPENSIVE_REQUEST_COST : 1;
}

function isThrottled(request: FastifyRequest): boolean {
  if (!hasConnection(request) || THIS_MACHINE.includes(getNetwork(request.ip))) return false;
  return !ESSENTIAL_PATHS.has(request.routeOptions.url) && !request.url.startsWith('/assets/');
}
