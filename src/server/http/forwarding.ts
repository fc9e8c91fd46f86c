import type { FastifyInstance } from 'fastify';

/**
 * Warns once if a forwarding header comes from a peer that is no trusted proxy. If it is one, all visitors behind it look
 * like one, share its limits, and can be refused for what one of them did.
 */
export function warnOfUnknownProxy(app: FastifyInstance): void {
  let hasWarned = false;
  app.addHook('onRequest', async ({ headers, ip, socket, log }) => {
    if (hasWarned || (headers['x-forwarded-for'] ?? headers.forwarded) === undefined) return;
    // A trusted proxy's visitor has another address than the proxy.
    if (ip !== socket.remoteAddress) return;
    hasWarned = true;
    log.warn(
      { peer: socket.remoteAddress },
      'a forwarding header was ignored: if it came from your proxy, name it in TRUSTED_PROXIES',
    );
  });
}
