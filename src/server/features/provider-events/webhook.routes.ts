import type { FastifyInstance } from 'fastify';
import { WEBHOOK_PATH } from '#contract/calls.ts';
import { Failure } from '#domain/failures.ts';
import type { AppDeps } from '#server/deps.ts';
import { createWebhookMonitor } from '#server/features/operation/webhook-monitor.ts';
import { jsonShapeFailure } from '#server/http/json-parser.ts';
import { sendProblem } from '#server/http/problems.ts';
import { storeEvents } from './provider-events.store.ts';

/** Bytes. An event about an invoice with many lines is larger than the body of any other request. */
const BODY_LIMIT = 1_048_576;

type Deps = Pick<AppDeps, 'db' | 'payments' | 'now' | 'events' | 'metrics'>;

/**
 * Webhook for the payment provider, authenticated only by its signature. The signature covers the raw bytes, so the route
 * needs its own plugin, which doesn't parse bodies. Events are stored before the response, and applied later.
 */
export async function webhookRoute(app: FastifyInstance, { db, payments, now, events, metrics }: Deps): Promise<void> {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  const monitor = createWebhookMonitor({ db, now }, app.log);
  app.post(WEBHOOK_PATH, { bodyLimit: BODY_LIMIT }, async (request, reply) => {
    const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    const event = payments.verifyEvent(body, request.headers);
    metrics.count('fund_webhooks_total', { outcome: event instanceof Failure ? 'rejected' : 'accepted' });
    if (event instanceof Failure) {
      // Usually caused by wrong settings. No event is lost: the provider retries for days.
      if (event.code === 'webhook-time') monitor.recordClockSkew();
      else if (request.headers['stripe-signature'] !== undefined) monitor.recordRejected();
      return sendProblem(request, reply, event);
    }
    const failure = jsonShapeFailure(event.payload, Number.POSITIVE_INFINITY);
    if (failure) return sendProblem(request, reply, failure);
    if (await storeEvents(db.kysely, [event], now())) events.wake();
    monitor.recordVerified();
    return reply.send({ received: true });
  });
}
