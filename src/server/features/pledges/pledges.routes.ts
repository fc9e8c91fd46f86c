import type { FastifyInstance } from 'fastify';
import type { AppDeps } from '#server/deps.ts';
import { registerCall } from '#server/http/call-route.ts';
import { pledgeCheck } from './pledge-check.ts';

export async function pledgeRoutes(app: FastifyInstance, deps: AppDeps): Promise<void> {
  registerCall(app, deps.identity, 'pledgeCheck', {
    action: 'pledge.create',
    subject: ({ orgid }) => ({ orgId: orgid }),
    handle: ({ params, body }) => pledgeCheck(deps, params.orgid, body),
  });
}
