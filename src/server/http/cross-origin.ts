import type { FastifyInstance, FastifyReply } from 'fastify';
import { API_BASE, LINES_HEADER, NEXT_CURSOR_HEADER, REQUESTED_WITH_HEADER } from '#contract/calls.ts';

const METHODS = 'GET, POST, PUT, PATCH, DELETE';
const HEADERS = `authorization, content-type, ${REQUESTED_WITH_HEADER}`;
const READABLE = `${NEXT_CURSOR_HEADER}, ${LINES_HEADER}, retry-after`;
/** How long a browser may remember that it is let in, in seconds. */
const REMEMBERED = '600';

/**
 * Lets pages of the configured hosts make calls and read the answers, with cookies (§7, decisions §6). A page of any
 * other site gets no answer that its browser would let it read, and no leave to send what changes something.
 */
export function answerOtherOrigins(app: FastifyInstance, pageOrigins: readonly string[]): void {
  if (pageOrigins.length === 0) return;
  app.addHook('onRequest', async (request, reply) => {
    if (!request.url.startsWith(`${API_BASE}/`)) return undefined;
    // Or a cache would hand the answer to one origin to another.
    void reply.header('vary', 'Origin');
    const { origin } = request.headers;
    if (origin === undefined || !pageOrigins.includes(origin)) return undefined;
    void reply.headers({ 'access-control-allow-origin': origin, 'access-control-allow-credentials': 'true' });
    const asksFirst = request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined;
    if (asksFirst) return letIn(reply);
    void reply.header('access-control-expose-headers', READABLE);
    return undefined;
  });
}

function letIn(reply: FastifyReply): FastifyReply {
  void reply.headers({
    'access-control-allow-methods': METHODS,
    'access-control-allow-headers': HEADERS,
    'access-control-max-age': REMEMBERED,
  });
  return reply.status(204).send();
}
