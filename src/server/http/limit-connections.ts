import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { addressList, networksOf } from './network.ts';
import { underWay } from './uploads.ts';

/** Far fewer than the files that a process may open. */
const MOST_CONNECTIONS = 10_000;

/**
 * Limits open connections, so that the process keeps files for its database and pictures.
 *
 * A network gets at most half of them, so that one client can't keep other visitors out. Trusted proxies carry many
 * visitors and may use all.
 */
export function limitConnections(
  app: FastifyInstance,
  trustedProxies: readonly string[],
  most = MOST_CONNECTIONS,
): void {
  app.server.maxConnections = most;
  const isTrusted = addressList(trustedProxies);
  const open = underWay();
  app.server.prependListener('connection', (socket: Socket) => {
    const { remoteAddress = '' } = socket;
    if (isTrusted(remoteAddress)) return;
    const network = networksOf(remoteAddress).at(-1) ?? remoteAddress;
    if (open.of(network) >= most / 2) {
      socket.destroy();
      return;
    }
    open.add(network);
    socket.once('close', () => open.remove(network));
  });
}
