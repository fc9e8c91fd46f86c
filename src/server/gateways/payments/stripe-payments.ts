import { IncomingMessage } from 'node:http';
import Stripe from 'stripe';
import type { PaymentFacts } from './payment-facts.ts';
import type { PaidOnPage, PaymentRequest, Payments } from './payments.ts';
import { chargeOfInvoice, idOf, openIntentStatus, readCharge, readDecline } from './stripe-charges.ts';
import { readDispute, readFraudWarning } from './stripe-disputes.ts';
import { asFailure, UnusableResponse, unlessMissing } from './stripe-errors.ts';
import { EVENT_TYPES, listEvents, moneyIn, sessionIn, subjectOf, verifiedEvent } from './stripe-events.ts';
import { readInvoice } from './stripe-invoices.ts';
import { listMovements, listSessions, readLines } from './stripe-past.ts';
import { listPayouts, readPayout } from './stripe-payouts.ts';
import { refundCharge } from './stripe-refunds.ts';
import { EXPANDED, type FirstInvoice, factsOf, paidLater, productRequest, sessionRequest } from './stripe-sessions.ts';
import { cancelSubscription, changeSubscription, openCardPage, readSubscription } from './stripe-subscriptions.ts';

export type StripeOptions = {
  readonly secretKey: string;
  readonly webhookSecret: string;
  /** Marks our payments, since several installations may share an account. */
  readonly installation: string;
  /** A server with Stripe's API; by default Stripe. Read at the first call. */
  readonly apiBase?: (() => string | undefined) | undefined;
  /** How requests get there; by default the SDK's own client. */
  readonly httpClient?: Stripe.HttpClient | undefined;
  /** How long an answer may take that can be asked for again later. */
  readonly timeoutMs?: number | undefined;
  readonly now: () => Date;
};

const TIMEOUT_MS = 5000;

/** Card payments by Stripe's hosted Checkout (decisions §3), through the `stripe` SDK. */
export function stripePayments({ webhookSecret, installation, now, ...connection }: StripeOptions): Payments {
  let client: Stripe | undefined;
  const stripe = () => (client ??= connect(connection));
  return {
    eventTypes: EVENT_TYPES,
    open: (request) =>
      asFailure(async () => {
        const options = { ...opening(connection), idempotencyKey: `checkout-${request.checkoutId}` };
        const product = await productOf(stripe(), request, opening(connection));
        const session = checkedSession(
          await stripe().checkout.sessions.create(sessionRequest(request, installation, product), options),
        );
        if (!session.url) throw new UnusableResponse();
        return { sessionId: session.id, url: session.url };
      }),
    readCharge: (id) => asFailure(() => unlessMissing(() => readCharge(stripe(), id, installation))),
    readDispute: (id) => asFailure(() => unlessMissing(() => readDispute(stripe(), id))),
    readFraudWarning: (id) => asFailure(() => unlessMissing(() => readFraudWarning(stripe(), id))),
    readDecline: (id) => asFailure(() => unlessMissing(() => readDecline(stripe(), id, installation))),
    readInvoice: (id) => asFailure(() => unlessMissing(() => readInvoice(stripe(), id, installation))),
    listSessions: (onPage) => asFailure(() => listSessions(stripe(), installation, onPage)),
    readLines: (sessionId) => asFailure(() => readLines(stripe(), sessionId)),
    listMovements: (onPage, since) => asFailure(() => listMovements(stripe(), installation, onPage, since)),
    read: (sessionId) => asFailure(() => readSession(stripe(), sessionId, installation)),
    findPage: (paid) => asFailure(() => findSession(stripe(), paid)),
    readPayout: (id) => asFailure(() => unlessMissing(() => readPayout(stripe(), id, installation))),
    listPayouts: (since) => asFailure(() => listPayouts(stripe(), since)),
    refund: (request) => asFailure(() => refundCharge(stripe(), request, installation)),
    close: (sessionId) => asFailure(() => closeSession(stripe(), sessionId)),
    readSubscription: (id) => asFailure(() => unlessMissing(() => readSubscription(stripe(), id, installation))),
    cancelSubscription: (subscriptionId) => asFailure(() => cancelSubscription(stripe(), subscriptionId)),
    changeSubscription: (id, change) => asFailure(() => changeSubscription(stripe(), id, change, installation)),
    openCardPage: (id, visit) => asFailure(() => openCardPage(stripe(), id, visit)),
    eventOf: (rawBody, headers) => verifiedEvent(rawBody, headers['stripe-signature'], webhookSecret, now()),
    subjectOf: (payload) => subjectOf(payload as Stripe.Event),
    moneyOf: (payload) => moneyIn(payload as Stripe.Event),
    claimOf: (payload) => {
      const session = sessionIn(payload as Stripe.Event);
      return session && factsOf(session, installation);
    },
    listEvents: (since, onPage) => asFailure(() => listEvents(stripe(), since, onPage)),
  };
}

