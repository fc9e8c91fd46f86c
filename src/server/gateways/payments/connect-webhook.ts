import Stripe from 'stripe';
import { EVENT_TYPES } from './stripe-events.ts';
import { createClient, type StripeOptions } from './stripe-payments.ts';

export type WebhookOptions = Pick<StripeOptions, 'secretKey' | 'apiBase'> & {
  /** URL that Stripe should send events to. */
  readonly webhookUrl: string;
  /** True if the signing secret is known. Stripe returns it only when it creates a webhook. */
  readonly hasSecret: boolean;
  /** Stores the signing secret of a new webhook. */
  readonly saveSecret: (secret: string) => Promise<void>;
};

const TIMEOUT_MS = 10_000;
const DESCRIPTION = 'City Climate Fund';
const ALL_EVENTS = EVENT_TYPES as Stripe.WebhookEndpointCreateParams.EnabledEvent[];

/**
 * Creates or repairs the webhook at Stripe. Replaces it if its secret is unknown, it has a different API version, or
 * there are several. Old webhooks are deleted only after the new secret is stored.
 *
 * @throws Error with a message for the operator
 */
export async function connectWebhook(options: WebhookOptions): Promise<'created' | 'repaired' | 'unchanged'> {
  const stripe = createClient({ ...options, timeoutMs: TIMEOUT_MS });
  try {
    const endpoints = await listEndpointsForUrl(stripe, options.webhookUrl);
    const [endpoint] = endpoints;
    const canRepair = options.hasSecret && endpoints.length === 1 && hasOurVersion(endpoint);
    if (!endpoint || !canRepair) return await replaceEndpoints(stripe, endpoints, options);
    if (endpoint.status === 'enabled' && hasAllEvents(endpoint)) return 'unchanged';
    await stripe.webhookEndpoints.update(endpoint.id, { enabled_events: ALL_EVENTS, disabled: false });
    return 'repaired';
  } catch (error) {
    throw toOperatorError(error);
  }
}

/** Lists the webhooks for a URL, in the key's mode. */
async function listEndpointsForUrl(stripe: Stripe, url: string): Promise<Stripe.WebhookEndpoint[]> {
  const { data } = await stripe.webhookEndpoints.list({ limit: 100 });
  return data.filter((endpoint) => endpoint.url.replace(/\/$/, '') === url);
}

function hasOurVersion(endpoint: Stripe.WebhookEndpoint | undefined): boolean {
  return endpoint?.api_version === Stripe.API_VERSION;
}

function hasAllEvents({ enabled_events: events }: Stripe.WebhookEndpoint): boolean {
  return events.length === EVENT_TYPES.length && EVENT_TYPES.every((type) => events.includes(type));
}

async function replaceEndpoints(
  stripe: Stripe,
  endpoints: readonly Stripe.WebhookEndpoint[],
  { webhookUrl: url, saveSecret }: WebhookOptions,
): Promise<'created'> {
  const { secret } = await stripe.webhookEndpoints.create({
    url,
    description: DESCRIPTION,
    enabled_events: ALL_EVENTS,
    api_version: Stripe.API_VERSION,
  });
  if (!secret) throw new Error('Stripe returned no signing secret.');
  await saveSecret(secret);
  for (const { id } of endpoints) await stripe.webhookEndpoints.del(id);
  return 'created';
}

/** Replaces Stripe's own messages. The one about a rejected key contains part of the key. */
function toOperatorError(error: unknown): unknown {
  if (error instanceof Stripe.errors.StripeAuthenticationError)
    return new Error('Stripe rejects STRIPE_SECRET_KEY. Copy the key again from Stripe’s “API keys” page.');
  if (error instanceof Stripe.errors.StripePermissionError)
    return new Error('The restricted key can’t change webhooks. Give it write permission for Webhook Endpoints.');
  if (error instanceof Stripe.errors.StripeConnectionError)
    return new Error('Can’t reach Stripe. Is this machine allowed to connect to api.stripe.com?');
  return error;
}
