// Bank debits that are under way: what a bank says days later is said here by whoever tries the sandbox out.
import type Stripe from 'stripe';
import { equals } from './collection.ts';
import type { Provider } from './provider.ts';
import { presentSession } from './sessions.ts';
import { markInvoicePaid, markInvoiceUnpaid } from './subscriptions.ts';

export type PendingDebit = { readonly intent: Stripe.PaymentIntent; readonly session: Stripe.Checkout.Session };

/** Newest first. */
export function pendingDebits(provider: Provider): PendingDebit[] {
  const intents = provider.store.paymentIntents.all(equals('status', 'processing'));
  return intents.flatMap((intent) => {
    const session = sessionOf(provider, intent);
    return session ? [{ intent, session }] : [];
  });
}

/** The bank's answer. @returns false when no such debit is pending: it was answered before */
export function answerDebit(provider: Provider, intentId: string, settled: boolean): boolean {
  const { store } = provider;
  return store.transaction(() => {
    const intent = store.paymentIntents.find(intentId);
    const session = intent && sessionOf(provider, intent);
    if (intent?.status !== 'processing' || !session) return false;
    if (settled) settle(provider, intent, session);
    else fail(provider, intent, session);
    return true;
  });
}

function settle(provider: Provider, before: Stripe.PaymentIntent, unpaid: Stripe.Checkout.Session): void {
  const { store } = provider;
  const intent: Stripe.PaymentIntent = { ...before, status: 'succeeded', amount_received: before.amount };
  const session: Stripe.Checkout.Session = { ...unpaid, payment_status: 'paid' };
  store.paymentIntents.save(intent);
  store.sessions.save(session);
  const charge = updateCharge(provider, intent, { status: 'succeeded' });
  if (charge) provider.record('charge.succeeded', charge);
  provider.record('payment_intent.succeeded', intent);
  const invoice = typeof session.invoice === 'string' ? store.invoices.find(session.invoice) : undefined;
  if (invoice) markInvoicePaid(provider, invoice);
  provider.record('checkout.session.async_payment_succeeded', presentSession(provider, session));
}

function fail(provider: Provider, before: Stripe.PaymentIntent, session: Stripe.Checkout.Session): void {
  const { store } = provider;
  const message = 'The bank returned the debit: insufficient funds.';
  const error = { type: 'invalid_request_error', code: 'payment_intent_payment_attempt_failed', message };
  const intent: Stripe.PaymentIntent = { ...before, status: 'requires_payment_method', last_payment_error: error };
  store.paymentIntents.save(intent);
  const failure = { failure_code: 'insufficient_funds', failure_message: message };
  const charge = updateCharge(provider, intent, {
    status: 'failed',
    paid: false,
    captured: false,
    amount_captured: 0,
    ...failure,
  });
  if (charge) provider.record('charge.failed', charge);
  provider.record('payment_intent.payment_failed', intent);
  const invoice = typeof session.invoice === 'string' ? store.invoices.find(session.invoice) : undefined;
  if (invoice && typeof session.subscription === 'string') markInvoiceUnpaid(provider, invoice, session.subscription);
  provider.record('checkout.session.async_payment_failed', presentSession(provider, session));
}

function updateCharge(
  { store }: Provider,
  intent: Stripe.PaymentIntent,
  change: Partial<Stripe.Charge>,
): Stripe.Charge | undefined {
  const before = typeof intent.latest_charge === 'string' ? store.charges.find(intent.latest_charge) : undefined;
  if (!before) return undefined;
  const charge = { ...before, ...change };
  store.charges.save(charge);
  return charge;
}

function sessionOf({ store }: Provider, intent: Stripe.PaymentIntent): Stripe.Checkout.Session | undefined {
  const [file] = store.sessionFiles.all(equals('payment_intent', intent.id));
  return file && store.sessions.find(file.id);
}
