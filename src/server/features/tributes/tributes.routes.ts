import type { FastifyInstance } from 'fastify';
import type { AppDeps } from '#server/deps.ts';
import { checkRateLimit } from '#server/features/rate-limits/check-rate-limit.ts';
import { requireSignedIn } from '#server/http/actor.ts';
import { registerCall } from '#server/http/call-route.ts';
import { sendCardTo } from './send-card.ts';

export async function tributeRoutes(app: FastifyInstance, deps: AppDeps): Promise<void> {
  registerCall(app, deps, 'sendCardTo', {
    action: 'receipts.send',
    handle: async ({ actor, params, body }) =>
      (await checkRateLimit(deps, 'mail-again', {
        userId: requireSignedIn(actor).userId,
        resource: params.checkoutid,
      })) ?? sendCardTo(deps, { orgId: params.orgid, checkoutId: params.checkoutid }, body.email),
  });
}
