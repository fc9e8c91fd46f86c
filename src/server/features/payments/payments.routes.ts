import type { FastifyInstance } from 'fastify';
import type { AppDeps } from '#server/deps.ts';
import { toCheckoutKey } from '#server/entities/find-checkout.ts';
import { requireSignedIn } from '#server/http/actor.ts';
import { registerCall } from '#server/http/call-route.ts';
import { refundPayment } from './refund-payment.ts';

export async function paymentRoutes(app: FastifyInstance, deps: AppDeps): Promise<void> {
  registerCall(app, deps, 'refundPayment', {
    action: 'payments.refund',
    requirement: 'recent-confirmation',
    handle: ({ actor, params, body }) =>
      refundPayment(deps, toCheckoutKey(params), body, requireSignedIn(actor).userId),
  });
}
