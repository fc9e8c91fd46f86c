import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

export type Stopping = {
  /** Whether requests had better be sent elsewhere. */
  isStopping(): boolean;
  /** Aborted when answers that stay open have to end. */
  readonly signal: AbortSignal;
  /**
   * Answers everybody for `waitMs` longer, but closes each connection after its answer, so that proxies and browsers open
   * others where the program still runs. Then nobody new is let in, and what is under way has eight seconds to end.
   */
  stop(waitMs: number): Promise<void>;
};

declare module 'fastify' {
  interface FastifyInstance {
    stopping: Stopping;
  }
}

/** What is under way when the program stops has so long to end. */
const CLOSING_MS = 8000;
const LOOK_EVERY_MS = 50;

/** A connection is kept for the next request of a client that may have sent it already: it is closed after an answer. */
export function stopGently(app: FastifyInstance, closingMs = CLOSING_MS): void {
  const { server } = app;
  const unused = new Set<Socket>();
  const ending = new AbortController();
  let isStopping = false;
  let ended: Promise<void> | undefined;
  server.on('connection', (socket: Socket) => {
    unused.add(socket);
    socket.once('close', () => unused.delete(socket));
  });
  server.prependListener('request', ({ socket }, response) => {
    unused.delete(socket);
    if (isStopping) response.shouldKeepAlive = false;
  });
  const close = async () => {
    isStopping = true;
    ending.abort();
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    // A browser opens some before it needs them, and the server would wait for their first request without an end.
    for (const socket of unused) socket.destroy();
    const idle = setInterval(() => server.closeIdleConnections(), LOOK_EVERY_MS).unref();
    const deadline = setTimeout(() => server.closeAllConnections(), closingMs).unref();
    await closed;
    clearInterval(idle);
    clearTimeout(deadline);
  };
  const end = () => {
    ended ??= close();
    return ended;
  };
  app.decorate('stopping', {
    isStopping: () => isStopping,
    signal: ending.signal,
    stop: async (waitMs) => {
      isStopping = true;
      await pause(waitMs);
      await end();
    },
  });
  app.addHook('preClose', end);
}
