import type Stripe from 'stripe';
import { equals } from './collection.ts';
import { noSuchError, rejectUnsupported } from './parameters.ts';
import type { Provider } from './provider.ts';

type Subscription = Stripe.Subscription;

/** @throws StripeApiError 404 */
export function retrieveSubscription({ store }: Provider, id: string): Subscription {
  const subscription = store.subscriptions.find(id);
  if (!subscription) throw noSuchError('subscription', id);
  return subscription;
}

/** Ends a subscription immediately. @throws StripeApiError 404 if it doesn't exist or, like Stripe, if it has already ended */
export function cancelSubscription(
  provider: Provider,
  id: string,
  request: Stripe.SubscriptionCancelParams = {},
): Subscription {
  const previous = retrieveSubscription(provider, id);
  if (previous.status === 'canceled') throw noSuchError('subscription', id);
  rejectUnsupported(request, ['cancellation_details', 'expand', 'invoice_now', 'prorate']);
  const { comment, feedback } = request.cancellation_details ?? {};
  const details = { ...previous.cancellation_details, comment: comment || null, feedback: feedback || null };
  const subscription = { ...previous, cancellation_details: { feedback_option: null, reason: null, ...details } };
  return endSubscription(provider, subscription, 'cancellation_requested');
}

/** Ends a subscription. Open invoices stay open, but are not retried. */
export function endSubscription(
  provider: Provider,
  previous: Subscription,
  reason: 'cancellation_requested' | 'payment_failed',
): Subscription {
  const { store } = provider;
  const now = provider.now();
  const details = { comment: null, feedback: null, feedback_option: null, ...previous.cancellation_details, reason };
  const canceledSubscription: Subscription = {
    ...previous,
    status: 'canceled',
    canceled_at: previous.cancel_at === null ? now : (previous.canceled_at ?? now),
    ended_at: now,
    cancellation_details: details,
  };
  for (const invoice of listOpenInvoices(provider, previous.id))
    store.invoices.save({ ...invoice, auto_advance: false, next_payment_attempt: null });
  store.subscriptions.save(canceledSubscription);
  provider.emit('customer.subscription.deleted', canceledSubscription);
  return canceledSubscription;
}

/** Newest first. */
export function listOpenInvoices({ store }: Provider, subscription: string): Stripe.Invoice[] {
  return store.invoices.all(equals('subscription', subscription), equals('status', 'open'));
}
