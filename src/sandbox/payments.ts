// What the hosted page does with a session. Each step is one transaction that reads the session again:
// of two payments from a double click or a second tab, the second one finds it closed.
import type Stripe from 'stripe';
import type { Decline, EnteredCard } from './cards.ts';
import type { Provider } from './provider.ts';
import {
  type Instrument,
  NO_ADDRESS,
  newCharge,
  newCustomer,
  newPaymentIntent,
  type Payer,
  TEST_BANK_ACCOUNT,
} from './resources/payment.ts';
import { findSession, presentSession, recordOf } from './sessions.ts';
import type { SessionRecord } from './store.ts';
import { subscribe } from './subscriptions.ts';

type Session = Stripe.Checkout.Session;
type OpenSession = { readonly session: Session; readonly record: SessionRecord };

/** `closed`: the session was already complete or expired, and nothing was done. */
export type PayResult =
  | { readonly kind: 'done' | 'authenticate' | 'closed' }
  | { readonly kind: 'declined'; readonly message: string };

const AUTHENTICATION_FAILED: Decline = {
  code: 'payment_intent_authentication_failure',
  declineCode: 'authentication_required',
  message: 'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
};

export function payByCard(
  provider: Provider,
  sessionId: string,
  { payer, instrument, outcome }: EnteredCard,
): PayResult {
  return ifOpen(provider, sessionId, (open) => {
    switch (outcome.kind) {
      case 'pays':
        return complete(provider, open, payer, instrument, 'succeeded');
      case 'authenticates':
        return requestAuthentication(provider, open, payer, instrument);
      case 'declined':
        return decline(provider, open, payer, instrument, outcome.decline);
    }
  });
}

/** The session completes unpaid. The bank settles or returns the debit days later. */
export function payByDebit(provider: Provider, sessionId: string, payer: Payer): PayResult {
  return ifOpen(provider, sessionId, (open) => complete(provider, open, payer, TEST_BANK_ACCOUNT, 'pending'));
}

/** Handles the payer's answer on the bank's page. Also `closed` when no authentication was requested. */
export function authenticate(provider: Provider, sessionId: string, succeeded: boolean): PayResult {
  return ifOpen(provider, sessionId, ({ session, record }) => {
    if (!record.authenticating) return { kind: 'closed' };
    const { payer, instrument } = record.authenticating;
    const open = { session, record: { ...record, authenticating: null } };
    if (succeeded) return complete(provider, open, payer, instrument, 'succeeded');
    return decline(provider, open, payer, instrument, AUTHENTICATION_FAILED);
  });
}

function ifOpen(provider: Provider, sessionId: string, work: (open: OpenSession) => PayResult): PayResult {
  return provider.store.transaction(() => {
    const session = findSession(provider, sessionId);
    return session?.status === 'open' ? work({ session, record: recordOf(provider, sessionId) }) : { kind: 'closed' };
  });
}

function requestAuthentication(provider: Provider, open: OpenSession, payer: Payer, instrument: Instrument): PayResult {
  const intent: Stripe.PaymentIntent = { ...intentOf(provider, open), status: 'requires_action' };
  provider.store.paymentIntents.save(intent);
  saveIntent(provider, open, intent, { payer, instrument });
  provider.emit('payment_intent.requires_action', intent);
  return { kind: 'authenticate' };
}

function decline(
  provider: Provider,
  open: OpenSession,
  payer: Payer,
  instrument: Instrument,
  reason: Decline,
): PayResult {
  const { store } = provider;
  const before = intentOf(provider, open);
  const charge = newCharge(before, payer, instrument, { status: 'failed', failure: reason }, provider.now());
  const { code, declineCode, message } = reason;
  const error = { type: 'card_error', code, decline_code: declineCode, message, charge: charge.id };
  const intent: Stripe.PaymentIntent = {
    ...before,
    status: 'requires_payment_method',
    latest_charge: charge.id,
    last_payment_error: error,
  };
  store.charges.save(charge);
  store.paymentIntents.save(intent);
  saveIntent(provider, open, intent, null);
  provider.emit('charge.failed', charge);
  provider.emit('payment_intent.payment_failed', intent);
  return { kind: 'declined', message };
}

