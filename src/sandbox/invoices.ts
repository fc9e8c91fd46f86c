// Pays, retries, and closes invoices, and updates their subscriptions' status.
import type Stripe from 'stripe';
import { applyDelayedOutcome, chargeIntent, recordDecline } from './charging.ts';
import { equals } from './collection.ts';
import { invalidRequest, noSuchError, rejectUnsupported } from './parameters.ts';
import { getId, type Provider } from './provider.ts';
import { newInvoicePayment, toDraft } from './resources/invoice.ts';
import { newPaymentIntent } from './resources/payment.ts';
import type { SavedMethod } from './resources/payment-method.ts';
import { endSubscription } from './subscriptions.ts';

type Invoice = Stripe.Invoice;

const DAY_SECONDS = 86_400;
/** Days from each failed attempt to the next one. After the last one the subscription ends. */
const RETRY_DAYS: readonly number[] = [3, 5, 7];

const DECLINED = { code: 'card_declined', declineCode: 'generic_decline', message: 'Your card was declined.' };
const NO_METHOD = {
  code: 'payment_method_missing',
  declineCode: 'generic_decline',
  message: 'The subscription has no payment method.',
};

export function openInvoice(provider: Provider, invoice: Invoice): void {
  provider.store.invoices.save(invoice);
  provider.emit('invoice.created', toDraft(invoice));
  provider.emit('invoice.finalized', invoice);
}

/** Charges the subscription's payment method. */
export function collectInvoice(provider: Provider, invoice: Invoice): void {
  const subscription = findSubscription(provider, invoice);
  if (!subscription) return;
  if (invoice.amount_due === 0) markInvoicePaid(provider, invoice);
  else payInvoice(provider, invoice, subscription);
}

function payInvoice(provider: Provider, invoice: Invoice, subscription: Stripe.Subscription): void {
  const method = findPaymentMethod(provider, subscription);
  const intent = findOrCreateIntent(provider, invoice, subscription, method);
  if (!method || method.delayedOutcome === 'declined_at_renewal') {
    failInvoice(provider, invoice, intent, method);
    return;
  }
  const status = method.instrument.kind === 'card' ? 'succeeded' : 'pending';
  const outcome = chargeIntent(provider, intent, method, status);
  if (status === 'pending') markDebitPending(provider, invoice);
  else markInvoicePaid(provider, invoice);
  applyDelayedOutcome(provider, outcome.charge);
}

function findPaymentMethod({ store }: Provider, subscription: Stripe.Subscription): SavedMethod | undefined {
  const customer = store.customers.find(getId(subscription.customer));
  const id = subscription.default_payment_method ?? customer?.invoice_settings.default_payment_method;
  return typeof id === 'string' ? store.paymentMethods.find(id) : undefined;
}

/** All attempts to pay an invoice share one payment intent. */
function findOrCreateIntent(
  { store, ...provider }: Provider,
  invoice: Invoice,
  subscription: Stripe.Subscription,
  method: SavedMethod | undefined,
): Stripe.PaymentIntent {
  const [payment] = store.invoicePayments.all(equals('invoice', invoice.id));
  const existingIntent = payment && store.paymentIntents.find(getId(payment.payment.payment_intent));
  if (existingIntent) return existingIntent;
  const methods = [method?.instrument.kind ?? 'card'];
  const request = { amount: invoice.amount_due, currency: invoice.currency, methods, data: undefined };
  const intent: Stripe.PaymentIntent = {
    ...newPaymentIntent(request, provider.now()),
    customer: subscription.customer,
    description: 'Subscription update',
  };
  store.paymentIntents.save(intent);
  store.invoicePayments.save(newInvoicePayment(invoice, intent, provider.now()));
  return intent;
}

function markDebitPending({ store }: Provider, invoice: Invoice): void {
  const attempt = { attempt_count: invoice.attempt_count + 1, attempted: true, next_payment_attempt: null };
  store.invoices.save({ ...invoice, ...attempt });
}

export function markInvoicePaid(provider: Provider, invoice: Invoice): void {
  const now = provider.now();
  const paidInvoice: Invoice = {
    ...invoice,
    amount_paid: invoice.amount_due,
    amount_remaining: 0,
    attempt_count: invoice.attempt_count + 1,
    attempted: true,
    next_payment_attempt: null,
    status: 'paid',
    status_transitions: { ...invoice.status_transitions, paid_at: now },
  };
  provider.store.invoices.save(paidInvoice);
  for (const payment of provider.store.invoicePayments.all(equals('invoice', invoice.id))) {
    const transitions = { ...payment.status_transitions, paid_at: now };
    provider.store.invoicePayments.save({
      ...payment,
      amount_paid: invoice.amount_due,
      status: 'paid',
      status_transitions: transitions,
    });
  }
  provider.emit('invoice.paid', paidInvoice);
  provider.emit('invoice.payment_succeeded', paidInvoice);
  const subscription = findSubscription(provider, paidInvoice);
  if (subscription?.status === 'past_due' && subscription.latest_invoice === paidInvoice.id)
    saveSubscription(provider, { ...subscription, status: 'active' }, subscription);
}

