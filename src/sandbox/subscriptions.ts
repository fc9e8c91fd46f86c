import type Stripe from 'stripe';
import { checkMetadata, invalidRequest, metadataOf, noSuch, refuseUnsupported } from './parameters.ts';
import type { Provider } from './provider.ts';
import { newInvoice, newInvoicePayment } from './resources/invoice.ts';
import { newSubscription } from './resources/subscription.ts';
import { equals, type SessionRecord } from './store.ts';

type Subscription = Stripe.Subscription;

const UPDATABLE = ['cancel_at_period_end', 'cancellation_details', 'description', 'expand', 'metadata'];

/** Creates a session's subscription and first invoice, which the intent pays now or later. @returns the session with both ids */
export function subscribe(
  provider: Provider,
  session: Stripe.Checkout.Session,
  record: SessionRecord,
  customer: Stripe.Customer,
  intent: Stripe.PaymentIntent,
): Stripe.Checkout.Session {
  const { store } = provider;
  const now = provider.now();
  const created = newSubscription(customer.id, record.lines, record.request.subscription_data, now);
  const invoice = newInvoice({ session, subscription: created, customer, lines: record.lines }, now);
  const subscription = { ...created, latest_invoice: invoice.id };
  const isNew = !store.customers.find(customer.id);
  store.customers.save(customer);
  store.subscriptions.save(subscription);
  store.invoices.save(invoice);
  store.invoicePayments.save(newInvoicePayment(invoice, intent, now));
  if (isNew) provider.emit('customer.created', customer);
  provider.emit('customer.subscription.created', subscription);
  if (intent.status === 'succeeded') markInvoicePaid(provider, invoice);
  return { ...session, invoice: invoice.id, subscription: subscription.id };
}

export function markInvoicePaid(provider: Provider, invoice: Stripe.Invoice): void {
  const now = provider.now();
  const paid: Stripe.Invoice = {
    ...invoice,
    amount_paid: invoice.amount_due,
    amount_remaining: 0,
    attempt_count: invoice.attempt_count + 1,
    attempted: true,
    status: 'paid',
    status_transitions: { ...invoice.status_transitions, paid_at: now },
  };
  provider.store.invoices.save(paid);
  for (const payment of provider.store.invoicePayments.all(equals('invoice', invoice.id))) {
    const transitions = { ...payment.status_transitions, paid_at: now };
    provider.store.invoicePayments.save({
      ...payment,
      amount_paid: invoice.amount_due,
      status: 'paid',
      status_transitions: transitions,
    });
  }
  provider.emit('invoice.paid', paid);
  provider.emit('invoice.payment_succeeded', paid);
}

/** The debit for the first invoice failed, which makes the subscription past due. */
export function markInvoiceUnpaid(provider: Provider, invoice: Stripe.Invoice, subscriptionId: string): void {
  const { store } = provider;
  const failed: Stripe.Invoice = { ...invoice, attempt_count: invoice.attempt_count + 1, attempted: true };
  store.invoices.save(failed);
  provider.emit('invoice.payment_failed', failed);
  const subscription = store.subscriptions.find(subscriptionId);
  if (!subscription) return;
  const pastDue: Subscription = { ...subscription, status: 'past_due' };
  store.subscriptions.save(pastDue);
  provider.emit('customer.subscription.updated', pastDue);
}

/** @throws StripeApiError 404 */
export function retrieveSubscription({ store }: Provider, id: string): Subscription {
  const subscription = store.subscriptions.find(id);
  if (!subscription) throw noSuch('subscription', id);
  return subscription;
}

export function updateSubscription(
  provider: Provider,
  id: string,
  change: Stripe.SubscriptionUpdateParams,
): Subscription {
  const before = retrieveSubscription(provider, id);
  refuseUnsupported(change, UPDATABLE);
  if (before.status === 'canceled')
    throw invalidRequest('A canceled subscription can only update its cancellation_details and metadata.');
  checkMetadata(change.metadata, 'metadata');
  const updated: Subscription = {
    ...before,
    ...endOf(before, change.cancel_at_period_end, provider.now()),
    description: change.description === undefined ? before.description : change.description || null,
    metadata:
      change.metadata === undefined
        ? before.metadata
        : metadataOf(change.metadata && { ...before.metadata, ...change.metadata }),
  };
  provider.store.subscriptions.save(updated);
  provider.emit('customer.subscription.updated', updated);
  return updated;
}

function endOf(subscription: Subscription, atPeriodEnd: boolean | undefined, now: number): Partial<Subscription> {
  if (atPeriodEnd === undefined) return {};
  if (!atPeriodEnd) return { cancel_at_period_end: false, cancel_at: null, canceled_at: null };
  const end = subscription.items.data[0]?.current_period_end ?? now;
  return { cancel_at_period_end: true, cancel_at: end, canceled_at: now };
}

/** Ends it immediately. @throws StripeApiError 404, also for one that has already ended, like Stripe */
export function cancelSubscription(provider: Provider, id: string): Subscription {
  const before = retrieveSubscription(provider, id);
  if (before.status === 'canceled') throw noSuch('subscription', id);
  const now = provider.now();
  const details = { comment: null, feedback: null, feedback_option: null, reason: 'cancellation_requested' };
  const canceled: Subscription = {
    ...before,
    status: 'canceled',
    canceled_at: now,
    ended_at: now,
    cancellation_details: details,
  };
  provider.store.subscriptions.save(canceled);
  provider.emit('customer.subscription.deleted', canceled);
  return canceled;
}
