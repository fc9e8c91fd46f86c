import type { FastifyInstance } from 'fastify';
import { WEBHOOK_PATH } from '#contract/calls.ts';
import { Failure } from '#domain/failures.ts';
import type { Payments } from '#server/gateways/payments/payments.ts';
import { sendProblem } from '#server/http/problems.ts';
import { type RecordDeps, receiveEvent } from './record-payment.ts';

/**
 * The payment provider's webhook, authenticated by its signature alone. The signature covers the raw bytes, so this
 * needs its own plugin where no body is parsed. The provider resends whatever is not answered with a 2xx.
 */
export async function webhookRoute(app: FastifyInstance, deps: RecordDeps & { payments: Payments }): Promise<void> {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.post(WEBHOOK_PATH, async (request, reply) => {
    const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    const event = deps.payments.eventOf(body, request.headers);
    if (event instanceof Failure) return sendProblem(request, reply, event);
    const outcome = await receiveEvent(deps, event);
    if (!(outcome instanceof Failure)) return reply.send({ received: true });
    request.log.warn({ event: event.id, type: event.type, code: outcome.code }, 'a payment event was refused');
    return sendProblem(request, reply, outcome);
  });
}
