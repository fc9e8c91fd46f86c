// Payment actions on the hosted page. Each one is a transaction that reads the session again, so a second payment from
// a double click or another tab finds the session closed.
import type Stripe from 'stripe';
import type { EnteredCard } from './cards.ts';
import { applyDelayedOutcome, chargeIntent, type Decline, recordDecline } from './charging.ts';
import type { Provider } from './provider.ts';
import {
  type Instrument,
  NO_ADDRESS,
  newCustomer,
  newPaymentIntent,
  type Payer,
  TEST_BANK_ACCOUNT,
} from './resources/payment.ts';
import { type DelayedOutcome, newMethod, type SavedMethod } from './resources/payment-method.ts';
import { findSession, presentSession, requireRecord } from './sessions.ts';
import type { SessionRecord } from './store.ts';
import { subscribe } from './subscribe.ts';

type Session = Stripe.Checkout.Session;
type OpenSession = { readonly session: Session; readonly record: SessionRecord };

/** `closed`: the session was already complete or expired, so nothing changed. */
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
  return withOpenSession(provider, sessionId, (openSession) => {
    switch (outcome.kind) {
      case 'pays':
        return completePayment(provider, openSession, {
          payer,
          instrument,
          delayedOutcome: outcome.delayedOutcome ?? null,
          status: 'succeeded',
        });
      case 'authenticates':
        return requestAuthentication(provider, openSession, payer, instrument);
      case 'declined':
        return declinePayment(provider, openSession, payer, instrument, outcome.decline);
    }
  });
}

/** Completes the session unpaid. The bank settles or returns the debit days later. */
export function payByDebit(provider: Provider, sessionId: string, payer: Payer): PayResult {
  return withOpenSession(provider, sessionId, (openSession) =>
    completePayment(provider, openSession, {
      payer,
      instrument: TEST_BANK_ACCOUNT,
      delayedOutcome: null,
      status: 'pending',
    }),
  );
}

/** Handles the payer's decision on the bank's page. Returns `closed` if no authentication was requested. */
export function authenticate(provider: Provider, sessionId: string, isSuccessful: boolean): PayResult {
  return withOpenSession(provider, sessionId, ({ session, record }) => {
    if (!record.pendingAuthentication) return { kind: 'closed' };
    const { payer, instrument } = record.pendingAuthentication;
    const openSession = { session, record: { ...record, pendingAuthentication: null } };
    if (isSuccessful)
      return completePayment(provider, openSession, { payer, instrument, delayedOutcome: null, status: 'succeeded' });
    return declinePayment(provider, openSession, payer, instrument, AUTHENTICATION_FAILED);
  });
}

function withOpenSession(
  provider: Provider,
  sessionId: string,
  work: (openSession: OpenSession) => PayResult,
): PayResult {
  return provider.store.transaction(() => {
    const session = findSession(provider, sessionId);
    return session?.status === 'open'
      ? work({ session, record: requireRecord(provider, sessionId) })
      : { kind: 'closed' };
  });
}

function requestAuthentication(
  provider: Provider,
  openSession: OpenSession,
  payer: Payer,
  instrument: Instrument,
): PayResult {
  const intent: Stripe.PaymentIntent = { ...findOrCreateIntent(provider, openSession), status: 'requires_action' };
  provider.store.paymentIntents.save(intent);
  saveIntent(provider, openSession, intent, { payer, instrument });
  provider.emit('payment_intent.requires_action', intent);
  return { kind: 'authenticate' };
}

function declinePayment(
  provider: Provider,
  openSession: OpenSession,
  payer: Payer,
  instrument: Instrument,
  reason: Decline,
): PayResult {
  const method = newMethod(payer, instrument, null, provider.now());
  const { intent, charge } = recordDecline(provider, findOrCreateIntent(provider, openSession), method, reason);
  saveIntent(provider, openSession, intent, null);
  provider.emit('charge.failed', charge);
  provider.emit('payment_intent.payment_failed', intent);
  return { kind: 'declined', message: reason.message };
}

type Payment = {
  readonly payer: Payer;
  readonly instrument: Instrument;
  readonly delayedOutcome: DelayedOutcome;
  readonly status: 'succeeded' | 'pending';
};

function completePayment(provider: Provider, openSession: OpenSession, payment: Payment): PayResult {
  const { store } = provider;
  const { payer } = payment;
  const customer = findOrCreateCustomer(provider, openSession.session, payer);
  const previous = { ...findOrCreateIntent(provider, openSession), customer: customer?.id ?? null };
  const method = createMethod(provider, openSession.session, payment, customer);
  const { intent, charge: newCharge } = chargeIntent(provider, previous, method, payment.status);
  saveIntent(provider, openSession, intent, null);
  const session = buildCompletedSession(openSession.session, payer, customer, intent);
  const sessionWithSubscription =
    customer && session.mode === 'subscription'
      ? subscribe(provider, { session, record: openSession.record, customer, intent, method })
      : session;
  store.sessions.save(sessionWithSubscription);
  provider.emit('checkout.session.completed', presentSession(provider, sessionWithSubscription));
  applyDelayedOutcome(provider, newCharge);
  return { kind: 'done' };
}

/** Subscriptions keep the payment method for later charges. */
function createMethod(
  provider: Provider,
  session: Session,
  { payer, instrument, delayedOutcome }: Payment,
  customer: Stripe.Customer | undefined,
): SavedMethod {
  const method = newMethod(payer, instrument, delayedOutcome, provider.now());
  return session.mode === 'subscription' ? { ...method, customer: customer?.id ?? null } : method;
}

/** All attempts to pay a session share one payment intent. */
function findOrCreateIntent(provider: Provider, { session, record }: OpenSession): Stripe.PaymentIntent {
  const existingIntent =
    record.payment_intent === null ? undefined : provider.store.paymentIntents.find(record.payment_intent);
  if (existingIntent) return existingIntent;
  const amount = session.amount_total ?? 0;
  const request = { amount, currency: session.currency ?? 'usd', methods: session.payment_method_types };
  return newPaymentIntent({ ...request, data: record.request.payment_intent_data }, provider.now());
}

function saveIntent(
  provider: Provider,
  { session, record }: OpenSession,
  intent: Stripe.PaymentIntent,
  pendingAuthentication: SessionRecord['pendingAuthentication'],
): void {
  provider.store.sessionRecords.save({ ...record, payment_intent: intent.id, pendingAuthentication });
  if (session.mode === 'payment') provider.store.sessions.save({ ...session, payment_intent: intent.id });
}

function findOrCreateCustomer({ store, now }: Provider, session: Session, payer: Payer): Stripe.Customer | undefined {
  if (typeof session.customer === 'string') return store.customers.find(session.customer);
  if (session.mode === 'payment' && session.customer_creation !== 'always') return undefined;
  return newCustomer(payer, now());
}

function buildCompletedSession(
  session: Session,
  payer: Payer,
  customer: Stripe.Customer | undefined,
  intent: Stripe.PaymentIntent,
): Session {
  const unusedFields = { business_name: null, individual_name: null, phone: null, tax_exempt: 'none', tax_ids: [] };
  return {
    ...session,
    customer: customer?.id ?? null,
    customer_details: {
      ...unusedFields,
      address: { ...NO_ADDRESS, country: 'US' },
      email: payer.email,
      name: payer.name,
    },
    payment_intent: session.mode === 'payment' ? intent.id : null,
    payment_status: intent.status === 'succeeded' ? 'paid' : 'unpaid',
    status: 'complete',
  };
}