async function productOf(
  stripe: Stripe,
  request: PaymentRequest,
  options: Stripe.RequestOptions,
): Promise<string | undefined> {
  const product = productRequest(request);
  if (!product) return undefined;
  const created = await stripe.products.create(product, {
    ...options,
    idempotencyKey: `product-${request.checkoutId}`,
  });
  if (created?.object !== 'product') throw new UnusableResponse();
  return created.id;
}

/** A visitor waits for the page to pay on, which is worth a second try. */
function opening({ timeoutMs = TIMEOUT_MS }: Pick<StripeOptions, 'timeoutMs'>): Stripe.RequestOptions {
  return { timeout: 2 * timeoutMs, maxNetworkRetries: 1 };
}

/** The SDK, which connects at the first call. */
export function connect({
  secretKey,
  apiBase,
  httpClient = clientInTime(),
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
 * The SDK's own client, whose timeout is for silence alone: an answer that drips in would hold up its reader for ever. Here
 * it is for the head of an answer as a whole, and again for its body.
 */
function clientInTime(): Stripe.HttpClient {
  const client = Stripe.createNodeHttpClient();
  const makeRequest: typeof client.makeRequest = async (...request) => {
    const timeout = request[7];
    const answer = await inTime(client.makeRequest(...request), timeout);
    const body = answer.getRawResponse();
    if (body instanceof IncomingMessage) {
      const timer = setTimeout(() => body.destroy(), timeout);
      body.once('close', () => clearTimeout(timer));
    }
    return answer;
  };
  return { getClientName: () => client.getClientName(), makeRequest };
}

/** What comes later is left alone. */
async function inTime<Answer>(asked: Promise<Answer>, timeout: number): Promise<Answer> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(Stripe.HttpClient.makeTimeoutError()), timeout);
  try {
    return await Promise.race([asked, late]);
  } finally {
    clearTimeout(timer);
  }
}

async function readSession(stripe: Stripe, id: string, installation: string): Promise<PaymentFacts | 'unknown'> {
  return unlessMissing(async () => {
    const session = checkedSession(await stripe.checkout.sessions.retrieve(id, { expand: EXPANDED }));
    if (session.id !== id) throw new UnusableResponse();
    const invoice = idOf(session.invoice);
    return factsOf(session, installation, invoice === undefined ? {} : await firstInvoice(stripe, session, invoice));
  });
}

async function firstInvoice(stripe: Stripe, session: Stripe.Checkout.Session, invoice: string): Promise<FirstInvoice> {
  const isPaid = session.payment_status === 'paid' || paidLater(session) !== undefined;
  return isPaid
    ? { charge: await chargeOfInvoice(stripe, invoice) }
    : { attempt: await openIntentStatus(stripe, invoice) };
}

async function findSession(stripe: Stripe, paid: PaidOnPage): Promise<{ sessionId: string } | 'unknown'> {
  const named = 'intentId' in paid ? { payment_intent: paid.intentId } : { subscription: paid.subscriptionId };
  const { data } = await stripe.checkout.sessions.list({ ...named, limit: 1 });
  return data[0] ? { sessionId: data[0].id } : 'unknown';
}

export async function closeSession(stripe: Stripe, id: string): Promise<'closed'> {
  // An unknown page cannot be paid.
  if ((await unlessMissing(() => isOpen(stripe, id))) !== true) return 'closed';
  try {
    checkedSession(await stripe.checkout.sessions.expire(id));
  } catch (error) {
    // It may have been paid in between.
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError) || (await isOpen(stripe, id))) throw error;
  }
  return 'closed';
}

async function isOpen(stripe: Stripe, id: string): Promise<boolean> {
  return checkedSession(await stripe.checkout.sessions.retrieve(id)).status === 'open';
}

/** The SDK treats an error status as success if the JSON has no `error`. */
export function checkedSession(session: Stripe.Checkout.Session): Stripe.Checkout.Session {
  if (session?.object !== 'checkout.session' || typeof session.id !== 'string') throw new UnusableResponse();
  return session;
}
