import type Stripe from 'stripe';
import { markInvoicePaid, openInvoice, openInvoicesOf } from './invoices.ts';
import { noSuch, refuseUnsupported } from './parameters.ts';
import type { Provider } from './provider.ts';
import { newInvoice, newInvoicePayment } from './resources/invoice.ts';
import { paymentMethodOf, type SavedMethod } from './resources/payment-method.ts';
import { newSubscription } from './resources/subscription.ts';
import type { SessionRecord } from './store.ts';

type Subscription = Stripe.Subscription;

export type Subscribed = {
  readonly session: Stripe.Checkout.Session;
  readonly record: SessionRecord;
  readonly customer: Stripe.Customer;
  readonly intent: Stripe.PaymentIntent;
  readonly method: SavedMethod;
};

/** Creates a session's subscription and first invoice, which the intent pays now or later. @returns the session with both ids */
export function subscribe(
  provider: Provider,
  { session, record, customer, intent, method }: Subscribed,
): Stripe.Checkout.Session {
  const { store } = provider;
  const now = provider.now();
  const created = newSubscription(customer.id, record.lines, record.request.subscription_data, method.id, now);
  const lines = record.lines.map((line) => ({
    amount: line.amount_total,
    description: line.description,
    price: line.price,
    quantity: line.quantity ?? 1,
    item: created.items.data.find(({ price }) => price.id === line.price?.id),
  }));
  const period = { start: now, end: now };
  const invoice = newInvoice({ subscription: created, customer, lines, reason: 'subscription_create', period }, now);
  const subscription = { ...created, latest_invoice: invoice.id };
  const isNew = !store.customers.find(customer.id);
  store.customers.save(customer);
  store.subscriptions.save(subscription);
  store.invoicePayments.save(newInvoicePayment(invoice, intent, now));
  if (isNew) provider.emit('customer.created', customer);
  provider.emit('payment_method.attached', paymentMethodOf(method));
  provider.emit('customer.subscription.created', subscription);
  openInvoice(provider, invoice);
  if (intent.status === 'succeeded') markInvoicePaid(provider, invoice);
  return { ...session, invoice: invoice.id, subscription: subscription.id };
}

/** @throws StripeApiError 404 */
export function retrieveSubscription({ store }: Provider, id: string): Subscription {
  const subscription = store.subscriptions.find(id);
  if (!subscription) throw noSuch('subscription', id);
  return subscription;
}

/** Ends it immediately. @throws StripeApiError 404, also for one that has already ended, like Stripe */
export function cancelSubscription(
  provider: Provider,
  id: string,
  request: Stripe.SubscriptionCancelParams = {},
): Subscription {
  const before = retrieveSubscription(provider, id);
  if (before.status === 'canceled') throw noSuch('subscription', id);
  refuseUnsupported(request, ['cancellation_details', 'expand', 'invoice_now', 'prorate']);
  const { comment, feedback } = request.cancellation_details ?? {};
  const details = { ...before.cancellation_details, comment: comment || null, feedback: feedback || null };
  const commented = { ...before, cancellation_details: { feedback_option: null, reason: null, ...details } };
  return endSubscription(provider, commented, 'cancellation_requested');
}

/** Open invoices stay open, but are not tried again. */
export function endSubscription(
  provider: Provider,
  before: Subscription,
  reason: 'cancellation_requested' | 'payment_failed',
): Subscription {
  const { store } = provider;
  const now = provider.now();
  const details = { comment: null, feedback: null, feedback_option: null, ...before.cancellation_details, reason };
  const canceled: Subscription = {
    ...before,
    status: 'canceled',
    canceled_at: before.cancel_at === null ? now : (before.canceled_at ?? now),
    ended_at: now,
    cancellation_details: details,
  };
  for (const invoice of openInvoicesOf(provider, before.id))
    store.invoices.save({ ...invoice, auto_advance: false, next_payment_attempt: null });
  store.subscriptions.save(canceled);
  provider.emit('customer.subscription.deleted', canceled);
  return canceled;
}
