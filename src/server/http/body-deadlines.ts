import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { REQUEST_ID_HEADER } from './request-ids.ts';

/** A cart or a text has a few thousand bytes. */
const BODY_MS = 30_000;
/** A photo on a slow line: it may take minutes, but never stands still. */
const LOOK_EVERY_MS = 15_000;
const LEAST_BYTES_PER_LOOK = 30_000;

const timedOut = (id: string) =>
  `HTTP/1.1 408 Request Timeout\r\n${REQUEST_ID_HEADER}: ${id}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`;

export type Deadlines = { readonly bodyMs: number; readonly lookEveryMs: number; readonly leastBytesPerLook: number };

const DEADLINES: Deadlines = { bodyMs: BODY_MS, lookEveryMs: LOOK_EVERY_MS, leastBytesPerLook: LEAST_BYTES_PER_LOOK };

/** Ends connections whose request drips in: each would hold memory, a file or a place that others need. */
export function endSlowBodies(app: FastifyInstance, deadlines: Deadlines = DEADLINES): void {
  app.addHook('onRequest', async (request, reply) => {
    if (hasBody(request)) watch(request, reply, deadlines);
  });
}

/** A request that was injected, by a page or a test, has none. */
export function hasConnection({ raw }: FastifyRequest): boolean {
  return 'encrypted' in raw.socket || 'readyState' in raw.socket;
}

function hasBody(request: FastifyRequest): boolean {
  const { headers } = request;
  if (!hasConnection(request)) return false;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function watch(
  { id, raw, headers }: FastifyRequest,
  reply: FastifyReply,
  { bodyMs, lookEveryMs, leastBytesPerLook }: Deadlines,
): void {
  const { socket } = raw;
  const isForm = headers['content-type']?.startsWith('multipart/') === true;
  let seen = socket.bytesRead;
  const timer = setInterval(
    () => {
      // What is still being sent after its answer serves nobody.
      const isFastEnough = isForm && !reply.raw.writableEnded && socket.bytesRead - seen >= leastBytesPerLook;
      seen = socket.bytesRead;
      if (isFastEnough) return;
      stop();
      if (raw.complete) return;
      // An answer that was sent already needs no other.
      socket.end(reply.raw.headersSent ? '' : timedOut(id), () => socket.destroy());
    },
    isForm ? lookEveryMs : bodyMs,
  );
  // A connection that is kept carries many requests.
  const stop = () => {
    clearInterval(timer);
    socket.off('close', stop);
  };
  raw.once('end', stop);
  socket.once('close', stop);
}
