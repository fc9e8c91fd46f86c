import Stripe from 'stripe';
import type { Payments, ProviderEvent } from './payments.ts';
import { providerEvent, SESSION_EVENTS, signedEvent } from './provider-event.ts';
import { EXPANDED, factsOf } from './session-facts.ts';
import { sessionRequest } from './session-request.ts';
import { cancelSubscription, closeSession } from './stop-charging.ts';
import { answered, proven, UnusableAnswer } from './stripe-answer.ts';

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
    close: (sessionId) => answered(() => closeSession(stripe(), sessionId)),
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
