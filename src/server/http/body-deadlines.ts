import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { REQUEST_ID_HEADER } from './request-ids.ts';

/** Time limit for a cart or a cell, which is a few thousand bytes. */
const BODY_MS = 30_000;
/** A photo on a slow connection may take minutes, but never pauses for long. */
const CHECK_INTERVAL_MS = 15_000;
const MIN_BYTES_PER_CHECK = 30_000;

const createTimeoutResponse = (id: string) =>
  `HTTP/1.1 408 Request Timeout\r\n${REQUEST_ID_HEADER}: ${id}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`;

export type BodyDeadlines = {
  readonly bodyMs: number;
  readonly checkEveryMs: number;
  readonly minBytesPerCheck: number;
};

const DEFAULT_DEADLINES: BodyDeadlines = {
  bodyMs: BODY_MS,
  checkEveryMs: CHECK_INTERVAL_MS,
  minBytesPerCheck: MIN_BYTES_PER_CHECK,
};

/** Closes connections whose request bodies arrive too slowly, because each ties up memory, a file, or a slot. */
export function enforceBodyDeadlines(app: FastifyInstance, deadlines: BodyDeadlines = DEFAULT_DEADLINES): void {
  app.addHook('onRequest', async (request, reply) => {
    if (hasBody(request)) watchBody(request, reply, deadlines);
  });
}

/** Returns false for a request that was injected by page rendering or by a test. */
export function hasConnection({ raw }: FastifyRequest): boolean {
  return 'encrypted' in raw.socket || 'readyState' in raw.socket;
}

function hasBody(request: FastifyRequest): boolean {
  const { headers } = request;
  if (!hasConnection(request)) return false;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function watchBody(
  { id, raw, headers }: FastifyRequest,
  reply: FastifyReply,
  { bodyMs, checkEveryMs, minBytesPerCheck }: BodyDeadlines,
): void {
  const { socket } = raw;
  const isForm = headers['content-type']?.startsWith('multipart/') === true;
  let previousBytes = socket.bytesRead;
  const timer = setInterval(
    () => {
      // Don't wait for data after the response was sent.
      const isFastEnough = isForm && !reply.raw.writableEnded && socket.bytesRead - previousBytes >= minBytesPerCheck;
      previousBytes = socket.bytesRead;
      if (isFastEnough) return;
      stop();
      if (raw.complete) return;
      // Don't send a second response.
      socket.end(reply.raw.headersSent ? '' : createTimeoutResponse(id), () => socket.destroy());
    },
    isForm ? checkEveryMs : bodyMs,
  );
  // Clean up, because a persistent connection carries many requests.
  const stop = () => {
    clearInterval(timer);
    socket.off('close', stop);
  };
  raw.once('end', stop);
  socket.once('close', stop);
}
