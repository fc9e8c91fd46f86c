// The subset of Stripe's API that the sandbox supports: https://docs.stripe.com/api
import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type ApiCall, apiCalls } from './api-calls.ts';
import { expand } from './expand.ts';
import { StripeApiError } from './parameters.ts';
import { createStripeId, type Provider } from './provider.ts';
import { API_VERSION, readRequest } from './requests.ts';
import type { Store } from './store.ts';

/** Adds the `/v1` routes. Expects an encapsulated instance, because it replaces the error handler. */
export function addApiRoutes(app: FastifyInstance, provider: Provider): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({ 'request-id': createStripeId('req'), 'stripe-version': API_VERSION });
    checkKey(request.headers.authorization);
  });
  app.setErrorHandler((error, _request, reply) => sendError(error, reply));
  for (const call of apiCalls) {
    app.route({
      method: call.method,
      url: call.path,
      handler: (request, reply) => handleRequest(provider, call, request, reply),
    });
  }
  app.all('/v1/*', async ({ method, url }) => {
    throw new StripeApiError(
      404,
      `Unrecognized request URL (${method}: ${getPath(url)}). The sandbox supports only part of Stripe's API.`,
    );
  });
}

/** Rejects live keys: a client with a live key should call Stripe directly. */
function checkKey(authorization: string | undefined): void {
  const [, key] = /^Bearer\s+(\S+)$/i.exec(authorization ?? '') ?? [];
  if (key === undefined) {
    throw new StripeApiError(
      401,
      "You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY').",
    );
  }
  if (key.startsWith('sk_live_'))
    throw new StripeApiError(401, 'A live API key was sent to the sandbox, which accepts only test keys.');
  if (!key.startsWith('sk_')) throw new StripeApiError(401, 'Invalid API Key provided.');
}

function handleRequest(provider: Provider, call: ApiCall, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const key = request.headers['idempotency-key'];
  const { response, replayed } = handleCall(provider, call, {
    path: getPath(request.url),
    form: call.method === 'POST' ? readBody(request) : readQuery(request),
    id: (request.params as { id?: string }).id ?? '',
    key: call.method === 'POST' && typeof key === 'string' ? key : undefined,
  });
  if (call.method === 'POST' && typeof key === 'string') reply.header('idempotency-key', key);
  if (replayed) reply.header('idempotent-replayed', 'true');
  return reply.type('application/json').send(response);
}

export type CallInput = {
  readonly path: string;
  /** The form-encoded body or query. */
  readonly form: string;
  /** The id in the path, or empty. */
  readonly id: string;
  /** Idempotency key of a POST. */
  readonly key: string | undefined;
};

/** @returns the JSON response, and whether its key was used before @throws StripeApiError */
export function handleCall(
  provider: Provider,
  call: ApiCall,
  { path, form, id, key }: CallInput,
): { readonly response: string; readonly replayed: boolean } {
  const { store } = provider;
  const run = (): string => {
    const parameters = readRequest(call.request, form) as { expand?: string[] };
    return JSON.stringify(expand(provider, call.handle(provider, parameters, id), parameters.expand));
  };
  if (key === undefined) return { response: store.transaction(run), replayed: false };
  if (key.length > 255)
    throw new StripeApiError(400, 'Idempotency keys can have up to 255 characters.', { type: 'idempotency_error' });
  return store.transaction(() => runOnce(store, key, `${path}\n${form}`, provider.now(), run));
}

function sendError(error: unknown, reply: FastifyReply): FastifyReply {
  if (error instanceof StripeApiError) return reply.status(error.status).send(error.toBody());
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
  if (status < 500) return reply.status(status).send(new StripeApiError(status, (error as Error).message).toBody());
  reply.log.error({ err: error }, 'the sandbox failed');
  return reply
    .status(500)
    .send({ error: { type: 'api_error', message: 'The sandbox failed. See the log for details.' } });
}

function readBody(request: FastifyRequest): string {
  return typeof request.body === 'string' ? request.body : '';
}

/** DELETE has its parameters in the query, or in the body if the SDK puts them there. */
function readQuery(request: FastifyRequest): string {
  const query = request.url.indexOf('?');
  return query >= 0 ? request.url.slice(query + 1) : readBody(request);
}

function getPath(url: string): string {
  return url.split('?')[0] ?? url;
}

const KEY_LIFETIME_SECONDS = 24 * 60 * 60;

/**
 * Runs a request once per idempotency key: a repeated request gets the first response. Errors are not stored.
 * Call it inside a transaction, so that the work and its key are committed together.
 * @throws StripeApiError idempotency_error if the key was used for another request
 */
export function runOnce(
  store: Store,
  key: string,
  request: string,
  now: number,
  work: () => string,
): { response: string; replayed: boolean } {
  const fingerprint = createHash('sha256').update(request).digest('hex');
  const storedRequest = store.db.prepare('SELECT fingerprint, response FROM idempotency_keys WHERE key = ?').get(key);
  if (storedRequest?.fingerprint === fingerprint) return { response: String(storedRequest.response), replayed: true };
  if (storedRequest) throw keyReusedError(key);
  const response = work();
  const insert = store.db.prepare(
    'INSERT INTO idempotency_keys (key, fingerprint, response, created) VALUES (?, ?, ?, ?)',
  );
  insert.run(key, fingerprint, response, now);
  return { response, replayed: false };
}

function keyReusedError(key: string): StripeApiError {
  const message =
    'Keys for idempotent requests can only be used with the same parameters they were first used with. ' +
    `Try using a key other than '${key}' if you meant to execute a different request.`;
  return new StripeApiError(400, message, { type: 'idempotency_error' });
}

/** Deletes keys after a day, like Stripe. @param now in seconds */
export function deleteExpiredKeys({ db }: Store, now: number): void {
  db.prepare('DELETE FROM idempotency_keys WHERE created < ?').run(now - KEY_LIFETIME_SECONDS);
}
