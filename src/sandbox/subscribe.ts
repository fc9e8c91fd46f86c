import type Stripe from 'stripe';
import { markInvoicePaid, openInvoice } from './invoices.ts';
import type { Provider } from './provider.ts';
import { newInvoice, newInvoicePayment } from './resources/invoice.ts';
import { presentPaymentMethod, type SavedMethod } from './resources/payment-method.ts';
import { newSubscription } from './resources/subscription.ts';
import type { SessionRecord } from './store.ts';

export type SubscriptionInput = {
  readonly session: Stripe.Checkout.Session;
  readonly record: SessionRecord;
  readonly customer: Stripe.Customer;
  readonly intent: Stripe.PaymentIntent;
  readonly method: SavedMethod;
};

/**
 * Creates a session's subscription and first invoice, which the payment intent pays now or later. @returns the session
 * with both ids
 */
export function subscribe(
  provider: Provider,
  { session, record, customer, intent, method }: SubscriptionInput,
): Stripe.Checkout.Session {
  const { store } = provider;
  const now = provider.now();
  const draftSubscription = newSubscription(
    customer.id,
    record.lines,
    record.request.subscription_data,
    method.id,
    now,
  );
  const lines = record.lines.map((line) => ({
    amount: line.amount_total,
    description: line.description,
    price: line.price,
    quantity: line.quantity ?? 1,
    item: draftSubscription.items.data.find(({ price }) => price.id === line.price?.id),
  }));
  const period = { start: now, end: now };
  const invoice = newInvoice(
    { subscription: draftSubscription, customer, lines, reason: 'subscription_create', period },
    now,
  );
  const subscription = { ...draftSubscription, latest_invoice: invoice.id };
  const isNew = !store.customers.find(customer.id);
  store.customers.save(customer);
  store.subscriptions.save(subscription);
  store.invoicePayments.save(newInvoicePayment(invoice, intent, now));
  if (isNew) provider.emit('customer.created', customer);
  provider.emit('payment_method.attached', presentPaymentMethod(method));
  provider.emit('customer.subscription.created', subscription);
  openInvoice(provider, invoice);
  if (intent.status === 'succeeded') markInvoicePaid(provider, invoice);
  return { ...session, invoice: invoice.id, subscription: subscription.id };
}
