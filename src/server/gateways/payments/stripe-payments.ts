import { IncomingMessage } from 'node:http';
import Stripe from 'stripe';
import type { Metrics } from '#server/process/metrics.ts';
import { withTimeout } from '#server/process/with-timeout.ts';
import { compareClocks } from './compare-clocks.ts';
import type { PaymentFacts } from './payment-facts.ts';
import type { PaymentRequest, Payments, SessionPayment } from './payments.ts';
import { chargeOfInvoice, idOf, openIntentStatus, readCharge, readDecline } from './stripe-charges.ts';
import { readDispute, readFraudWarning } from './stripe-disputes.ts';
import { catchStripeErrors, UnusableResponseError, unknownIfMissing } from './stripe-errors.ts';
import { EVENT_TYPES, eventMoney, findSubject, listEvents, sessionIn, verifiedEvent } from './stripe-events.ts';
import { readInvoice } from './stripe-invoices.ts';
import { listMovements, listSessions, readSessionLines } from './stripe-past.ts';
import { listPayouts, readPayout } from './stripe-payouts.ts';
import { refundCharge } from './stripe-refunds.ts';
import {
  amountPaidLater,
  EXPANDED_FIELDS,
  type FirstInvoice,
  productRequest,
  sessionFacts,
  sessionRequest,
} from './stripe-sessions.ts';
import { cancelSubscription, changeSubscription, openCardPage, readSubscription } from './stripe-subscriptions.ts';

export type StripeOptions = {
  readonly secretKey: string;
  readonly webhookSecret: string;
  /** Id that marks our payments, since several installations can share an account. */
  readonly installation: string;
  /** Origin of a server with Stripe's API; defaults to Stripe. Read at the first call. */
  readonly apiBase?: (() => string | undefined) | undefined;
  /** Defaults to the SDK's own client with stricter timeouts. */
  readonly httpClient?: Stripe.HttpClient | undefined;
  /** Times each request for the metrics. */
  readonly metrics?: Pick<Metrics, 'serviceCall'> | undefined;
  /** Time limit for requests that can be repeated later. */
  readonly timeoutMs?: number | undefined;
  readonly now: () => Date;
};

const TIMEOUT_MS = 5000;

/** Takes card payments with Stripe's hosted Checkout (decisions §3), using the `stripe` SDK. */
export function stripePayments({ webhookSecret, installation, now, metrics, ...connection }: StripeOptions): Payments {
  const { httpClient = clientWithTimeouts() } = connection;
  const clocks = compareClocks(metrics ? timedClient(httpClient, metrics) : httpClient, now);
  let client: Stripe | undefined;
  const stripe = () => (client ??= createClient({ ...connection, httpClient: clocks.httpClient }));
  return {
    eventTypes: EVENT_TYPES,
    createSession: (request) =>
      catchStripeErrors(async () => {
        const options = { ...openingOptions(connection), idempotencyKey: `checkout-${request.checkoutId}` };
        const product = await createProduct(stripe(), request, openingOptions(connection));
        // Stripe limits the lifetime of a page by its own clock.
        const expiresAt = new Date(request.expiresAt.getTime() - (clocks.leadMs() ?? 0));
        const session = checkSession(
          await stripe().checkout.sessions.create(
            sessionRequest({ ...request, expiresAt }, installation, product),
            options,
          ),
        );
        if (!session.url) throw new UnusableResponseError();
        return { sessionId: session.id, url: session.url };
      }),
    readCharge: (id) => catchStripeErrors(() => unknownIfMissing(() => readCharge(stripe(), id, installation))),
    readDispute: (id) => catchStripeErrors(() => unknownIfMissing(() => readDispute(stripe(), id))),
    readFraudWarning: (id) => catchStripeErrors(() => unknownIfMissing(() => readFraudWarning(stripe(), id))),
    readDecline: (id) => catchStripeErrors(() => unknownIfMissing(() => readDecline(stripe(), id, installation))),
    readInvoice: (id) => catchStripeErrors(() => unknownIfMissing(() => readInvoice(stripe(), id, installation))),
    listSessions: (onPage) => catchStripeErrors(() => listSessions(stripe(), installation, onPage)),
    readSessionLines: (sessionId) => catchStripeErrors(() => readSessionLines(stripe(), sessionId)),
    listMovements: (onPage, since) => catchStripeErrors(() => listMovements(stripe(), installation, onPage, since)),
    readSession: (sessionId) => catchStripeErrors(() => readSession(stripe(), sessionId, installation)),
    findSession: (paid) => catchStripeErrors(() => findSession(stripe(), paid)),
    readPayout: (id) => catchStripeErrors(() => unknownIfMissing(() => readPayout(stripe(), id, installation))),
    listPayouts: (since) => catchStripeErrors(() => listPayouts(stripe(), since)),
    refund: (request) => catchStripeErrors(() => refundCharge(stripe(), request, installation)),
    closeSession: (sessionId) => catchStripeErrors(() => closeSession(stripe(), sessionId)),
    readSubscription: (id) =>
      catchStripeErrors(() => unknownIfMissing(() => readSubscription(stripe(), id, installation))),
    cancelSubscription: (subscriptionId) => catchStripeErrors(() => cancelSubscription(stripe(), subscriptionId)),
    changeSubscription: (id, change) => catchStripeErrors(() => changeSubscription(stripe(), id, change, installation)),
    openCardPage: (id, visit) => catchStripeErrors(() => openCardPage(stripe(), id, visit)),
    verifyEvent: (rawBody, headers) => verifiedEvent(rawBody, headers['stripe-signature'], webhookSecret, now()),
    subjectOf: (payload) => findSubject(payload as Stripe.Event),
    claimedMoneyOf: (payload) => eventMoney(payload as Stripe.Event),
    claimedSessionOf: (payload) => {
      const session = sessionIn(payload as Stripe.Event);
      return session && sessionFacts(session, installation);
    },
    listEvents: (since, onPage) => catchStripeErrors(() => listEvents(stripe(), since, onPage)),
    clockLeadMs: clocks.leadMs,
  };
}

