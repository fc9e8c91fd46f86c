import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

export type Shutdown = {
  /** True if requests should go to another server. */
  isStopping(): boolean;
  /** Aborted when open responses, such as event streams, must end. */
  readonly signal: AbortSignal;
  /**
   * Keeps responding for `drainMs`, but closes each connection after its response, so that proxies and browsers reconnect
   * to another server. Then rejects new connections, and gives running requests eight seconds to finish.
   */
  stop(drainMs: number): Promise<void>;
};

declare module 'fastify' {
  interface FastifyInstance {
    stopping: Shutdown;
  }
}

/** Time limit for running requests when the program stops. */
const CLOSE_TIMEOUT_MS = 8000;
const CHECK_INTERVAL_MS = 50;

/** Closes persistent connections only after a response, because the client may already have sent another request. */
export function registerGracefulShutdown(app: FastifyInstance, closeTimeoutMs = CLOSE_TIMEOUT_MS): void {
  const { server } = app;
  const unusedSockets = new Set<Socket>();
  const shutdown = new AbortController();
  let isStopping = false;
  let closePromise: Promise<void> | undefined;
  server.on('connection', (socket: Socket) => {
    unusedSockets.add(socket);
    socket.once('close', () => unusedSockets.delete(socket));
  });
  server.prependListener('request', ({ socket }, response) => {
    unusedSockets.delete(socket);
    if (isStopping) response.shouldKeepAlive = false;
  });
  const close = async () => {
    isStopping = true;
    shutdown.abort();
    const serverClosePromise = new Promise<void>((resolve) => server.close(() => resolve()));
    // Browsers open spare connections, and `server.close` never ends while such a connection is open.
    for (const socket of unusedSockets) socket.destroy();
    const idleTimer = setInterval(() => server.closeIdleConnections(), CHECK_INTERVAL_MS).unref();
    const deadline = setTimeout(() => server.closeAllConnections(), closeTimeoutMs).unref();
    await serverClosePromise;
    clearInterval(idleTimer);
    clearTimeout(deadline);
  };
  const closeOnce = () => {
    closePromise ??= close();
    return closePromise;
  };
  app.decorate('stopping', {
    isStopping: () => isStopping,
    signal: shutdown.signal,
    stop: async (drainMs) => {
      isStopping = true;
      await pause(drainMs);
      await closeOnce();
    },
  });
  app.addHook('preClose', closeOnce);
}
