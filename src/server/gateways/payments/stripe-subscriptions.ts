import Stripe from 'stripe';
import { DEFAULT_LANGUAGE } from '#contract/languages.ts';
import type { GiftInterval } from '#domain/cart.ts';
import type { RecurringGiftStatus } from '#domain/recurring-gift.ts';
import { parseSubscriptionMetadata, toSubscriptionMetadata } from './covered-fee-metadata.ts';
import { getOrigin } from './origin.ts';
import type { SubscriptionFacts } from './payment-facts.ts';
import type { Payments, SubscriptionChange } from './payments.ts';
import { isMissing, UnusableResponseError, unknownIfMissing } from './stripe-errors.ts';

type Subscription = Stripe.Subscription;

export async function readSubscription(stripe: Stripe, id: string, installation: string): Promise<SubscriptionFacts> {
  const subscription = checkSubscription(await stripe.subscriptions.retrieve(id, { expand: ['latest_invoice'] }));
  if (subscription.id !== id) throw new UnusableResponseError();
  const { latest_invoice: invoice } = subscription;
  return toSubscriptionFacts(subscription, typeof invoice === 'object' ? invoice : null, installation);
}

/** @param invoice the latest invoice, which has the time of the next attempt to charge the card */
export function toSubscriptionFacts(
  subscription: Subscription,
  invoice: Pick<Stripe.Invoice, 'next_payment_attempt'> | null,
  installation: string,
): SubscriptionFacts {
  const { metadata, items, cancellation_details: details } = subscription;
  const recurring = items.data[0]?.price.recurring;
  const status = toGiftStatus(subscription);
  const amount = items.data.reduce((sum, { price, quantity }) => sum + (price.unit_amount ?? 0) * (quantity ?? 1), 0);
  return {
    subscriptionId: subscription.id,
    giftKey: metadata.giftKey,
    origin: getOrigin(metadata.installation, installation),
    livemode: subscription.livemode,
    orgId: metadata.orgId,
    checkoutId: metadata.checkoutId,
    status,
    amount,
    coveredFee: parseSubscriptionMetadata(metadata, amount),
    interval: { unit: recurring?.interval === 'year' ? 'year' : 'month', count: recurring?.interval_count ?? 1 },
    nextChargeAt: toDate(
      status === 'past_due'
        ? invoice?.next_payment_attempt
        : status === 'active'
          ? items.data[0]?.current_period_end
          : undefined,
    ),
    endedAt: ENDED_STATUSES.includes(subscription.status)
      ? toDate(subscription.ended_at ?? subscription.canceled_at)
      : undefined,
    hasEndedUnpaid: details?.reason === 'payment_failed',
  };
}

function toGiftStatus({ status, cancel_at_period_end, pause_collection }: Subscription): RecurringGiftStatus {
  if (ENDED_STATUSES.includes(status)) return 'canceled';
  if (status === 'past_due' || status === 'unpaid') return 'past_due';
  if (status === 'incomplete') return 'unknown';
  // The subscription runs until the end of the paid period and isn't charged again.
  if (cancel_at_period_end) return 'canceled';
  return pause_collection || status === 'paused' ? 'paused' : 'active';
}

function toDate(seconds: number | null | undefined): Date | undefined {
  return seconds == null ? undefined : new Date(seconds * 1000);
}

/** Checks the response, because the SDK treats an error status as success if the JSON has no `error`. */
function checkSubscription(subscription: Subscription): Subscription {
  if (subscription?.object !== 'subscription') throw new UnusableResponseError();
  return subscription;
}

/** Final statuses, in which Stripe rejects a cancellation. */
const ENDED_STATUSES: readonly string[] = ['canceled', 'incomplete_expired'];

export async function cancelSubscription(stripe: Stripe, id: string): Promise<'ended'> {
  try {
    const subscription = await stripe.subscriptions.retrieve(id);
    const endedSubscription = ENDED_STATUSES.includes(subscription?.status)
      ? subscription
      : await stripe.subscriptions.cancel(id);
    if (!ENDED_STATUSES.includes(checkSubscription(endedSubscription).status)) throw new UnusableResponseError();
  } catch (error) {
    // A subscription that Stripe doesn't have isn't charged.
    if (!isMissing(error)) throw error;
  }
  return 'ended';
}

