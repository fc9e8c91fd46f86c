import type { FastifyRequest } from 'fastify';
import { Failure } from '#domain/failures.ts';
import type { AppDeps } from '#server/deps.ts';

/**
 * For calls that a cookie takes part in: where the browser says which site's page makes the call, it must be this one,
 * or one that the configuration names. In development the site goes by several names, so the host that was asked is good too: no page can forge it.
 * @throws Failure forbidden
 */
export function requireOwnPage(
  request: FastifyRequest,
  { publicUrl, pageOrigins }: Pick<AppDeps, 'publicUrl' | 'pageOrigins'>,
): void {
  const { origin, host } = request.headers;
  if (origin === undefined || origin === publicUrl() || pageOrigins.includes(origin)) return;
  if (URL.parse(origin)?.host !== host) throw new Failure('forbidden');
}
