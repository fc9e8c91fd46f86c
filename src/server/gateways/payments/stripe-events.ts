import Stripe from 'stripe';
import { z } from 'zod';
import { Failure } from '#domain/failures.ts';
import type { ProviderEvent, Subject, SubjectKind, UnverifiedMoney } from './payments.ts';
import { forEachPage } from './stripe-pages.ts';

/** Maximum age of a signature, to limit replays, and maximum time in the future, because clocks differ. */
const TOLERANCE_SECONDS = 300;
/** Turns off the SDK's own age check. */
const ANY_AGE = 0;

/** Kind of object that each type of event reports. Money is read from that object, never from the event. */
const OBJECT_KINDS: Readonly<Record<string, SubjectKind>> = {
  'checkout.session.completed': 'session',
  'checkout.session.async_payment_succeeded': 'session',
  'checkout.session.async_payment_failed': 'session',
  'checkout.session.expired': 'session',
  'charge.failed': 'decline',
  'charge.updated': 'charge',
  'charge.refunded': 'charge',
  'refund.created': 'charge',
  'refund.updated': 'charge',
  'refund.failed': 'charge',
  'charge.dispute.created': 'dispute',
  'charge.dispute.updated': 'dispute',
  'charge.dispute.funds_withdrawn': 'dispute',
  'charge.dispute.funds_reinstated': 'dispute',
  'charge.dispute.closed': 'dispute',
  'radar.early_fraud_warning.created': 'fraud-warning',
  'radar.early_fraud_warning.updated': 'fraud-warning',
  'invoice.paid': 'invoice',
  'invoice.payment_failed': 'invoice',
  'customer.subscription.created': 'subscription',
  'customer.subscription.updated': 'subscription',
  'customer.subscription.deleted': 'subscription',
  'payout.paid': 'payout',
  'payout.failed': 'payout',
  'payout.canceled': 'payout',
  'payout.reconciliation_completed': 'payout',
};

export const EVENT_TYPES: readonly string[] = Object.keys(OBJECT_KINDS);

/** Stripe rejects a request that lists more event types. */
const MAX_LISTED_TYPES = 20;

/** The handled types, in groups that one request can list. */
const TYPE_GROUPS = Array.from({ length: Math.ceil(EVENT_TYPES.length / MAX_LISTED_TYPES) }, (_, index) =>
  EVENT_TYPES.slice(index * MAX_LISTED_TYPES, (index + 1) * MAX_LISTED_TYPES),
);

/** Verifies and parses the body of a webhook. @returns Failure webhook-signature, webhook-time */
export function verifyEvent(
  rawBody: Buffer,
  signature: string | string[] | undefined,
  secret: string,
  now: Date,
): ProviderEvent | Failure {
  if (typeof signature !== 'string') return new Failure('webhook-signature');
  try {
    // The SDK rejects only old signatures, and doesn't distinguish them from wrong ones.
    const event = Stripe.webhooks.constructEvent(rawBody, signature, secret, ANY_AGE);
    if (!isWithinTolerance(signature, now)) return new Failure('webhook-time');
    return toProviderEvent(event, rawBody.toString('utf8'));
  } catch {
    // An unparsable body gets the same response.
    return new Failure('webhook-signature');
  }
}

/** @throws if the signed content is not an event */
export function toProviderEvent(event: Stripe.Event, payload = JSON.stringify(event)): ProviderEvent {
  const { id, type, created, account, livemode } = event;
  if (typeof id !== 'string' || typeof type !== 'string' || !Number.isFinite(created)) throw new Error('not an event');
  const occurredAt = new Date(created * 1000);
  return { id, type, occurredAt, account, livemode: livemode === true, subject: findSubject(event), payload };
}

export function findSubject({ type, data }: Stripe.Event): Subject | undefined {
  const kind = OBJECT_KINDS[type];
  const object: unknown = data?.object;
  if (kind === undefined || typeof object !== 'object' || object === null) return undefined;
  // A refund has the id of its charge.
  const id: unknown = kind === 'charge' && 'charge' in object ? object.charge : Reflect.get(object, 'id');
  return typeof id === 'string' ? { kind, id } : undefined;
}

const unverifiedMoneySchema = z.looseObject({
  currency: z.string(),
  amount: z.number().optional(),
  amount_total: z.number().nullish(),
  amount_due: z.number().optional(),
  metadata: z.record(z.string(), z.string()).nullish(),
});

/** Parses the amount and ids of the object inside an event. */
export function parseUnverifiedMoney({ data }: Stripe.Event): UnverifiedMoney | undefined {
  const { success, data: money } = unverifiedMoneySchema.safeParse(data?.object);
  if (!success) return undefined;
  const { orgId, checkoutId } = money.metadata ?? {};
  const amount = money.amount ?? money.amount_total ?? money.amount_due ?? 0;
  return { amount, currency: money.currency, orgId, checkoutId };
}

export function getSession({ data }: Stripe.Event): Stripe.Checkout.Session | undefined {
  return data.object.object === 'checkout.session' ? data.object : undefined;
}

function isWithinTolerance(signature: string, now: Date): boolean {
  const times = [...signature.matchAll(/(?:^|,)t=(\d+)/g)].map(([, seconds]) => Number(seconds));
  return times.every((seconds) => Math.abs(seconds - now.getTime() / 1000) <= TOLERANCE_SECONDS);
}

export async function listEvents(
  stripe: Stripe,
  since: Date,
  onPage: (events: readonly ProviderEvent[]) => Promise<void>,
): Promise<'complete'> {
  const created = { gte: Math.floor(since.getTime() / 1000) };
  for (const types of TYPE_GROUPS)
    await forEachPage(
      (paging) => stripe.events.list({ ...paging, created, types }),
      (events) => onPage(events.map((event) => toProviderEvent(event))),
    );
  return 'complete';
}

/** Reads the first page of events of each group of handled types. */
export function firstEventPages(
  stripe: Stripe,
  query: Stripe.EventListParams,
): Promise<Stripe.ApiList<Stripe.Event>[]> {
  return Promise.all(TYPE_GROUPS.map((types) => stripe.events.list({ ...query, types })));
}
