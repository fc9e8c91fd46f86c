import Stripe from 'stripe';
import { Failure } from '#domain/failures.ts';
import type { Payments, ProviderEvent } from './payments.ts';
import { providerEvent, SESSION_EVENTS, signedEvent } from './provider-event.ts';
import { EXPANDED, factsOf } from './session-facts.ts';
import { sessionRequest } from './session-request.ts';

export type StripeOptions = {
  readonly secretKey: string;
  readonly webhookSecret: string;
  /** Another server that speaks Stripe's language, asked for when the first call is made; Stripe's own without it. */
  readonly apiBase?: (() => string | undefined) | undefined;
  readonly now: () => Date;
};

const TIMEOUT_MS = 10_000;
const EVENTS_A_PAGE = 100;

/** Card payments by Stripe's hosted Checkout (decisions §3), through the `stripe` SDK. */
export function stripePayments({ secretKey, webhookSecret, apiBase, now }: StripeOptions): Payments {
  let client: Stripe | undefined;
  const stripe = () => (client ??= connect(secretKey, apiBase?.()));
  return {
    open: (request) =>
      answered(async () => {
        const idempotencyKey = `checkout-${request.checkoutId}`;
        const session = proven(await stripe().checkout.sessions.create(sessionRequest(request), { idempotencyKey }));
        if (!session.url) throw new UnusableAnswer();
        return { sessionId: session.id, url: session.url };
      }),
    read: (sessionId) =>
      answered(async () => {
        const session = proven(await stripe().checkout.sessions.retrieve(sessionId, { expand: EXPANDED }));
        if (session.id !== sessionId) throw new UnusableAnswer();
        return factsOf(session);
      }),
    cancelSubscription: (subscriptionId) => answered(() => cancelSubscription(stripe(), subscriptionId)),
    eventOf: (rawBody, signature) => signedEvent(rawBody, signature, webhookSecret, now()),
    eventsSince: (since) => answered(() => eventsSince(stripe(), since)),
  };
}

function connect(secretKey: string, apiBase: string | undefined): Stripe {
  const config = { timeout: TIMEOUT_MS, maxNetworkRetries: 2, telemetry: false };
  if (apiBase === undefined) return new Stripe(secretKey, config);
  const { hostname, port, protocol } = new URL(apiBase);
  const isPlain = protocol === 'http:';
  return new Stripe(secretKey, {
    ...config,
    host: hostname,
    port: port || (isPlain ? 80 : 443),
    protocol: isPlain ? 'http' : 'https',
  });
}

/** In these nothing is charged any more, and Stripe refuses to end them again. */
const ENDED: readonly string[] = ['canceled', 'incomplete_expired'];

async function cancelSubscription(stripe: Stripe, id: string): Promise<'ended'> {
  try {
    const before = await stripe.subscriptions.retrieve(id);
    const after = ENDED.includes(before?.status) ? before : await stripe.subscriptions.cancel(id);
    if (after?.object !== 'subscription' || !ENDED.includes(after.status)) throw new UnusableAnswer();
  } catch (error) {
    // What the provider does not have, it does not charge.
    if (!(error instanceof Stripe.errors.StripeError && error.code === 'resource_missing')) throw error;
  }
  return 'ended';
}

async function eventsSince(stripe: Stripe, since: Date): Promise<ProviderEvent[]> {
  const created = { gte: Math.floor(since.getTime() / 1000) };
  const found: ProviderEvent[] = [];
  for (let after: string | undefined; ; ) {
    const page = await stripe.events.list({
      created,
      types: [...SESSION_EVENTS],
      limit: EVENTS_A_PAGE,
      ...(after === undefined ? {} : { starting_after: after }),
    });
    if (!Array.isArray(page?.data)) throw new UnusableAnswer();
    found.push(...page.data.map(providerEvent));
    after = page.data.at(-1)?.id;
    // Stripe lists the newest first.
    if (!page.has_more || after === undefined) return found.reverse();
  }
}

/** Something else than Stripe answered: a proxy's error page, say. */
class UnusableAnswer extends Error {}

/** The SDK takes an answer with an error status for a success when its JSON has no `error` in it. */
function proven(session: Stripe.Checkout.Session): Stripe.Checkout.Session {
  if (session?.object !== 'checkout.session' || typeof session.id !== 'string') throw new UnusableAnswer();
  return session;
}

/**
 * The answer, or Failure payment-unavailable when asking again later may help.
 * @throws when Stripe refused the request itself, without Stripe's own words, which may repeat what was sent
 */
async function answered<T>(ask: () => Promise<T>): Promise<T | Failure> {
  try {
    return await ask();
  } catch (error) {
    if (isPassing(error)) return new Failure('payment-unavailable');
    if (error instanceof Stripe.errors.StripeError) throw new Error(refusalOf(error));
    throw error;
  }
}

function isPassing(error: unknown): boolean {
  const { StripeConnectionError, StripeAPIError, StripeRateLimitError } = Stripe.errors;
  return (
    error instanceof UnusableAnswer ||
    error instanceof StripeConnectionError ||
    error instanceof StripeAPIError ||
    error instanceof StripeRateLimitError
  );
}

function refusalOf({
  type,
  code,
  param,
  statusCode,
  requestId,
}: InstanceType<typeof Stripe.errors.StripeError>): string {
  const details = { type, code, param, statusCode, requestId };
  return `The payment provider refused a request: ${JSON.stringify(details)}`;
}
