import type { FastifyInstance } from 'fastify';
import { WEBHOOK_PATH } from '#contract/calls.ts';
import { Failure } from '#domain/failures.ts';
import type { Payments } from '#server/gateways/payments/payments.ts';
import { sendProblem } from '#server/http/problems.ts';
import { receiveEvent } from './receive-event.ts';
import type { RecordDeps } from './record-payment.ts';

/**
 * Where the payment provider reports. It is let in by its signature alone, which is over the very bytes it sent; so
 * this has to be registered in a plugin of its own, where no body is parsed. Whatever is not answered with a 2xx the
 * provider sends again.
 */
export async function webhookRoute(app: FastifyInstance, deps: RecordDeps & { payments: Payments }): Promise<void> {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.post(WEBHOOK_PATH, async (request, reply) => {
    const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    const event = deps.payments.eventOf(body, signatureOf(request.headers['stripe-signature']));
    if (event instanceof Failure) return sendProblem(request, reply, event);
    const outcome = await receiveEvent(deps, event);
    if (!(outcome instanceof Failure)) return reply.send({ received: true });
    request.log.warn({ event: event.id, type: event.type, code: outcome.code }, 'an event was not taken');
    return sendProblem(request, reply, outcome);
  });
}

function signatureOf(header: string | readonly string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : undefined;
}