function complete(
  provider: Provider,
  open: OpenSession,
  payer: Payer,
  instrument: Instrument,
  status: 'succeeded' | 'pending',
): PayResult {
  const { store } = provider;
  const customer = customerOf(provider, open.session, payer);
  const before = { ...intentOf(provider, open), customer: customer?.id ?? null };
  const charge = newCharge(before, payer, instrument, { status }, provider.now());
  const intent = chargedIntent(before, charge);
  store.charges.save(charge);
  store.paymentIntents.save(intent);
  saveIntent(provider, open, intent, null);
  const session = completedSession(open.session, payer, customer, intent);
  recordCharge(provider, charge, intent);
  const subscribed =
    customer && session.mode === 'subscription' ? subscribe(provider, session, open.record, customer, intent) : session;
  store.sessions.save(subscribed);
  provider.emit('checkout.session.completed', presentSession(provider, subscribed));
  return { kind: 'done' };
}

/** One payment intent for all attempts at a session. */
function intentOf(provider: Provider, { session, record }: OpenSession): Stripe.PaymentIntent {
  const existing =
    record.payment_intent === null ? undefined : provider.store.paymentIntents.find(record.payment_intent);
  if (existing) return existing;
  const amount = session.amount_total ?? 0;
  const request = { amount, currency: session.currency ?? 'usd', methods: session.payment_method_types };
  return newPaymentIntent({ ...request, data: record.request.payment_intent_data }, provider.now());
}

function saveIntent(
  provider: Provider,
  { session, record }: OpenSession,
  intent: Stripe.PaymentIntent,
  authenticating: SessionRecord['authenticating'],
): void {
  provider.store.sessionRecords.save({ ...record, payment_intent: intent.id, authenticating });
  if (session.mode === 'payment') provider.store.sessions.save({ ...session, payment_intent: intent.id });
}

function customerOf({ store, now }: Provider, session: Session, payer: Payer): Stripe.Customer | undefined {
  if (typeof session.customer === 'string') return store.customers.find(session.customer);
  if (session.mode === 'payment' && session.customer_creation !== 'always') return undefined;
  return newCustomer(payer, now());
}

function chargedIntent(intent: Stripe.PaymentIntent, charge: Stripe.Charge): Stripe.PaymentIntent {
  const succeeded = charge.status === 'succeeded';
  return {
    ...intent,
    amount_received: succeeded ? intent.amount : 0,
    last_payment_error: null,
    latest_charge: charge.id,
    payment_method: charge.payment_method,
    status: succeeded ? 'succeeded' : 'processing',
  };
}

function completedSession(
  session: Session,
  payer: Payer,
  customer: Stripe.Customer | undefined,
  intent: Stripe.PaymentIntent,
): Session {
  const unused = { business_name: null, individual_name: null, phone: null, tax_exempt: 'none', tax_ids: [] };
  return {
    ...session,
    customer: customer?.id ?? null,
    customer_details: {
      ...unused,
      address: { ...NO_ADDRESS, country: 'US' },
      email: payer.email,
      name: payer.name,
    },
    payment_intent: session.mode === 'payment' ? intent.id : null,
    payment_status: intent.status === 'succeeded' ? 'paid' : 'unpaid',
    status: 'complete',
  };
}

function recordCharge(provider: Provider, charge: Stripe.Charge, intent: Stripe.PaymentIntent): void {
  if (charge.status === 'succeeded') {
    provider.emit('charge.succeeded', charge);
    provider.emit('payment_intent.succeeded', intent);
  } else {
    provider.emit('charge.pending', charge);
    provider.emit('payment_intent.processing', intent);
  }
}
