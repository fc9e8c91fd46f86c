import type { FastifyInstance } from 'fastify';
import type { AppDeps } from '#server/deps.ts';
import { checkRateLimit } from './check-rate-limit.ts';

/** Limits expensive calls per person or, without a login, per client. */
export function limitExpensiveCalls(app: FastifyInstance, deps: Pick<AppDeps, 'db' | 'now'>): void {
  // At this point, the caller has been identified and authorized.
  app.addHook('preHandler', async (request) => {
    if (!request.routeOptions.config.isExpensive) return;
    const { userId } = request;
    const failure = await checkRateLimit(deps, 'expensive', userId === undefined ? { client: request.ip } : { userId });
    if (failure) throw failure;
  });
}
