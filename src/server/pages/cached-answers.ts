import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyServerFactory } from 'fastify';
import type { ReadyPage } from './page-cache.ts';

type Answer = { readonly headers: readonly string[]; readonly body: Buffer };

/** So many ways of naming encodings are remembered for a page: browsers have few, and nobody may fill the memory. */
const MOST_ENCODINGS = 16;

export type CachedAnswers = {
  /** The server, which answers what is kept by itself, and hands everything else to the router. */
  readonly serverFactory: FastifyServerFactory;
  /** Begins to answer. @param peek the page that is kept under a path now */
  begin(app: FastifyInstance, peek: (path: string) => ReadyPage | undefined): void;
  /** Remembers an answer that is about to be sent, with all its headers, for whoever asks in the same way. */
  remember(page: ReadyPage, acceptedEncodings: string | undefined, reply: FastifyReply, body: Buffer): void;
};

/**
 * A page that is kept is answered before the program's router: there is nothing to decide anew, and the way through it
 * takes longer than the rest of the answer. What is sent is what the router's way sent the first time, to the letter.
 */
export function cachedAnswers(): CachedAnswers {
  const answers = new WeakMap<ReadyPage, Map<string, Answer>>();
  let peek: (path: string) => ReadyPage | undefined = () => undefined;
  let log: FastifyBaseLogger | undefined;

  const find = ({ method, url = '', headers }: IncomingMessage): Answer | undefined => {
    if (method !== 'GET' || headers['if-none-match'] !== undefined) return undefined;
    const page = peek(url);
    return page && answers.get(page)?.get(headers['accept-encoding'] ?? '');
  };
  const answer = (request: IncomingMessage, response: ServerResponse): boolean => {
    const kept = find(request);
    if (!kept) return false;
    response.writeHead(200, [...kept.headers]).end(kept.body);
    log?.info({ req: request, res: { statusCode: 200 } }, 'request completed');
    return true;
  };
  return {
    serverFactory: (handler, options) => {
      const server = http.createServer((request, response) => {
        if (!answer(request, response)) handler(request, response);
      });
      // What Fastify sets on a server of its own making.
      const { keepAliveTimeout, requestTimeout, connectionTimeout } = options;
      if (typeof keepAliveTimeout === 'number') server.keepAliveTimeout = keepAliveTimeout;
      if (typeof requestTimeout === 'number') server.requestTimeout = requestTimeout;
      if (typeof connectionTimeout === 'number') server.setTimeout(connectionTimeout);
      return server;
    },
    begin: (app, find) => {
      log = app.log;
      peek = find;
      // A server that is about to end says so to every client, which the router does.
      app.addHook('preClose', async () => {
        peek = () => undefined;
      });
    },
    remember: (page, acceptedEncodings, reply, body) => {
      const known = answers.get(page) ?? new Map<string, Answer>();
      answers.set(page, known);
      if (known.size >= MOST_ENCODINGS) return;
      const headers = { ...reply.raw.getHeaders(), ...reply.getHeaders(), 'content-length': body.length };
      known.set(acceptedEncodings ?? '', { headers: Object.entries(headers).flatMap(named), body });
    },
  };
}

/** A header as node:http takes it; one that comes several times as several. */
function named([name, value]: [string, string | number | readonly string[] | undefined]): string[] {
  if (value === undefined) return [];
  return typeof value === 'object' ? value.flatMap((one) => [name, one]) : [name, String(value)];
}
