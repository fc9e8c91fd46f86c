import type Stripe from 'stripe';
import type { GiftStatus } from '#domain/recurring-gift.ts';
import type { SubscriptionFacts } from './payments.ts';
import { originOf } from './stripe-charges.ts';
import { isMissing, UnusableResponse } from './stripe-errors.ts';

type Subscription = Stripe.Subscription;

export async function readSubscription(stripe: Stripe, id: string, installation: string): Promise<SubscriptionFacts> {
  const subscription = checked(await stripe.subscriptions.retrieve(id, { expand: ['latest_invoice'] }));
  if (subscription.id !== id) throw new UnusableResponse();
  const { latest_invoice: invoice } = subscription;
  return subscriptionFacts(subscription, typeof invoice === 'object' ? invoice : null, installation);
}

/** @param invoice its latest one, which says when a card is tried again */
export function subscriptionFacts(
  subscription: Subscription,
  invoice: Pick<Stripe.Invoice, 'next_payment_attempt'> | null,
  installation: string,
): SubscriptionFacts {
  const { metadata, items, cancellation_details: details } = subscription;
  const recurring = items.data[0]?.price.recurring;
  const status = statusOf(subscription);
  return {
    subscriptionId: subscription.id,
    origin: originOf(metadata.installation, installation),
    livemode: subscription.livemode,
    orgId: metadata.orgId,
    checkoutId: metadata.checkoutId,
    status,
    amount: items.data.reduce((sum, { price, quantity }) => sum + (price.unit_amount ?? 0) * (quantity ?? 1), 0),
    interval: { unit: recurring?.interval === 'year' ? 'year' : 'month', count: recurring?.interval_count ?? 1 },
    nextChargeAt: timeOf(
      status === 'past_due'
        ? invoice?.next_payment_attempt
        : status === 'active'
          ? items.data[0]?.current_period_end
          : undefined,
    ),
    endedAt: ENDED.includes(subscription.status)
      ? timeOf(subscription.ended_at ?? subscription.canceled_at)
      : undefined,
    endedUnpaid: details?.reason === 'payment_failed',
  };
}

function statusOf({ status, cancel_at_period_end, pause_collection }: Subscription): GiftStatus {
  if (ENDED.includes(status)) return 'canceled';
  if (status === 'past_due' || status === 'unpaid') return 'past_due';
  if (status === 'incomplete') return 'unknown';
  // It has been paid up to its end, and is not charged again.
  if (cancel_at_period_end) return 'canceled';
  return pause_collection || status === 'paused' ? 'paused' : 'active';
}

function timeOf(seconds: number | null | undefined): Date | undefined {
  return seconds == null ? undefined : new Date(seconds * 1000);
}

/** The SDK treats an error status as success if the JSON has no `error`. */
function checked(subscription: Subscription): Subscription {
  if (subscription?.object !== 'subscription') throw new UnusableResponse();
  return subscription;
}

/** Stripe refuses to cancel these again. */
const ENDED: readonly string[] = ['canceled', 'incomplete_expired'];

export async function cancelSubscription(stripe: Stripe, id: string): Promise<'ended'> {
  try {
    const before = await stripe.subscriptions.retrieve(id);
    const after = ENDED.includes(before?.status) ? before : await stripe.subscriptions.cancel(id);
    if (!ENDED.includes(checked(after).status)) throw new UnusableResponse();
  } catch (error) {
    // An unknown subscription is not charged.
    if (!isMissing(error)) throw error;
  }
  return 'ended';
}
