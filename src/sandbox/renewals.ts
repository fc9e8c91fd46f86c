// Renews, resumes, or ends a subscription when its period ends.
import Stripe from 'stripe';
import { closeInvoice, collectInvoice, openInvoice } from './invoices.ts';
import { getId, type Provider } from './provider.ts';
import { type InvoiceLine, newInvoice, toDraft } from './resources/invoice.ts';
import { periodEnd } from './resources/subscription.ts';
import { endSubscription } from './subscriptions.ts';

type Subscription = Stripe.Subscription;

/** Performs the subscription's next due change: its end, the end of its pause, or its next period. */
export function advanceSubscription(provider: Provider, subscription: Subscription): void {
  const now = provider.now();
  const resumesAt = subscription.pause_collection?.resumes_at ?? null;
  if (subscription.cancel_at !== null && subscription.cancel_at <= now)
    endSubscription(provider, subscription, 'cancellation_requested');
  else if (resumesAt !== null && resumesAt <= now) resumeSubscription(provider, subscription);
  else renewSubscription(provider, subscription);
}

function resumeSubscription(provider: Provider, previous: Subscription): void {
  const updatedSubscription: Subscription = { ...previous, pause_collection: null };
  provider.store.subscriptions.save(updatedSubscription);
  provider.emit('customer.subscription.updated', updatedSubscription, previous);
}

/** Charges exactly one period. The next period starts where the last one ended, even if the renewal is late. */
function renewSubscription(provider: Provider, previous: Subscription): void {
  const [item] = previous.items.data;
  if (!item) return;
  const period = { start: item.current_period_start, end: item.current_period_end };
  const status = previous.status === 'trialing' ? 'active' : previous.status;
  const renewedSubscription = setPeriod({ ...previous, status }, period.end);
  billPeriod(provider, renewedSubscription, { reason: 'subscription_cycle', period, previous });
}

/** Starts a new cycle now, as Stripe does when the interval changes. */
export function startNewCycle(provider: Provider, subscription: Subscription, previous: Subscription): void {
  const now = provider.now();
  const restartedSubscription = setPeriod({ ...subscription, billing_cycle_anchor: now }, now);
  billPeriod(provider, restartedSubscription, {
    reason: 'subscription_update',
    period: { start: now, end: now },
    previous,
  });
}

type Billing = {
  readonly reason: 'subscription_cycle' | 'subscription_update';
  readonly period: { readonly start: number; readonly end: number };
  /** The subscription before the change, for the event's `previous_attributes`. */
  readonly previous: Subscription;
};

function billPeriod(provider: Provider, subscription: Subscription, { reason, period, previous }: Billing): void {
  const { store } = provider;
  const customer = store.customers.find(getId(subscription.customer));
  if (!customer) throw new Error(`The sandbox has no customer for the subscription ${subscription.id}`);
  const lines = subscription.items.data.map((item) => toInvoiceLine(provider, item));
  const invoice = newInvoice({ subscription, customer, lines, reason, period }, provider.now());
  store.subscriptions.save({ ...subscription, latest_invoice: invoice.id });
  if (subscription.pause_collection?.behavior === 'keep_as_draft') {
    const draft = { ...toDraft(invoice), auto_advance: false };
    store.invoices.save(draft);
    provider.emit('invoice.created', draft);
  } else {
    openInvoice(provider, invoice);
    if (subscription.pause_collection) closePausedInvoice(provider, invoice, subscription.pause_collection.behavior);
    else collectInvoice(provider, invoice);
  }
  const updatedSubscription = store.subscriptions.find(subscription.id);
  if (updatedSubscription && updatedSubscription.status === subscription.status)
    provider.emit('customer.subscription.updated', updatedSubscription, previous);
}

function closePausedInvoice(provider: Provider, invoice: Stripe.Invoice, behavior: string): void {
  closeInvoice(provider, invoice, behavior === 'void' ? 'void' : 'uncollectible');
}

function setPeriod(subscription: Subscription, start: number): Subscription {
  const anchor = subscription.billing_cycle_anchor;
  const data = subscription.items.data.map((item) => {
    const { interval, interval_count } = item.price.recurring ?? { interval: 'month', interval_count: 1 };
    const end = periodEnd(anchor, { interval, interval_count }, start);
    return { ...item, current_period_start: start, current_period_end: end };
  });
  return { ...subscription, items: { ...subscription.items, data } };
}

function toInvoiceLine({ store }: Provider, item: Stripe.SubscriptionItem): InvoiceLine {
  const { price, quantity = 1 } = item;
  const product = store.products.find(getId(price.product));
  return { amount: itemAmount(item), description: product?.name ?? null, price, quantity, item };
}

/** Cents per period. */
export function itemAmount({ price, quantity = 1 }: Stripe.SubscriptionItem): number {
  const unit = Stripe.Decimal.from(String(price.unit_amount_decimal ?? price.unit_amount ?? 0));
  const amount = unit.mul(Stripe.Decimal.from(quantity));
  return amount.round('half-up', { mode: 'decimal-places', value: 0 }).toNumber();
}
