// What the hosted page does with a session. Each step is one transaction that looks at the session again:
// of two payments for one session, from a double click or a second tab, the second finds it closed.
import type Stripe from 'stripe';
import type { TypedCard } from './card-form.ts';
import type { Decline } from './cards.ts';
import { type Instrument, type Payer, TEST_BANK_ACCOUNT } from './payer.ts';
import type { Provider } from './provider.ts';
import { newCustomer } from './resources/customer.ts';
import { NO_ADDRESS, newCharge, newPaymentIntent } from './resources/payment.ts';
import type { SessionFile } from './session-file.ts';
import { fileOf, findSession, presentSession } from './sessions.ts';
import { subscribe } from './subscriptions.ts';

type Session = Stripe.Checkout.Session;
/** A session that can be paid, with what the provider keeps about it. */
type Opened = { readonly session: Session; readonly file: SessionFile };

/** `closed`: the session is complete or expired already, and nothing was done. */
export type PayResult =
  | { readonly kind: 'done' | 'authenticate' | 'closed' }
  | { readonly kind: 'declined'; readonly message: string };

const AUTHENTICATION_FAILED: Decline = {
  code: 'payment_intent_authentication_failure',
  declineCode: 'authentication_required',
  message: 'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
};

export function payByCard(provider: Provider, sessionId: string, { payer, instrument, verdict }: TypedCard): PayResult {
  return whileOpen(provider, sessionId, (opened) => {
    switch (verdict.kind) {
      case 'pays':
        return complete(provider, opened, payer, instrument, 'succeeded');
      case 'authenticates':
        return askToAuthenticate(provider, opened, payer, instrument);
      case 'declined':
        return decline(provider, opened, payer, instrument, verdict.decline);
    }
  });
}

/** A bank debit: the session completes unpaid, and the money arrives, or not, days later. */
export function payByDebit(provider: Provider, sessionId: string, payer: Payer): PayResult {
  return whileOpen(provider, sessionId, (opened) => complete(provider, opened, payer, TEST_BANK_ACCOUNT, 'pending'));
}

/** What the payer answered on the bank's page. `closed` also when nothing was asked. */
export function authenticate(provider: Provider, sessionId: string, succeeded: boolean): PayResult {
  return whileOpen(provider, sessionId, ({ session, file }) => {
    if (!file.authenticating) return { kind: 'closed' };
    const { payer, instrument } = file.authenticating;
    const opened = { session, file: { ...file, authenticating: null } };
    if (succeeded) return complete(provider, opened, payer, instrument, 'succeeded');
    return decline(provider, opened, payer, instrument, AUTHENTICATION_FAILED);
  });
}

function whileOpen(provider: Provider, sessionId: string, work: (opened: Opened) => PayResult): PayResult {
  return provider.store.transaction(() => {
    const session = findSession(provider, sessionId);
    return session?.status === 'open' ? work({ session, file: fileOf(provider, sessionId) }) : { kind: 'closed' };
  });
}

function askToAuthenticate(provider: Provider, opened: Opened, payer: Payer, instrument: Instrument): PayResult {
  const intent: Stripe.PaymentIntent = { ...intentOf(provider, opened), status: 'requires_action' };
  provider.store.paymentIntents.save(intent);
  keep(provider, opened, intent, { payer, instrument });
  provider.record('payment_intent.requires_action', intent);
  return { kind: 'authenticate' };
}

function decline(provider: Provider, opened: Opened, payer: Payer, instrument: Instrument, reason: Decline): PayResult {
  const { store } = provider;
  const before = intentOf(provider, opened);
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
  keep(provider, opened, intent, null);
  provider.record('charge.failed', charge);
  provider.record('payment_intent.payment_failed', intent);
  return { kind: 'declined', message };
}

/** The session is complete: paid now, or, with a pending charge, to be paid later. */
function complete(
  provider: Provider,
  opened: Opened,
  payer: Payer,
  instrument: Instrument,
  status: 'succeeded' | 'pending',
): PayResult {
  const { store } = provider;
  const customer = customerOf(provider, opened.session, payer);
  const before = { ...intentOf(provider, opened), customer: customer?.id ?? null };
  const charge = newCharge(before, payer, instrument, { status }, provider.now());
  const intent = chargedIntent(before, charge);
  store.charges.save(charge);
  store.paymentIntents.save(intent);
  keep(provider, opened, intent, null);
  const session = completed(opened.session, payer, customer, intent);
  recordCharge(provider, charge, intent);
  const subscribed =
    customer && session.mode === 'subscription' ? subscribe(provider, session, opened.file, customer, intent) : session;
  store.sessions.save(subscribed);
  provider.record('checkout.session.completed', presentSession(provider, subscribed));
  return { kind: 'done' };
}

/** The intent of the session, or of a payment of a subscription's first invoice: one for all attempts. */
function intentOf(provider: Provider, { session, file }: Opened): Stripe.PaymentIntent {
  const known = file.payment_intent === null ? undefined : provider.store.paymentIntents.find(file.payment_intent);
  if (known) return known;
  const amount = session.amount_total ?? 0;
  const request = { amount, currency: session.currency ?? 'usd', methods: session.payment_method_types };
  return newPaymentIntent({ ...request, data: file.request.payment_intent_data }, provider.now());
}

function keep(
  provider: Provider,
  { session, file }: Opened,
  intent: Stripe.PaymentIntent,
  authenticating: SessionFile['authenticating'],
): void {
  provider.store.sessionFiles.save({ ...file, payment_intent: intent.id, authenticating });
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

function completed(
  session: Session,
  payer: Payer,
  customer: Stripe.Customer | undefined,
  intent: Stripe.PaymentIntent,
): Session {
  const nothingMore = { business_name: null, individual_name: null, phone: null, tax_exempt: 'none', tax_ids: [] };
  return {
    ...session,
    customer: customer?.id ?? null,
    customer_details: {
      ...nothingMore,
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
    provider.record('charge.succeeded', charge);
    provider.record('payment_intent.succeeded', intent);
  } else {
    provider.record('charge.pending', charge);
    provider.record('payment_intent.processing', intent);
  }
}
