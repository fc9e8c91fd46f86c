import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyServerFactory } from 'fastify';
import { pageRoute } from '#server/http/count-requests.ts';
import { NamedResponse, REQUEST_ID_HEADER } from '#server/http/request-ids.ts';
import type { Metrics } from '#server/metrics.ts';
import type { ReadyPage } from './page-cache.ts';

type Answer = { readonly headers: readonly string[]; readonly body: Buffer; readonly route: string };

/** Limits memory: browsers send few different Accept-Encoding headers, but an attacker could send many. */
const MOST_ENCODINGS = 16;

/** A connection that asks for nothing takes the place of others. */
const HEADERS_MS = 20_000;
const LOOK_EVERY_MS = 5000;

export type CachedAnswers = {
  /** Answers cached pages itself and passes everything else to the router. */
  readonly serverFactory: FastifyServerFactory;
  /** @param peek the page that is cached under a path */
  begin(app: FastifyInstance, peek: (path: string) => ReadyPage | undefined): void;
  /** Stores a response that is about to be sent, with all its headers, for identical requests. */
  remember(page: ReadyPage, acceptedEncodings: string | undefined, reply: FastifyReply, body: Buffer): void;
};

/**
 * Answers cached pages before Fastify's router, which takes longer than everything else together. The response is
 * identical to the one that the router sent first, except for the id of the request.
 */
export function cachedAnswers(
  idOf: (request: IncomingMessage) => string,
  metrics: Pick<Metrics, 'request'>,
): CachedAnswers {
  const answers = new WeakMap<ReadyPage, Map<string, Answer>>();
  let peek: (path: string) => ReadyPage | undefined = () => undefined;
  let log: FastifyBaseLogger | undefined;

  const find = ({ method, url = '', headers }: IncomingMessage): Answer | undefined => {
    if (method !== 'GET' || headers['if-none-match'] !== undefined) return undefined;
    const page = peek(url);
    return page && answers.get(page)?.get(headers['accept-encoding'] ?? '');
  };
  const answer = (request: IncomingMessage, response: ServerResponse): boolean => {
    const cached = find(request);
    if (!cached) return false;
    const start = performance.now();
    const reqId = idOf(request);
    response.writeHead(200, [...cached.headers, REQUEST_ID_HEADER, reqId]).end(cached.body);
    const labels = { method: 'GET', route: cached.route, status: '200' };
    metrics.request(labels, (performance.now() - start) / 1000);
    log?.info({ reqId, req: request, res: { statusCode: 200 } }, 'request completed');
    return true;
  };
  return {
    serverFactory: (handler, options) => {
      const settings = { connectionsCheckingInterval: LOOK_EVERY_MS, ServerResponse: NamedResponse };
      const server = http.createServer(settings, (request, response) => {
        if (!answer(request, response)) handler(request, response);
      });
      // What Fastify sets on the servers it creates.
      const { keepAliveTimeout, requestTimeout, connectionTimeout } = options;
      if (typeof keepAliveTimeout === 'number') server.keepAliveTimeout = keepAliveTimeout;
      server.headersTimeout = HEADERS_MS;
      if (typeof requestTimeout === 'number') server.requestTimeout = requestTimeout;
      if (typeof connectionTimeout === 'number') server.setTimeout(connectionTimeout);
      return server;
    },
    begin: (app, find) => {
      log = app.log;
      peek = find;
      // While shutting down, the router tells every client to close its connection.
      app.addHook('preClose', async () => {
        peek = () => undefined;
      });
    },
    remember: (page, acceptedEncodings, reply, body) => {
      const known = answers.get(page) ?? new Map<string, Answer>();
      answers.set(page, known);
      if (known.size >= MOST_ENCODINGS) return;
      const all = { ...reply.raw.getHeaders(), ...reply.getHeaders(), 'content-length': body.length };
      const headers = Object.entries(all).filter(([name]) => name !== REQUEST_ID_HEADER);
      const route = pageRoute(reply.request.url);
      known.set(acceptedEncodings ?? '', { headers: headers.flatMap(named), body, route });
    },
  };
}

/** Headers with several values are repeated. */
function named([name, value]: [string, string | number | readonly string[] | undefined]): string[] {
  if (value === undefined) return [];
  return typeof value === 'object' ? value.flatMap((one) => [name, one]) : [name, String(value)];
}
