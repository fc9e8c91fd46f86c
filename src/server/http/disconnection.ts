import type { FastifyRequest } from 'fastify';

export type Connection = Pick<FastifyRequest['raw'], 'once' | 'destroyed'>;

/** Runs the listener when the connection closes, or immediately if it has already closed. */
export function onDisconnect(connection: Connection, listener: () => void): void {
  if (connection.destroyed) listener();
  else connection.once('close', listener);
}

/** @returns a signal that aborts when the connection closes */
export function createDisconnectSignal(connection: Connection): AbortSignal {
  const controller = new AbortController();
  onDisconnect(connection, () => controller.abort());
  return controller.signal;
}
