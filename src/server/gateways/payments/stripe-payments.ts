import Stripe from 'stripe';
import { Failure } from '#domain/failures.ts';
import type { PaymentFacts, Payments, ProviderEvent, Subject } from './payments.ts';
import { chargeOfInvoice } from './stripe-charges.ts';
import { EXPANDED, factsOf, idOf, sessionRequest } from './stripe-sessions.ts';

export type StripeOptions = {
  readonly secretKey: string;
  readonly webhookSecret: string;
  /** Marks our payments, since several installations may share an account. */
  readonly installation: string;
  /** A server with Stripe's API; by default Stripe. Read at the first call. */
  readonly apiBase?: (() => string | undefined) | undefined;
  readonly now: () => Date;
};

/** A visitor waits for the page to pay on, which is worth a second try. */
const OPENING = { timeout: 10_000, maxNetworkRetries: 1 };
/** Everything else is asked again later. */
const TIMEOUT_MS = 5000;
const EVENTS_A_PAGE = 100;

/** Card payments by Stripe's hosted Checkout (decisions §3), through the `stripe` SDK. */
export function stripePayments({ secretKey, webhookSecret, installation, apiBase, now }: StripeOptions): Payments {
  let client: Stripe | undefined;
  const stripe = () => (client ??= connect(secretKey, apiBase?.()));
  return {
    eventTypes: SESSION_EVENTS,
    open: (request) =>
      asFailure(async () => {
        const options = { ...OPENING, idempotencyKey: `checkout-${request.checkoutId}` };
        const session = checkedSession(
          await stripe().checkout.sessions.create(sessionRequest(request, installation), options),
        );
        if (!session.url) throw new UnusableResponse();
        return { sessionId: session.id, url: session.url };
      }),
    read: (sessionId) => asFailure(() => readSession(stripe(), sessionId, installation)),
    close: (sessionId) => asFailure(() => closeSession(stripe(), sessionId)),
    cancelSubscription: (subscriptionId) => asFailure(() => cancelSubscription(stripe(), subscriptionId)),
    eventOf: (rawBody, headers) => verifiedEvent(rawBody, headers['stripe-signature'], webhookSecret, now()),
    subjectOf: (payload) => subjectOf(payload as Stripe.Event),
    listEvents: (since, onPage) => asFailure(() => listEvents(stripe(), since, onPage)),
  };
}

