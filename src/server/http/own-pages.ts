import type { FastifyRequest } from 'fastify';
import { Failure } from '#domain/failures.ts';

/**
 * For calls that a cookie takes part in: where the browser says which site's page makes the call, it must be this one.
 * In development the site goes by several names, so the host that was asked is good too: no page can forge it.
 * @throws Failure forbidden
 */
export function requireOwnPage(request: FastifyRequest, publicUrl: string): void {
  const { origin, host } = request.headers;
  if (origin === undefined || origin === publicUrl) return;
  if (URL.parse(origin)?.host !== host) throw new Failure('forbidden');
}