async function createProduct(
  stripe: Stripe,
  request: PaymentRequest,
  options: Stripe.RequestOptions,
): Promise<string | undefined> {
  const product = productRequest(request);
  if (!product) return undefined;
  const newProduct = await stripe.products.create(product, {
    ...options,
    idempotencyKey: `product-${request.checkoutId}`,
  });
  if (newProduct?.object !== 'product') throw new UnusableResponseError();
  return newProduct.id;
}

/** Options with a retry, because a visitor is waiting for the payment page. */
function openingOptions({ timeoutMs = TIMEOUT_MS }: Pick<StripeOptions, 'timeoutMs'>): Stripe.RequestOptions {
  return { timeout: 2 * timeoutMs, maxNetworkRetries: 1 };
}

/** Creates the SDK's client. It connects at the first call. */
export function createClient({
  secretKey,
  apiBase,
  httpClient = clientWithTimeouts(),
  timeoutMs: timeout = TIMEOUT_MS,
}: Pick<StripeOptions, 'secretKey' | 'apiBase' | 'httpClient' | 'timeoutMs'>): Stripe {
  const config = { timeout, maxNetworkRetries: 0, telemetry: false, httpClient };
  const base = apiBase?.();
  if (base === undefined) return new Stripe(secretKey, config);
  const { hostname, port, protocol } = new URL(base);
  const isPlain = protocol === 'http:';
  return new Stripe(secretKey, {
    ...config,
    host: hostname,
    port: port || (isPlain ? 80 : 443),
    protocol: isPlain ? 'http' : 'https',
  });
}

/**
 * Wraps the SDK's own client with a total time limit for a response's headers, and the same again for its body. The SDK only
 * limits the time without data, so a slow trickle could block the caller forever.
 */
function clientWithTimeouts(): Stripe.HttpClient {
  const client = Stripe.createNodeHttpClient();
  const makeRequest: typeof client.makeRequest = async (...request) => {
    const timeout = request[7];
    const response = await withTimeout(client.makeRequest(...request), timeout, () => {
      throw Stripe.HttpClient.makeTimeoutError();
    });
    const body = response.getRawResponse();
    if (body instanceof IncomingMessage) {
      const timer = setTimeout(() => body.destroy(), timeout);
      body.once('close', () => clearTimeout(timer));
    }
    return response;
  };
  return { getClientName: () => client.getClientName(), makeRequest };
}

/** Records each request's duration until the response headers arrive. A status of 500 or more counts as down. */
function timedClient(client: Stripe.HttpClient, metrics: Pick<Metrics, 'serviceCall'>): Stripe.HttpClient {
  const makeRequest: typeof client.makeRequest = async (...request) => {
    const start = performance.now();
    let isUp = false;
    try {
      const response = await client.makeRequest(...request);
      isUp = response.getStatusCode() < 500;
      return response;
    } finally {
      metrics.serviceCall('stripe', (performance.now() - start) / 1000, isUp);
    }
  };
  return { getClientName: () => client.getClientName(), makeRequest };
}

async function readSession(stripe: Stripe, id: string, installation: string): Promise<PaymentFacts | 'unknown'> {
  return unknownIfMissing(async () => {
    const session = checkSession(await stripe.checkout.sessions.retrieve(id, { expand: EXPANDED_FIELDS }));
    if (session.id !== id) throw new UnusableResponseError();
    const invoice = idOf(session.invoice);
    return sessionFacts(
      session,
      installation,
      invoice === undefined ? {} : await firstInvoice(stripe, session, invoice),
    );
  });
}

async function firstInvoice(stripe: Stripe, session: Stripe.Checkout.Session, invoice: string): Promise<FirstInvoice> {
  const isPaid = session.payment_status === 'paid' || amountPaidLater(session) !== undefined;
  return isPaid
    ? { charge: await chargeOfInvoice(stripe, invoice) }
    : { attempt: await openIntentStatus(stripe, invoice) };
}

async function findSession(stripe: Stripe, paid: SessionPayment): Promise<{ sessionId: string } | 'unknown'> {
  const filter = 'intentId' in paid ? { payment_intent: paid.intentId } : { subscription: paid.subscriptionId };
  const { data } = await stripe.checkout.sessions.list({ ...filter, limit: 1 });
  return data[0] ? { sessionId: data[0].id } : 'unknown';
}

export async function closeSession(stripe: Stripe, id: string): Promise<'closed'> {
  // A page that Stripe doesn't have can't be paid.
  if ((await unknownIfMissing(() => isOpen(stripe, id))) !== true) return 'closed';
  try {
    checkSession(await stripe.checkout.sessions.expire(id));
  } catch (error) {
    // The session may have just been paid.
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError) || (await isOpen(stripe, id))) throw error;
  }
  return 'closed';
}

async function isOpen(stripe: Stripe, id: string): Promise<boolean> {
  return checkSession(await stripe.checkout.sessions.retrieve(id)).status === 'open';
}

/** Checks the response, because the SDK treats an error status as success if the JSON has no `error`. */
export function checkSession(session: Stripe.Checkout.Session): Stripe.Checkout.Session {
  if (session?.object !== 'checkout.session' || typeof session.id !== 'string') throw new UnusableResponseError();
  return session;
}
