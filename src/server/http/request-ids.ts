import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type OutgoingHttpHeader, type OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { getCurrentRequestId, runWithRequestId } from '#server/log.ts';
import { createAddressMatcher } from './network.ts';

export const REQUEST_ID_HEADER = 'x-request-id';

/** Ids from other programs, without characters that could break a log line or a header. */
const VALID_ID = /^[A-Za-z0-9][\w.-]{7,63}$/;

/**
 * @param trustedProxies proxies whose request ids are adopted, so that both logs contain the same id
 * @returns a function that assigns request ids; requests that are injected while a page is rendered get the page's id
 */
export function createRequestIdGenerator(trustedProxies: readonly string[]): (request: IncomingMessage) => string {
  const isTrusted = createAddressMatcher(trustedProxies);
  return ({ headers, socket }) => {
    const proxyId = headers[REQUEST_ID_HEADER];
    const { remoteAddress = '' } = socket;
    if (typeof proxyId === 'string' && VALID_ID.test(proxyId) && isTrusted(remoteAddress)) return proxyId;
    // A connection has one request at a time; injected requests have no connection.
    return getCurrentRequestId() ?? randomUUID();
  };
}

/** Adds the request's id to each response and log line. Must be called before other hooks are added. */
export function addRequestIds(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    void reply.header(REQUEST_ID_HEADER, request.id);
    runWithRequestId(request.id, reply.raw, done);
  });
  // Fastify reads bodies in another async context.
  app.addHook('preValidation', (request, reply, done) => runWithRequestId(request.id, reply.raw, done));
}

type Headers = OutgoingHttpHeaders | OutgoingHttpHeader[];

/** Adds an id to responses that Node sends itself, such as to a request without a Host header. */
export class ResponseWithId<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
  override writeHead(status: number, reason?: string | Headers, headers?: Headers): this {
    const headersToSend = typeof reason === 'object' ? reason : headers;
    if (!this.hasHeader(REQUEST_ID_HEADER) && !hasRequestId(headersToSend))
      this.setHeader(REQUEST_ID_HEADER, randomUUID());
    return typeof reason === 'string'
      ? super.writeHead(status, reason, headers)
      : super.writeHead(status, headersToSend);
  }
}

function hasRequestId(headers: Headers | undefined): boolean {
  if (headers === undefined) return false;
  return Array.isArray(headers) ? headers.includes(REQUEST_ID_HEADER) : REQUEST_ID_HEADER in headers;
}
