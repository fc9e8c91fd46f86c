import { IncomingMessage } from 'node:http';
import Stripe from 'stripe';
import type { Metrics } from '#server/process/metrics.ts';
import { withTimeout } from '#server/process/with-timeout.ts';
import { compareClocks } from './compare-clocks.ts';
import type { PaymentFacts } from './payment-facts.ts';
import type { PaymentRequest, Payments, SessionPayment } from './payments.ts';
import { findInvoiceCharge, getId, readCharge, readDecline, readOpenIntentStatus } from './stripe-charges.ts';
import { readDispute, readFraudWarning } from './stripe-disputes.ts';
import { catchStripeErrors, UnusableResponseError, unknownIfMissing } from './stripe-errors.ts';
import {
  EVENT_TYPES,
  findSubject,
  getSession,
  listEvents,
  parseUnverifiedMoney,
  verifyEvent,
} from './stripe-events.ts';
import { listMovements, listSessions, readSessionLines } from './stripe-history.ts';
import { readInvoice } from './stripe-invoices.ts';
import { listPayouts, readPayout } from './stripe-payouts.ts';
import { refundCharge } from './stripe-refunds.ts';
import {
  buildProductRequest,
  buildSessionRequest,
  EXPANDED_FIELDS,
  type FirstInvoice,
  getAmountPaidLater,
  toPaymentFacts,
} from './stripe-sessions.ts';
import { cancelSubscription, changeSubscription, openCardPage, readSubscription } from './stripe-subscriptions.ts';