function connect(secretKey: string, apiBase: string | undefined): Stripe {
  const config = { timeout: TIMEOUT_MS, maxNetworkRetries: 0, telemetry: false };
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

async function readSession(stripe: Stripe, id: string, installation: string): Promise<PaymentFacts | 'unknown'> {
  return unlessMissing(async () => {
    const session = checkedSession(await stripe.checkout.sessions.retrieve(id, { expand: EXPANDED }));
    if (session.id !== id) throw new UnusableResponse();
    const invoice = idOf(session.invoice);
    const isPaid = session.payment_status === 'paid' && invoice !== undefined;
    return factsOf(session, installation, isPaid ? await chargeOfInvoice(stripe, invoice) : undefined);
  });
}

async function unlessMissing<T>(ask: () => Promise<T>): Promise<T | 'unknown'> {
  try {
    return await ask();
  } catch (error) {
    if (isMissing(error)) return 'unknown';
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeError && error.code === 'resource_missing';
}

async function listEvents(
  stripe: Stripe,
  since: Date,
  onPage: (events: readonly ProviderEvent[]) => Promise<void>,
): Promise<'listed'> {
  const created = { gte: Math.floor(since.getTime() / 1000) };
  for (let after: string | undefined; ; ) {
    const page = await stripe.events.list({
      created,
      types: [...SESSION_EVENTS],
      limit: EVENTS_A_PAGE,
      ...(after === undefined ? {} : { starting_after: after }),
    });
    if (!Array.isArray(page?.data)) throw new UnusableResponse();
    await onPage(page.data.map((event) => providerEvent(event)));
    after = page.data.at(-1)?.id;
    if (!page.has_more || after === undefined) return 'listed';
  }
}

/** Stripe refuses to cancel these again. */
const ENDED: readonly string[] = ['canceled', 'incomplete_expired'];

export async function cancelSubscription(stripe: Stripe, id: string): Promise<'ended'> {
  try {
    const before = await stripe.subscriptions.retrieve(id);
    const after = ENDED.includes(before?.status) ? before : await stripe.subscriptions.cancel(id);
    if (after?.object !== 'subscription' || !ENDED.includes(after.status)) throw new UnusableResponse();
  } catch (error) {
    // An unknown subscription is not charged.
    if (!isMissing(error)) throw error;
  }
  return 'ended';
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

/** In the past, against replays, and in the future, because clocks differ. */
const TOLERANCE_SECONDS = 300;

export const SESSION_EVENTS = [
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
  'checkout.session.async_payment_failed',
  'checkout.session.expired',
] as const;

/** The event in a webhook's body. @returns Failure webhook-signature */
export function verifiedEvent(
  rawBody: Buffer,
  signature: string | string[] | undefined,
  secret: string,
  now: Date,
): ProviderEvent | Failure {
  // The SDK only refuses old signatures.
  if (typeof signature !== 'string' || isFromTheFuture(signature, now)) return new Failure('webhook-signature');
  try {
    const event = Stripe.webhooks.constructEvent(
      rawBody,
      signature,
      secret,
      TOLERANCE_SECONDS,
      undefined,
      now.getTime(),
    );
    return providerEvent(event, rawBody.toString('utf8'));
  } catch {
    // A body that cannot be parsed gets the same answer.
    return new Failure('webhook-signature');
  }
}

/** @throws when the signed content is not an event */
export function providerEvent(event: Stripe.Event, payload = JSON.stringify(event)): ProviderEvent {
  const { id, type, created, account, livemode } = event;
  if (typeof id !== 'string' || typeof type !== 'string' || !Number.isFinite(created)) throw new Error('not an event');
  const occurredAt = new Date(created * 1000);
  return { id, type, occurredAt, account, livemode: livemode === true, subject: subjectOf(event), payload };
}

function subjectOf({ type, data }: Stripe.Event): Subject | undefined {
  const object: unknown = data?.object;
  if (!SESSION_EVENTS.some((handled) => handled === type) || typeof object !== 'object' || object === null)
    return undefined;
  return 'id' in object && typeof object.id === 'string' ? { kind: 'session', id: object.id } : undefined;
}

function isFromTheFuture(signature: string, now: Date): boolean {
  const times = [...signature.matchAll(/(?:^|,)t=(\d+)/g)].map(([, seconds]) => Number(seconds));
  return times.some((seconds) => seconds - now.getTime() / 1000 > TOLERANCE_SECONDS);
}

/** For example the error page of a proxy. */
export class UnusableResponse extends Error {}

/** The SDK treats an error status as success if the JSON has no `error`. */
export function checkedSession(session: Stripe.Checkout.Session): Stripe.Checkout.Session {
  if (session?.object !== 'checkout.session' || typeof session.id !== 'string') throw new UnusableResponse();
  return session;
}

/**
 * @returns Failure payment-unavailable on temporary errors, and when Stripe refuses our key, which the operator can mend
 * @throws when Stripe refuses the request, without Stripe's message, which may repeat our data
 */
export async function asFailure<T>(ask: () => Promise<T>): Promise<T | Failure> {
  try {
    return await ask();
  } catch (error) {
    if (isTemporary(error)) return new Failure('payment-unavailable');
    if (isKeyRefused(error)) return new Failure('payment-unavailable', { reason: 'Stripe refused STRIPE_SECRET_KEY' });
    if (error instanceof Stripe.errors.StripeError) throw new Error(refusalOf(error));
    throw error;
  }
}

function isTemporary(error: unknown): boolean {
  const { StripeConnectionError, StripeAPIError, StripeRateLimitError } = Stripe.errors;
  return (
    error instanceof UnusableResponse ||
    error instanceof StripeConnectionError ||
    error instanceof StripeAPIError ||
    error instanceof StripeRateLimitError
  );
}

function isKeyRefused(error: unknown): boolean {
  const { StripeAuthenticationError, StripePermissionError } = Stripe.errors;
  return error instanceof StripeAuthenticationError || error instanceof StripePermissionError;
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
