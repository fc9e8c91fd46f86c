import type { FastifyInstance } from 'fastify';
import type { AppDeps } from '#server/deps.ts';
import { registerCall } from '#server/http/call-route.ts';
import { sendCardTo } from './send-card.ts';

export async function tributeRoutes(app: FastifyInstance, deps: AppDeps): Promise<void> {
  registerCall(app, deps, 'sendCardTo', {
    action: 'receipts.send',
    handle: ({ params, body }) => sendCardTo(deps, { orgId: params.orgid, checkoutId: params.checkoutid }, body.email),
  });
}
