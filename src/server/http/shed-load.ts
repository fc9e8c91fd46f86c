import type { Socket } from 'node:net';
import { setTimeout as pauseFor } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { API_BASE, METRICS_PATH, WEBHOOK_PATH } from '#contract/calls.ts';
import { splitLanguage } from '#contract/languages.ts';
import { Failure } from '#domain/failures.ts';
import { type Load, type LoadLimits, type Shedding, sheddingUnder } from '#domain/load.ts';
import { PROGRAM_NAME } from '#domain/program-name.ts';
import { failureSentence } from '#domain/refusals.ts';
import { html } from '#server/html.ts';
import { newRequestId } from '#server/ids.ts';
import { type Measure, measureThisProcess } from '#server/measure-load.ts';
import { hasConnection } from './body-deadlines.ts';
import { LIVENESS_PATH, READINESS_PATH } from './health.ts';
import { addressList, networkOf } from './network.ts';
import { BUSY_SECONDS, sendProblem } from './problems.ts';
import { REQUEST_ID_HEADER } from './request-ids.ts';
import { underWay } from './uploads.ts';

export type LoadGuard = {
  readonly limits: LoadLimits;
  readonly measure?: Measure | undefined;
  /** By default a few times a second. */
  readonly lookEveryMs?: number;
  readonly pause?: (milliseconds: number) => Promise<unknown>;
};

const LOOK_EVERY_MS = 250;
/** One long piece of work is none. */
const LOOKS = 3;

const WARNINGS: Readonly<Record<Shedding, string>> = {
  nothing: 'the load is bearable again: no request is refused for it',
  most: 'the load is too high: requests that can wait are refused',
  all: 'the load is much too high: all requests are refused',
};

/** Refuses requests and connections before the program dies of them. What is about money goes last. */
export function shedLoad(app: FastifyInstance, guard: LoadGuard, trustedProxies: readonly string[]): void {
  const { limits, measure = measureThisProcess(), lookEveryMs = LOOK_EVERY_MS } = guard;
  const connections = guardConnections(app, limits.connections, trustedProxies);
  const look = looker(measure, connections.count);
  let shedding: Shedding = 'nothing';
  const timer = setInterval(() => {
    const load = look();
    const next = sheddingUnder(load, limits);
    if (next !== shedding) app.log.warn({ load, limits }, WARNINGS[next]);
    shedding = next;
    if (shedding !== 'nothing') app.server.closeIdleConnections();
  }, lookEveryMs).unref();
  app.addHook('onClose', async () => clearInterval(timer));
  slowDown(app, measure, guard.pause ?? pauseFor);
  app.addHook('onRequest', async (request, reply) => {
    // A page asks for its data this way, after it was let in.
    if (!hasConnection(request)) return undefined;
    if (shedding === 'nothing' || (shedding === 'most' && isLast(request))) return undefined;
    void reply.header('connection', 'close');
    return isForDocument(request) ? sendBusyPage(request, reply) : sendProblem(request, reply, new Failure('too-busy'));
  });
}

/** By one client: more than many people behind one address ask while they read and give. */
const BRISK = { inASecond: 100, atOnce: 100 };
const MOST_CLIENTS = 10_000;
/** A proxy that is not named in the configuration, or this machine's own tools. */
const THIS_MACHINE = ['127.0.0.1', networkOf('::1')];

/**
 * Lets a client that asks very often wait for each further answer, so that others do not wait for theirs. They wait in
 * line: a thousand that went on together would be a burst of their own.
 */
function slowDown(app: FastifyInstance, { time }: Measure, pause: (milliseconds: number) => Promise<unknown>): void {
  const clients = new Map<string, number>();
  const step = 1000 / BRISK.inASecond;
  const waitOf = (client: string): number => {
    const now = time();
    if (clients.size >= MOST_CLIENTS && !clients.has(client)) clients.clear();
    const turn = Math.max(now, clients.get(client) ?? now) + step;
    clients.set(client, turn);
    return turn - now - BRISK.atOnce * step;
  };
  app.addHook('onRequest', async (request) => {
    if (!hasConnection(request) || isLast(request)) return;
    const client = networkOf(request.ip);
    const wait = THIS_MACHINE.includes(client) ? 0 : waitOf(client);
    if (wait > 0) await pause(wait);
  });
}

function looker(measure: Measure, connections: () => number): () => Load {
  const shareOf = ({ used, limit }: { used: number; limit: number }) => used / limit;
  const works: number[] = [];
  let worked = measure.worked();
  return () => {
    const soFar = measure.worked();
    works.push(soFar - worked);
    worked = soFar;
    if (works.length > LOOKS) works.shift();
    const delayMs = works.length < LOOKS ? 0 : Math.min(...works);
    return { heap: shareOf(measure.heap()), memory: shareOf(measure.memory()), delayMs, connections: connections() };
  };
}

/** Reports of payments, what watches the program, and the parts of a page that is open already. */
function isLast({ url, routeOptions }: FastifyRequest): boolean {
  return LAST.has(routeOptions.url) || url.startsWith('/assets/');
}

const LAST: ReadonlySet<string | undefined> = new Set([WEBHOOK_PATH, METRICS_PATH, LIVENESS_PATH, READINESS_PATH]);

function isForDocument({ method, url, headers }: FastifyRequest): boolean {
  const isRead = method === 'GET' || method === 'HEAD';
  return isRead && !url.startsWith(`${API_BASE}/`) && headers.accept?.includes('text/html') === true;
}

function sendBusyPage({ url }: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { language } = splitLanguage(url);
  const page = html`<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${PROGRAM_NAME}</title></head>
<body><main><h1>${PROGRAM_NAME}</h1><p>${failureSentence(new Failure('too-busy'), { locale: language })}</p></main></body>
</html>
`.text;
  return reply
    .status(503)
    .headers({ 'retry-after': String(BUSY_SECONDS), 'cache-control': 'no-store', 'x-robots-tag': 'noindex' })
    .type('text/html; charset=utf-8')
    .send(page);
}

const noRoom = () =>
  `HTTP/1.1 503 Service Unavailable\r\nRetry-After: ${BUSY_SECONDS}\r\n${REQUEST_ID_HEADER}: ${newRequestId()}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`;

/** One client, which is no proxy, can have half of the connections. */
function guardConnections(app: FastifyInstance, most: number, trustedProxies: readonly string[]) {
  const isTrusted = addressList(trustedProxies);
  const open = underWay();
  app.server.prependListener('connection', (socket: Socket) => {
    const { remoteAddress = '' } = socket;
    const client = `client ${networkOf(remoteAddress)}`;
    const isProxy = isTrusted(remoteAddress);
    if (open.of('all') >= most || (open.of(client) >= most / 2 && !isProxy)) {
      // Before anything that it sends is read.
      socket.write(noRoom(), () => socket.destroy());
      return;
    }
    for (const name of ['all', client]) open.add(name);
    socket.once('close', () => {
      for (const name of ['all', client]) open.remove(name);
    });
  });
  return { count: () => open.of('all') };
}