/** Marks an invoice as paid without a charge, for money received outside Stripe. @throws StripeApiError */
export function payOutOfBand(provider: Provider, id: string, request: Stripe.InvoicePayParams): Invoice {
  rejectUnsupported(request, ['expand', 'paid_out_of_band']);
  const invoice = provider.store.invoices.find(id);
  if (!invoice) throw noSuchError('invoice', id);
  if (!request.paid_out_of_band)
    throw invalidRequest('The sandbox supports only paid_out_of_band.', 'paid_out_of_band');
  if (invoice.status !== 'open') throw invalidRequest(`The invoice is ${invoice.status}.`);
  const paidInvoice: Invoice = {
    ...invoice,
    amount_paid: invoice.amount_due,
    amount_paid_off_stripe: invoice.amount_due,
    amount_remaining: 0,
    next_payment_attempt: null,
    status: 'paid',
    status_transitions: { ...invoice.status_transitions, paid_at: provider.now() },
  };
  provider.store.invoices.save(paidInvoice);
  provider.emit('invoice.paid', paidInvoice);
  const subscription = findSubscription(provider, paidInvoice);
  if (subscription?.status === 'past_due' && subscription.latest_invoice === paidInvoice.id)
    saveSubscription(provider, { ...subscription, status: 'active' }, subscription);
  return paidInvoice;
}

function failInvoice(
  provider: Provider,
  invoice: Invoice,
  previousIntent: Stripe.PaymentIntent,
  method: SavedMethod | undefined,
): void {
  if (method) {
    const { intent, charge: failedCharge } = recordDecline(provider, previousIntent, method, DECLINED);
    provider.emit('charge.failed', failedCharge);
    provider.emit('payment_intent.payment_failed', intent);
  } else {
    const error = { type: 'invalid_request_error', code: NO_METHOD.code, message: NO_METHOD.message };
    const intent: Stripe.PaymentIntent = { ...previousIntent, last_payment_error: error };
    provider.store.paymentIntents.save(intent);
    provider.emit('payment_intent.payment_failed', intent);
  }
  markInvoiceUnpaid(provider, invoice, RETRY_DAYS[invoice.attempt_count]);
}

/** @param retryDays days until the next attempt; undefined ends the subscription; null leaves it past due */
export function markInvoiceUnpaid(provider: Provider, invoice: Invoice, retryDays: number | null | undefined): void {
  const unpaidInvoice: Invoice = {
    ...invoice,
    attempt_count: invoice.attempt_count + 1,
    attempted: true,
    next_payment_attempt: typeof retryDays === 'number' ? provider.now() + retryDays * DAY_SECONDS : null,
  };
  provider.store.invoices.save(unpaidInvoice);
  provider.emit('invoice.payment_failed', unpaidInvoice);
  const subscription = findSubscription(provider, unpaidInvoice);
  if (!subscription || subscription.status === 'canceled') return;
  if (retryDays === undefined) {
    closeInvoice(provider, unpaidInvoice, 'uncollectible');
    endSubscription(provider, subscription, 'payment_failed');
  } else if (subscription.status !== 'past_due') {
    saveSubscription(provider, { ...subscription, status: 'past_due' }, subscription);
  }
}

/** Closes an open invoice without payment. */
export function closeInvoice(provider: Provider, invoice: Invoice, status: 'void' | 'uncollectible'): void {
  const now = provider.now();
  const transition = status === 'void' ? { voided_at: now } : { marked_uncollectible_at: now };
  const closedInvoice: Invoice = {
    ...invoice,
    ...(status === 'void' && { amount_remaining: 0 }),
    auto_advance: false,
    next_payment_attempt: null,
    status,
    status_transitions: { ...invoice.status_transitions, ...transition },
  };
  provider.store.invoices.save(closedInvoice);
  provider.emit(status === 'void' ? 'invoice.voided' : 'invoice.marked_uncollectible', closedInvoice, invoice);
}

function findSubscription({ store }: Provider, invoice: Invoice): Stripe.Subscription | undefined {
  return store.subscriptions.find(getId(invoice.parent?.subscription_details?.subscription));
}

function saveSubscription(provider: Provider, after: Stripe.Subscription, before: Stripe.Subscription): void {
  provider.store.subscriptions.save(after);
  provider.emit('customer.subscription.updated', after, before);
}
