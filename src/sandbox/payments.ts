// Payment actions of the hosted page. Each one is a transaction that reads the session again, so a second payment
// from a double click or another tab finds the session closed.
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
  return withOpenSession(provider, sessionId, (open) => {
    switch (outcome.kind) {
      case 'pays':
        return complete(provider, open, { payer, instrument, later: outcome.later ?? null, status: 'succeeded' });
      case 'authenticates':
        return requestAuthentication(provider, open, payer, instrument);
      case 'declined':
        return decline(provider, open, payer, instrument, outcome.decline);
    }
  });
}

/** Completes the session unpaid. The bank settles or returns the debit days later. */
export function payByDebit(provider: Provider, sessionId: string, payer: Payer): PayResult {
  return withOpenSession(provider, sessionId, (open) =>
    complete(provider, open, { payer, instrument: TEST_BANK_ACCOUNT, later: null, status: 'pending' }),
  );
}

/** Handles the payer's decision on the bank's page. Returns `closed` if no authentication was requested. */
export function authenticate(provider: Provider, sessionId: string, isSuccessful: boolean): PayResult {
  return withOpenSession(provider, sessionId, ({ session, record }) => {
    if (!record.authenticating) return { kind: 'closed' };
    const { payer, instrument } = record.authenticating;
    const open = { session, record: { ...record, authenticating: null } };
    if (isSuccessful) return complete(provider, open, { payer, instrument, later: null, status: 'succeeded' });
    return decline(provider, open, payer, instrument, AUTHENTICATION_FAILED);
  });
}

function withOpenSession(provider: Provider, sessionId: string, work: (open: OpenSession) => PayResult): PayResult {
  return provider.store.transaction(() => {
    const session = findSession(provider, sessionId);
    return session?.status === 'open'
      ? work({ session, record: requireRecord(provider, sessionId) })
      : { kind: 'closed' };
  });
}

function requestAuthentication(provider: Provider, open: OpenSession, payer: Payer, instrument: Instrument): PayResult {
  const intent: Stripe.PaymentIntent = { ...findOrCreateIntent(provider, open), status: 'requires_action' };
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
  const method = newMethod(payer, instrument, null, provider.now());
  const { intent, charge } = recordDecline(provider, findOrCreateIntent(provider, open), method, reason);
  saveIntent(provider, open, intent, null);
  provider.emit('charge.failed', charge);
  provider.emit('payment_intent.payment_failed', intent);
  return { kind: 'declined', message: reason.message };
}

type Payment = {
  readonly payer: Payer;
  readonly instrument: Instrument;
  readonly later: DelayedOutcome;
  readonly status: 'succeeded' | 'pending';
};

function complete(provider: Provider, open: OpenSession, payment: Payment): PayResult {
  const { store } = provider;
  const { payer } = payment;
  const customer = findOrCreateCustomer(provider, open.session, payer);
  const previous = { ...findOrCreateIntent(provider, open), customer: customer?.id ?? null };
  const method = createMethod(provider, open.session, payment, customer);
  const { intent, charge: newCharge } = chargeIntent(provider, previous, method, payment.status);
  saveIntent(provider, open, intent, null);
  const session = completedSession(open.session, payer, customer, intent);
  const sessionWithSubscription =
    customer && session.mode === 'subscription'
      ? subscribe(provider, { session, record: open.record, customer, intent, method })
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
  { payer, instrument, later }: Payment,
  customer: Stripe.Customer | undefined,
): SavedMethod {
  const method = newMethod(payer, instrument, later, provider.now());
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
  authenticating: SessionRecord['authenticating'],
): void {
  provider.store.sessionRecords.save({ ...record, payment_intent: intent.id, authenticating });
  if (session.mode === 'payment') provider.store.sessions.save({ ...session, payment_intent: intent.id });
}

function findOrCreateCustomer({ store, now }: Provider, session: Session, payer: Payer): Stripe.Customer | undefined {
  if (typeof session.customer === 'string') return store.customers.find(session.customer);
  if (session.mode === 'payment' && session.customer_creation !== 'always') return undefined;
  return newCustomer(payer, now());
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