/** @returns ended if it can no longer be changed */
export async function changeSubscription(
  stripe: Stripe,
  id: string,
  change: SubscriptionChange,
  installation: string,
): Promise<SubscriptionFacts | 'ended'> {
  const subscription = await findRunningSubscription(stripe, id);
  if (subscription === 'ended') return 'ended';
  const update: Stripe.SubscriptionUpdateParams =
    'paused' in change
      ? { pause_collection: change.paused ? { behavior: 'void' } : '' }
      : buildItemUpdate(subscription, change);
  const updatedSubscription = await updateSubscription(stripe, id, { ...update, expand: ['latest_invoice'] });
  if (updatedSubscription === 'ended') return 'ended';
  const { latest_invoice: invoice } = updatedSubscription;
  return toSubscriptionFacts(updatedSubscription, typeof invoice === 'object' ? invoice : null, installation);
}

async function updateSubscription(
  stripe: Stripe,
  id: string,
  update: Stripe.SubscriptionUpdateParams,
): Promise<Subscription | 'ended'> {
  try {
    return checkSubscription(await stripe.subscriptions.update(id, update));
  } catch (error) {
    // The subscription may have just ended.
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
    if ((await findRunningSubscription(stripe, id)) === 'ended') return 'ended';
    // The items may also have changed since they were read.
    throw isMissing(error) ? new UnusableResponseError() : error;
  }
}

/** Builds the update of the items. A new amount becomes a single item, named after the gift and not the card fee. */
function buildItemUpdate(
  { items: { data }, currency, metadata }: Subscription,
  { terms, interval }: Extract<SubscriptionChange, { interval: GiftInterval }>,
): Stripe.SubscriptionUpdateParams {
  const recurring = { interval: interval.unit, interval_count: interval.count };
  const fee = metadata.coveredFee?.split('/')[0];
  const mainItem = data.find(({ price }) => String(price.unit_amount) !== fee) ?? data[0];
  if (!mainItem) throw new UnusableResponseError();
  const updateItem = (item: Stripe.SubscriptionItem, cents: number) => ({
    id: item.id,
    quantity: 1,
    price_data: { currency, product: getProductId(item), unit_amount: cents, recurring },
  });
  const items =
    terms === undefined
      ? data.map((item) => updateItem(item, (item.price.unit_amount ?? 0) * (item.quantity ?? 1)))
      : [
          updateItem(mainItem, terms.amount),
          ...data.filter((item) => item !== mainItem).map(({ id }) => ({ id, deleted: true })),
        ];
  const { interval: unit, interval_count: count } = mainItem.price.recurring ?? {};
  const isSameInterval = unit === interval.unit && count === interval.count;
  return {
    items,
    ...(terms ? { metadata: toSubscriptionMetadata(terms.amount, terms.coveredFee) } : {}),
    proration_behavior: 'none',
    // Stripe charges a new interval immediately, unless a trial lasts until the next charge.
    ...(isSameInterval ? {} : { trial_end: mainItem.current_period_end }),
  };
}

function getProductId({ price }: Stripe.SubscriptionItem): string {
  return typeof price.product === 'string' ? price.product : price.product.id;
}

export async function openCardPage(
  stripe: Stripe,
  id: string,
  { returnUrl, language }: Parameters<Payments['openCardPage']>[1],
): Promise<{ url: string } | 'ended'> {
  const subscription = await findRunningSubscription(stripe, id);
  if (subscription === 'ended') return 'ended';
  const { customer } = subscription;
  const { url } = await stripe.billingPortal.sessions.create({
    customer: typeof customer === 'string' ? customer : customer.id,
    return_url: returnUrl,
    ...(language === DEFAULT_LANGUAGE ? {} : { locale: language }),
    flow_data: {
      type: 'payment_method_update',
      after_completion: { type: 'redirect', redirect: { return_url: returnUrl } },
    },
  });
  if (!url) throw new UnusableResponseError();
  return { url };
}

async function findRunningSubscription(stripe: Stripe, id: string): Promise<Subscription | 'ended'> {
  const subscription = await unknownIfMissing(() => stripe.subscriptions.retrieve(id));
  if (subscription === 'unknown') return 'ended';
  return ENDED_STATUSES.includes(checkSubscription(subscription).status) ? 'ended' : subscription;
}
