// Stripe's API, as far as the sandbox has it: https://docs.stripe.com/api
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type ApiCall, apiCalls } from './api-calls.ts';
import { StripeApiError } from './api-error.ts';
import { expand } from './expand.ts';
import { doOnce } from './idempotency.ts';
import { stripeId } from './ids.ts';
import type { Provider } from './provider.ts';
import { API_VERSION, readRequest } from './request-check.ts';

/** Adds `/v1`. The instance is one of its own: its error handler and body parser are Stripe's. */
export function addApiRoutes(app: FastifyInstance, provider: Provider): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({ 'request-id': stripeId('req'), 'stripe-version': API_VERSION });
    checkKey(request.headers.authorization);
  });
  app.setErrorHandler((error, _request, reply) => sendError(error, reply));
  for (const call of apiCalls) {
    app.route({
      method: call.method,
      url: call.path,
      handler: (request, reply) => answer(provider, call, request, reply),
    });
  }
  app.all('/v1/*', async ({ method, url }) => {
    throw new StripeApiError(
      404,
      `Unrecognized request URL (${method}: ${pathOf(url)}). The sandbox has only a part of Stripe's API.`,
    );
  });
}

/** A live key has no business here: whoever sends one believes to be talking to Stripe. */
function checkKey(authorization: string | undefined): void {
  const [, key] = /^Bearer\s+(\S+)$/i.exec(authorization ?? '') ?? [];
  if (key === undefined) {
    throw new StripeApiError(
      401,
      "You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY').",
    );
  }
  if (key.startsWith('sk_live_'))
    throw new StripeApiError(401, 'A live API key was sent to the sandbox, which takes only test keys.');
  if (!key.startsWith('sk_')) throw new StripeApiError(401, 'Invalid API Key provided.');
}

function answer(provider: Provider, call: ApiCall, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const form = call.method === 'POST' ? textBody(request) : queryOf(request);
  const id = (request.params as { id?: string }).id ?? '';
  const work = (): string => {
    const parameters = readRequest(call.request, form) as { expand?: string[] };
    return JSON.stringify(expand(provider.store, call.answer(provider, parameters, id), parameters.expand));
  };
  const key = request.headers['idempotency-key'];
  if (call.method !== 'POST' || typeof key !== 'string') return sendJson(reply, provider.store.transaction(work));
  if (key.length > 255)
    throw new StripeApiError(400, 'Idempotency keys can have up to 255 characters.', { type: 'idempotency_error' });
  const fingerprint = `${pathOf(request.url)}\n${form}`;
  const done = provider.store.transaction(() => doOnce(provider.store, key, fingerprint, provider.now(), work));
  reply.header('idempotency-key', key);
  if (done.replayed) reply.header('idempotent-replayed', 'true');
  return sendJson(reply, done.answer);
}

function sendJson(reply: FastifyReply, json: string): FastifyReply {
  return reply.type('application/json').send(json);
}

function sendError(error: unknown, reply: FastifyReply): FastifyReply {
  if (error instanceof StripeApiError) return reply.status(error.status).send(error.toBody());
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
  if (status < 500) return reply.status(status).send(new StripeApiError(status, (error as Error).message).toBody());
  reply.log.error({ err: error }, 'the sandbox failed');
  return reply.status(500).send({ error: { type: 'api_error', message: 'The sandbox failed; its log says why.' } });
}

function textBody(request: FastifyRequest): string {
  return typeof request.body === 'string' ? request.body : '';
}

/** DELETE has its parameters in the query too, or, with the SDK, in the body. */
function queryOf(request: FastifyRequest): string {
  const query = request.url.indexOf('?');
  return query >= 0 ? request.url.slice(query + 1) : textBody(request);
}

function pathOf(url: string): string {
  return url.split('?')[0] ?? url;
}