export type StripeOptions = {
  readonly secretKey: string;
  readonly webhookSecret: string;
  /** Id that marks our payments, since several installations can share an account. */
  readonly installation: string;
  /** Origin of a server with Stripe's API; defaults to Stripe. Read when the first call is made. */
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
export function createStripePayments({
  webhookSecret,
  installation,
  now,
  metrics,
  ...connection
}: StripeOptions): Payments {
  const { httpClient = createClientWithTimeouts() } = connection;
  const clocks = compareClocks(metrics ? createTimedClient(httpClient, metrics) : httpClient, now);
  let client: Stripe | undefined;
  const getStripe = () => (client ??= createClient({ ...connection, httpClient: clocks.httpClient }));
  return {
    eventTypes: EVENT_TYPES,
    createSession: (request) =>
      catchStripeErrors(async () => {
        const options = { ...getCreateOptions(connection), idempotencyKey: `checkout-${request.checkoutId}` };
        const product = await createProduct(getStripe(), request, getCreateOptions(connection));
        // Stripe limits the lifetime of a page by its own clock.
        const expiresAt = new Date(request.expiresAt.getTime() - (clocks.leadMs() ?? 0));
        const session = checkSession(
          await getStripe().checkout.sessions.create(
            buildSessionRequest({ ...request, expiresAt }, installation, product),
            options,
          ),
        );
        if (!session.url) throw new UnusableResponseError();
        return { sessionId: session.id, url: session.url };
      }),
    readCharge: (id) => catchStripeErrors(() => unknownIfMissing(() => readCharge(getStripe(), id, installation))),
    readDispute: (id) => catchStripeErrors(() => unknownIfMissing(() => readDispute(getStripe(), id))),
    readFraudWarning: (id) => catchStripeErrors(() => unknownIfMissing(() => readFraudWarning(getStripe(), id))),
    readDecline: (id) => catchStripeErrors(() => unknownIfMissing(() => readDecline(getStripe(), id, installation))),
    readInvoice: (id) => catchStripeErrors(() => unknownIfMissing(() => readInvoice(getStripe(), id, installation))),
    listSessions: (onPage) => catchStripeErrors(() => listSessions(getStripe(), installation, onPage)),
    readSessionLines: (sessionId) => catchStripeErrors(() => readSessionLines(getStripe(), sessionId)),
    listMovements: (onPage, since) => catchStripeErrors(() => listMovements(getStripe(), installation, onPage, since)),
    readSession: (sessionId) => catchStripeErrors(() => readSession(getStripe(), sessionId, installation)),
    findSession: (payment) => catchStripeErrors(() => findSession(getStripe(), payment)),
    readPayout: (id) => catchStripeErrors(() => unknownIfMissing(() => readPayout(getStripe(), id, installation))),
    listPayouts: (since) => catchStripeErrors(() => listPayouts(getStripe(), since)),
    refund: (request) => catchStripeErrors(() => refundCharge(getStripe(), request, installation)),
    closeSession: (sessionId) => catchStripeErrors(() => closeSession(getStripe(), sessionId)),
    readSubscription: (id) =>
      catchStripeErrors(() => unknownIfMissing(() => readSubscription(getStripe(), id, installation))),
    cancelSubscription: (subscriptionId) => catchStripeErrors(() => cancelSubscription(getStripe(), subscriptionId)),
    changeSubscription: (id, change) =>
      catchStripeErrors(() => changeSubscription(getStripe(), id, change, installation)),
    openCardPage: (id, options) => catchStripeErrors(() => openCardPage(getStripe(), id, options)),
    verifyEvent: (rawBody, headers) => verifyEvent(rawBody, headers['stripe-signature'], webhookSecret, now()),
    getSubject: (payload) => findSubject(payload as Stripe.Event),
    getUnverifiedMoney: (payload) => parseUnverifiedMoney(payload as Stripe.Event),
    getUnverifiedSession: (payload) => {
      const session = getSession(payload as Stripe.Event);
      return session && toPaymentFacts(session, installation);
    },
    listEvents: (since, onPage) => catchStripeErrors(() => listEvents(getStripe(), since, onPage)),
    clockLeadMs: clocks.leadMs,
  };
}

async function createProduct(
  stripe: Stripe,
  request: PaymentRequest,
  options: Stripe.RequestOptions,
): Promise<string | undefined> {
  const product = buildProductRequest(request);
  if (!product) return undefined;
  const createdProduct = await stripe.products.create(product, {
    ...options,
    idempotencyKey: `product-${request.checkoutId}`,
  });
  if (createdProduct?.object !== 'product') throw new UnusableResponseError();
  return createdProduct.id;
}

/** Options with a retry, because a visitor is waiting for the payment page. */
function getCreateOptions({ timeoutMs = TIMEOUT_MS }: Pick<StripeOptions, 'timeoutMs'>): Stripe.RequestOptions {
  return { timeout: 2 * timeoutMs, maxNetworkRetries: 1 };
}

/** Creates the SDK's client, which connects when the first call is made. */
export function createClient({
  secretKey,
  apiBase,
  httpClient = createClientWithTimeouts(),
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
 * Wraps the SDK's own client with one total time limit for a response's headers and another for its body. The SDK only
 * limits the time without data, so a slow trickle could block the caller forever.
 */
function createClientWithTimeouts(): Stripe.HttpClient {
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
function createTimedClient(client: Stripe.HttpClient, metrics: Pick<Metrics, 'serviceCall'>): Stripe.HttpClient {
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
    const invoice = getId(session.invoice);
    return toPaymentFacts(
      session,
      installation,
      invoice === undefined ? {} : await readFirstInvoice(stripe, session, invoice),
    );
  });
}

async function readFirstInvoice(
  stripe: Stripe,
  session: Stripe.Checkout.Session,
  invoice: string,
): Promise<FirstInvoice> {
  const isPaid = session.payment_status === 'paid' || getAmountPaidLater(session) !== undefined;
  return isPaid
    ? { charge: await findInvoiceCharge(stripe, invoice) }
    : { attemptStatus: await readOpenIntentStatus(stripe, invoice) };
}

async function findSession(stripe: Stripe, payment: SessionPayment): Promise<{ sessionId: string } | 'unknown'> {
  const filter =
    'intentId' in payment ? { payment_intent: payment.intentId } : { subscription: payment.subscriptionId };
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
