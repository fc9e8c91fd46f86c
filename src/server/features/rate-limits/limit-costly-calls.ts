import type { FastifyInstance } from 'fastify';
import type { AppDeps } from '#server/deps.ts';
import { checkRateLimit } from './check-rate-limit.ts';

/** Limits calls that take far more work than others: for a person or, without a login, for a client. */
export function limitCostlyCalls(app: FastifyInstance, deps: Pick<AppDeps, 'db' | 'now'>): void {
  // After the caller was identified and permitted.
  app.addHook('preHandler', async (request) => {
    if (!request.routeOptions.config.isCostly) return;
    const person = request.userId;
    const refused = await checkRateLimit(deps, 'costly', person === undefined ? { client: request.ip } : { person });
    if (refused) throw refused;
  });
}
