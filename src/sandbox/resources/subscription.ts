import type Stripe from 'stripe';
import { presentMetadata } from '../parameters.ts';
import { createStripeId } from '../provider.ts';

type SubscriptionData = Stripe.Checkout.SessionCreateParams['subscription_data'];

/** Creates an active subscription to the recurring lines. Its first period starts now. @param now in seconds */
export function newSubscription(
  customer: string,
  lines: readonly Stripe.LineItem[],
  data: SubscriptionData,
  method: string,
  now: number,
): Stripe.Subscription {
  const id = createStripeId('sub');
  const items = lines.flatMap(({ price, quantity }) =>
    price?.recurring ? [newItem(price, quantity ?? 1, id, now)] : [],
  );
  return {
    ...UNUSED_FIELDS,
    id,
    object: 'subscription',
    billing_cycle_anchor: now,
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: null,
    cancellation_details: { comment: null, feedback: null, feedback_option: null, reason: null },
    created: now,
    currency: lines[0]?.currency ?? 'usd',
    customer,
    default_payment_method: method,
    description: data?.description ?? null,
    ended_at: null,
    items: { object: 'list', data: items, has_more: false, url: `/v1/subscription_items?subscription=${id}` },
    latest_invoice: null,
    metadata: presentMetadata(data?.metadata),
    pause_collection: null,
    start_date: now,
    status: 'active',
    trial_end: null,
    trial_start: null,
  };
}

/** Fields that the sandbox never sets. */
const UNUSED_FIELDS = {
  application: null,
  application_fee_percent: null,
  automatic_tax: { disabled_reason: null, enabled: false, liability: null },
  billing_cycle_anchor_config: null,
  billing_mode: { flexible: { proration_discounts: 'included' }, type: 'flexible' },
  billing_schedules: [],
  billing_thresholds: null,
  collection_method: 'charge_automatically',
  customer_account: null,
  days_until_due: null,
  default_source: null,
  default_tax_rates: [],
  discounts: [],
  invoice_settings: {
    account_tax_ids: null,
    custom_fields: null,
    description: null,
    footer: null,
    issuer: { type: 'self' },
  },
  livemode: false,
  managed_payments: null,
  next_pending_invoice_item_invoice: null,
  on_behalf_of: null,
  payment_settings: { payment_method_options: null, payment_method_types: null, save_default_payment_method: 'off' },
  pending_invoice_item_interval: null,
  pending_setup_intent: null,
  pending_update: null,
  schedule: null,
  test_clock: null,
  transfer_data: null,
  trial_settings: null,
} satisfies Partial<Stripe.Subscription>;

/** @throws Error if the price is not recurring */
export function newItem(
  price: Stripe.Price,
  quantity: number,
  subscription: string,
  now: number,
): Stripe.SubscriptionItem {
  if (!price.recurring) throw new Error('A subscription has only recurring items');
  return {
    id: createStripeId('si'),
    object: 'subscription_item',
    billing_thresholds: null,
    created: now,
    current_period_end: addInterval(now, price.recurring),
    current_period_start: now,
    current_trial: null,
    discounts: [],
    metadata: {},
    plan: toPlan(price, price.recurring),
    price,
    quantity,
    subscription,
    tax_rates: [],
  };
}

export function toPlan(price: Stripe.Price, recurring: Stripe.Price.Recurring): Stripe.Plan {
  return {
    id: price.id,
    object: 'plan',
    active: price.active,
    amount: price.unit_amount,
    amount_decimal: price.unit_amount_decimal,
    billing_scheme: 'per_unit',
    created: price.created,
    currency: price.currency,
    interval: recurring.interval,
    interval_count: recurring.interval_count,
    livemode: false,
    metadata: {},
    meter: null,
    nickname: null,
    product: price.product,
    tiers_mode: null,
    transform_usage: null,
    trial_period_days: null,
    usage_type: 'licensed',
  };
}

type Interval = { readonly interval: string; readonly interval_count: number };

/**
 * Computes the end of a period. An anchor on the 31st falls on the last day of shorter months.
 * @param start in seconds, a whole number of periods after the anchor
 */
export function periodEnd(anchor: number, { interval, interval_count: count }: Interval, start: number): number {
  if (interval === 'day' || interval === 'week') return addInterval(start, { interval, interval_count: count });
  const months = monthNumber(start) - monthNumber(anchor) + count * (interval === 'year' ? 12 : 1);
  return addInterval(anchor, { interval: 'month', interval_count: months });
}

function monthNumber(time: number): number {
  const date = new Date(time * 1000);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

/** Adds an interval to a time. One month after January 31 is the last day of February. @param start in seconds */
export function addInterval(start: number, { interval, interval_count: count }: Interval): number {
  const date = new Date(start * 1000);
  if (interval === 'day' || interval === 'week') {
    date.setUTCDate(date.getUTCDate() + count * (interval === 'week' ? 7 : 1));
    return date.getTime() / 1000;
  }
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + count * (interval === 'year' ? 12 : 1));
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, lastDay));
  return date.getTime() / 1000;
}
