// Pending bank debits. A real bank responds after days; here the tester chooses the outcome.
import type { FastifyInstance } from 'fastify';
import type Stripe from 'stripe';
import { postDebitFailure } from './balance.ts';
import { recordSuccess } from './charging.ts';
import { equals } from './collection.ts';
import { markInvoicePaid, markInvoiceUnpaid } from './invoices.ts';
import {
  type FormRoute,
  formatMoney,
  formatTime,
  type Html,
  html,
  merchantName,
  renderPage,
  sendPage,
} from './pages/layout.ts';
import { getId, type Provider } from './provider.ts';
import { decodeForm } from './requests.ts';
import { presentSession } from './sessions.ts';

/** A debit with its payer and merchant. */
export type PendingDebit = {
  readonly intent: Stripe.PaymentIntent;
  readonly payer: string;
  readonly merchant: string;
};

/** Newest first. */
export function listPendingDebits(provider: Provider): PendingDebit[] {
  const intents = provider.store.paymentIntents.all(equals('status', 'processing'));
  return intents.map((intent) => {
    const session = findSessionByIntent(provider, intent);
    const customer = intent.customer === null ? undefined : provider.store.customers.find(getId(intent.customer));
    const payer = session?.customer_details?.name ?? customer?.name ?? 'someone';
    return { intent, payer, merchant: session ? merchantName(session) : 'Sandbox account' };
  });
}

/** @returns false if the debit is no longer pending */
export function resolveDebit(provider: Provider, intentId: string, isSettled: boolean): boolean {
  const { store } = provider;
  return store.transaction(() => {
    const intent = store.paymentIntents.find(intentId);
    if (intent?.status !== 'processing') return false;
    if (isSettled) settleDebit(provider, intent);
    else failDebit(provider, intent);
    return true;
  });
}

function settleDebit(provider: Provider, previous: Stripe.PaymentIntent): void {
  const { store } = provider;
  const intent: Stripe.PaymentIntent = { ...previous, status: 'succeeded', amount_received: previous.amount };
  store.paymentIntents.save(intent);
  const charge = updateCharge(provider, intent, { status: 'succeeded' });
  if (charge) recordSuccess(provider, charge, intent);
  const invoice = findInvoiceByIntent(provider, intent);
  if (invoice) markInvoicePaid(provider, invoice);
  const unpaidSession = findSessionByIntent(provider, intent);
  if (!unpaidSession) return;
  const session: Stripe.Checkout.Session = { ...unpaidSession, payment_status: 'paid' };
  store.sessions.save(session);
  provider.emit('checkout.session.async_payment_succeeded', presentSession(provider, session));
}

function failDebit(provider: Provider, previous: Stripe.PaymentIntent): void {
  const message = 'The bank returned the debit: insufficient funds.';
  const error = { type: 'invalid_request_error', code: 'payment_intent_payment_attempt_failed', message };
  const intent: Stripe.PaymentIntent = { ...previous, status: 'requires_payment_method', last_payment_error: error };
  provider.store.paymentIntents.save(intent);
  const charge = updateCharge(provider, intent, {
    status: 'failed',
    paid: false,
    captured: false,
    amount_captured: 0,
    failure_code: 'insufficient_funds',
    failure_message: message,
  });
  if (charge) recordFailure(provider, charge);
  provider.emit('payment_intent.payment_failed', intent);
  const invoice = findInvoiceByIntent(provider, intent);
  // Failed debits are not retried.
  if (invoice) markInvoiceUnpaid(provider, invoice, null);
  const session = findSessionByIntent(provider, intent);
  if (session) provider.emit('checkout.session.async_payment_failed', presentSession(provider, session));
}

function recordFailure(provider: Provider, previous: Stripe.Charge): void {
  const charge = { ...previous, failure_balance_transaction: postDebitFailure(provider, previous).id };
  provider.store.charges.save(charge);
  provider.emit('charge.failed', charge);
}

function findInvoiceByIntent({ store }: Provider, intent: Stripe.PaymentIntent): Stripe.Invoice | undefined {
  const [payment] = store.invoicePayments.all(equals('payment_intent', intent.id));
  return payment && store.invoices.find(getId(payment.invoice));
}

function updateCharge(
  { store }: Provider,
  intent: Stripe.PaymentIntent,
  change: Partial<Stripe.Charge>,
): Stripe.Charge | undefined {
  const previous = typeof intent.latest_charge === 'string' ? store.charges.find(intent.latest_charge) : undefined;
  if (!previous) return undefined;
  const charge = { ...previous, ...change };
  store.charges.save(charge);
  return charge;
}

function findSessionByIntent({ store }: Provider, intent: Stripe.PaymentIntent): Stripe.Checkout.Session | undefined {
  const [record] = store.sessionRecords.all(equals('payment_intent', intent.id));
  return record && store.sessions.find(record.id);
}

export function addDebitPages(app: FastifyInstance, provider: Provider): void {
  app.get('/sandbox/debits', (_request, reply) => sendPage(reply, renderDebitsPage(listPendingDebits(provider))));
  app.post<FormRoute>('/sandbox/debits/:id', (request, reply) => {
    const { outcome } = decodeForm(request.body);
    if (outcome === 'settle' || outcome === 'fail') resolveDebit(provider, request.params.id, outcome === 'settle');
    return reply.redirect('/sandbox/debits', 303);
  });
}

export function renderDebitsPage(debits: readonly PendingDebit[]): string {
  return renderPage(
    'Pending bank debits',
    html`<main class="card">
<a class="back" href="/sandbox"><span aria-hidden="true">←</span> Dashboard</a>
<h1>Pending bank debits</h1>
${
  debits.length === 0
    ? html`<p>No debits are pending. To start one, choose “Pay by bank debit (slow)” on a payment page.</p>`
    : html`<p>A real bank takes days. Choose the bank’s response now, or let each settle automatically after four days of sandbox time.</p><ul class="rows">${debits.map(debitRow)}</ul>`
}
</main>`,
  );
}

function debitRow({ intent, payer, merchant }: PendingDebit): Html {
  const amount = formatMoney(intent.amount, intent.currency);
  const hiddenDescription = html`<span class="hidden"> the debit of ${amount} from ${payer}</span>`;
  return html`<li>
<span class="what"><strong>${amount}</strong> <span>${payer} to ${merchant}</span> <span>${formatTime(intent.created)}</span></span>
<form method="post" action="/sandbox/debits/${intent.id}" class="choices">
<button type="submit" class="button" name="outcome" value="settle">Settle${hiddenDescription}</button>
<button type="submit" class="button second" name="outcome" value="fail">Fail${hiddenDescription}</button>
</form>
</li>`;
}
