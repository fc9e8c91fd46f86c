import type { FastifyInstance } from 'fastify';

/**
 * Warns once if a forwarding header comes from an untrusted peer. If that peer is a proxy, all visitors behind it count as
 * one client and share its limits, so one visitor can get all of them rejected.
 */
export function warnAboutUntrustedProxy(app: FastifyInstance): void {
  let hasWarned = false;
  app.addHook('onRequest', async ({ headers, ip, socket, log }) => {
    if (hasWarned || (headers['x-forwarded-for'] ?? headers.forwarded) === undefined) return;
    // Behind a trusted proxy, the visitor's address differs from the proxy's.
    if (ip !== socket.remoteAddress) return;
    hasWarned = true;
    log.warn(
      { peer: socket.remoteAddress },
      'a forwarding header was ignored: if it came from your proxy, add the proxy to TRUSTED_PROXIES',
    );
  });
}
