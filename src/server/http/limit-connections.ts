import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { createAddressMatcher, getNetworks } from './network.ts';
import { createConcurrencyCounter } from './uploads.ts';

/** Far below the number of files that a process can open. */
const MAX_CONNECTIONS = 10_000;

/**
 * Limits open connections, so that file descriptors remain for the database and pictures.
 *
 * A network can have at most half of the connections, so that one client can't keep other visitors out. Trusted proxies
 * serve many visitors and can use all of them.
 */
export function limitConnections(
  app: FastifyInstance,
  trustedProxies: readonly string[],
  limit = MAX_CONNECTIONS,
): void {
  app.server.maxConnections = limit;
  const isTrusted = createAddressMatcher(trustedProxies);
  const openConnections = createConcurrencyCounter();
  app.server.prependListener('connection', (socket: Socket) => {
    const { remoteAddress = '' } = socket;
    if (isTrusted(remoteAddress)) return;
    const network = getNetworks(remoteAddress).at(-1) ?? remoteAddress;
    if (openConnections.count(network) >= limit / 2) {
      socket.destroy();
      return;
    }
    openConnections.add(network);
    socket.once('close', () => openConnections.remove(network));
  });
}
