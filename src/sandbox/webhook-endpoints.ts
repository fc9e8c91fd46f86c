import { randomBytes } from 'node:crypto';
import type Stripe from 'stripe';
import { equals } from './collection.ts';
import { checkMetadata, invalidRequest, noSuchError, presentMetadata, rejectUnsupported } from './parameters.ts';
import { createStripeId, type Provider } from './provider.ts';
import type { SavedWebhookEndpoint, Store } from './store.ts';

const CREATE_PARAMETERS = ['api_version', 'description', 'enabled_events', 'expand', 'metadata', 'url'];
const UPDATE_PARAMETERS = ['description', 'disabled', 'enabled_events', 'expand', 'metadata', 'url'];
/** Stripe's limit per account. */
const MAX_ENDPOINTS = 16;

/** @returns the webhook with its signing secret @throws StripeApiError */
export function createWebhookEndpoint(
  { store, now }: Provider,
  request: Stripe.WebhookEndpointCreateParams,
): SavedWebhookEndpoint {
  rejectUnsupported(request, CREATE_PARAMETERS);
  checkMetadata(request.metadata, 'metadata');
  checkUrl(request.url);
  if (store.webhookEndpoints.all().length >= MAX_ENDPOINTS)
    throw invalidRequest(`You have reached the maximum of ${MAX_ENDPOINTS} test webhook endpoints.`);
  const endpoint = {
    id: createStripeId('we'),
    object: 'webhook_endpoint' as const,
    api_version: request.api_version ?? null,
    application: null,
    created: now(),
    description: request.description || null,
    enabled_events: request.enabled_events,
    livemode: false,
    metadata: presentMetadata(request.metadata),
    secret: `whsec_${randomBytes(24).toString('hex')}`,
    status: 'enabled',
    url: request.url,
  };
  store.webhookEndpoints.save(endpoint);
  return endpoint;
}

/** @throws StripeApiError */
export function updateWebhookEndpoint(
  { store }: Provider,
  id: string,
  request: Stripe.WebhookEndpointUpdateParams,
): Stripe.WebhookEndpoint {
  rejectUnsupported(request, UPDATE_PARAMETERS);
  checkMetadata(request.metadata, 'metadata');
  const endpoint = findWebhookEndpoint(store, id);
  const { url = endpoint.url, enabled_events = endpoint.enabled_events, disabled, description } = request;
  checkUrl(url);
  const updatedEndpoint = {
    ...endpoint,
    url,
    enabled_events,
    description: description === undefined ? endpoint.description : description || null,
    metadata: { ...endpoint.metadata, ...presentMetadata(request.metadata) },
    status: disabled === undefined ? endpoint.status : disabled ? 'disabled' : 'enabled',
  };
  store.webhookEndpoints.save(updatedEndpoint);
  return omitSecret(updatedEndpoint);
}

/** @throws StripeApiError */
export function deleteWebhookEndpoint({ store }: Provider, id: string): Stripe.DeletedWebhookEndpoint {
  store.webhookEndpoints.remove(findWebhookEndpoint(store, id).id);
  return { id, object: 'webhook_endpoint', deleted: true };
}

export function omitSecret(savedEndpoint: SavedWebhookEndpoint): Stripe.WebhookEndpoint {
  const { secret: _, ...endpoint } = savedEndpoint;
  return endpoint;
}

/** Finds the newest enabled endpoint, which receives all events. @returns undefined if none was created through the API */
export function findActiveEndpoint({ webhookEndpoints }: Store): SavedWebhookEndpoint | undefined {
  return webhookEndpoints.all(equals('status', 'enabled'))[0];
}

function findWebhookEndpoint({ webhookEndpoints }: Store, id: string): SavedWebhookEndpoint {
  const endpoint = webhookEndpoints.find(id);
  if (!endpoint) throw noSuchError('webhook endpoint', id);
  return endpoint;
}

function checkUrl(url: string): void {
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
    throw invalidRequest('Invalid URL: must be http or https', 'url');
}
