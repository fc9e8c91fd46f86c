import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest, FastifyServerFactory } from 'fastify';
import { routeOf } from '#server/http/count-requests.ts';
import { NamedResponse, REQUEST_ID_HEADER } from '#server/http/request-ids.ts';
import type { Metrics } from '#server/metrics.ts';
import type { Encoding } from './encodings.ts';
import { isCurrent, type Ready } from './page-cache.ts';
import { type Repeated, repeatedAnswers, type Status } from './repeated-answers.ts';

type Answer = Repeated & {
  /** Counts one more. */
  readonly counted: (seconds: number) => void;
};

type Answers = {
  readonly etag: string;
  readonly whole: Answer;
  /** Without a body, for those who have it already. */
  readonly unchanged: Answer;
};

const NO_BODY = Buffer.alloc(0);

/** Limits memory: browsers send few different Accept-Encoding headers, but an attacker could send many. */
const MOST_VARIANTS = 16;

/** A connection that asks for nothing takes the place of others. */
const HEADERS_MS = 20_000;
const LOOK_EVERY_MS = 5000;

/** What is kept under an address, as it is requested. */
type Peek = (url: string) => Ready | undefined;

export type CachedAnswers = {
  /** Answers what is kept itself and passes everything else to the router. */
  readonly serverFactory: FastifyServerFactory;
  begin(app: FastifyInstance): void;
  add(peek: Peek): void;
  /** Sends a response whose other headers are set, or word that the client has it already, and stores both. */
  send(request: FastifyRequest, reply: FastifyReply, content: Content): FastifyReply;
};

export type Content = {
  /** For identical requests. */
  readonly kept: Ready | undefined;
  readonly etag: string | undefined;
  readonly encoding: Encoding;
  readonly body: Buffer;
};

/**
 * Answers what is kept before Fastify's router, which takes longer than everything else together. The response is
 * identical to the one that the router sent first, except for the id of the request.
 */
export function cachedAnswers(
  idOf: (request: IncomingMessage) => string,
  metrics: Pick<Metrics, 'requests'>,
): CachedAnswers {
  const answers = new WeakMap<Ready, Map<string, Answers>>();
  const send = repeatedAnswers();
  let peeks: readonly Peek[] = [];
  let log: FastifyBaseLogger | undefined;

  const counterOf = (request: FastifyRequest, status: Status) =>
    metrics.requests({ method: 'GET', route: routeOf(request), status: String(status) });
  const find = (request: IncomingMessage): Answers | undefined => {
    if (!isPlain(request)) return undefined;
    const { url = '', headers } = request;
    for (const peek of peeks) {
      const kept = peek(url);
      if (kept) return answers.get(kept)?.get(variantOf(headers));
    }
    return undefined;
  };
  const respond = (request: IncomingMessage, response: ServerResponse): boolean => {
    const cached = find(request);
    if (!cached) return false;
    const start = performance.now();
    const reqId = idOf(request);
    const { etag, whole, unchanged } = cached;
    const answer = isCurrent(etag, request.headers['if-none-match']) ? unchanged : whole;
    send(answer, reqId, request, response);
    answer.counted((performance.now() - start) / 1000);
    log?.info({ reqId, req: request, res: { statusCode: answer.status } }, 'request completed');
    return true;
  };
  const remember = (kept: Ready, request: FastifyRequest, reply: FastifyReply, body: Buffer) => {
    const known = answers.get(kept) ?? new Map<string, Answers>();
    answers.set(kept, known);
    if (known.size >= MOST_VARIANTS) known.clear();
    const all = Object.entries({ ...reply.raw.getHeaders(), ...reply.getHeaders() });
    const headers = all.filter(([name]) => name !== REQUEST_ID_HEADER);
    const answerOf = (status: Status, sent: typeof headers, content: Buffer): Answer => ({
      ...{ status, headers: sent.flatMap(named), body: content },
      counted: counterOf(request, status),
    });
    known.set(variantOf(request.headers), {
      etag: String(reply.getHeader('etag')),
      whole: answerOf(200, [...headers, ['content-length', body.length]], body),
      unchanged: answerOf(
        304,
        headers.filter(([name]) => name !== 'content-encoding'),
        NO_BODY,
      ),
    });
  };
  return {
    serverFactory: (handler, options) => {
      const settings = { connectionsCheckingInterval: LOOK_EVERY_MS, ServerResponse: NamedResponse };
      const server = http.createServer(settings, (request, response) => {
        if (!respond(request, response)) handler(request, response);
      });
      // What Fastify sets on the servers it creates.
      const { keepAliveTimeout, requestTimeout, connectionTimeout } = options;
      if (typeof keepAliveTimeout === 'number') server.keepAliveTimeout = keepAliveTimeout;
      server.headersTimeout = HEADERS_MS;
      if (typeof requestTimeout === 'number') server.requestTimeout = requestTimeout;
      if (typeof connectionTimeout === 'number') server.setTimeout(connectionTimeout);
      return server;
    },
    begin: (app) => {
      log = app.log;
      // While shutting down, the router tells every client to close its connection.
      app.addHook('preClose', async () => {
        peeks = [];
      });
    },
    add: (peek) => {
      peeks = [...peeks, peek];
    },
    send: (request, reply, { kept, etag, encoding, body }) => {
      if (etag !== undefined) void reply.header('etag', etag);
      if (encoding !== 'identity') void reply.header('content-encoding', encoding);
      if (kept) remember(kept, request, reply, body);
      if (etag === undefined || !isCurrent(etag, request.headers['if-none-match'])) return reply.send(body);
      return reply.removeHeader('content-encoding').status(304).send();
    },
  };
}

/** Who shows a token is answered by the router, as is a request with a body, which has to be read. */
function isPlain({ method, headers }: IncomingMessage): boolean {
  if (method !== 'GET' || headers.authorization !== undefined) return false;
  return headers['content-length'] === undefined && headers['transfer-encoding'] === undefined;
}

/** What else of a request changes the headers of its answer, or its bytes. */
function variantOf(headers: http.IncomingHttpHeaders): string {
  const encodings = headers['accept-encoding'] ?? '';
  return headers.origin === undefined ? encodings : `${encodings}\n${headers.origin}`;
}

/** Headers with several values are repeated. */
function named([name, value]: readonly [string, string | number | readonly string[] | undefined]): string[] {
  if (value === undefined) return [];
  return typeof value === 'object' ? value.flatMap((one) => [name, one]) : [name, String(value)];
}
