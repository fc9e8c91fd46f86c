import type { FastifyInstance } from 'fastify';
import type { AppDeps } from '#server/deps.ts';
import { registerCall } from '#server/http/call-route.ts';
import { readPayoutMovements } from './read-payouts.ts';

export async function payoutRoutes(app: FastifyInstance, deps: AppDeps): Promise<void> {
  registerCall(app, deps, 'readPayoutMovements', {
    action: 'books.read',
    handle: ({ params, query }) =>
      readPayoutMovements(deps.db, { orgId: params.orgid, payoutId: params.payoutid }, query),
  });
}
