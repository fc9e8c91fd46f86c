// The dashboard. Each button simulates an action of the merchant, the bank, or the clock.
import type { FastifyInstance, FastifyReply } from 'fastify';
import { retrieveBalance } from '../balance.ts';
import { readClockMove } from '../clock.ts';
import { equals } from '../collection.ts';
import { appealDispute, closeDispute, type Decision, findDispute, openDispute, returnDebit } from '../disputes.ts';
import { advanceClock, catchUp } from '../due-work.ts';
import { createFraudWarning } from '../fraud-warnings.ts';
import { invalidRequest, StripeApiError } from '../parameters.ts';
import { failPayout, payOut, payOutManually } from '../payouts.ts';
import { getId, type Provider } from '../provider.ts';
import { failRefund, settleRefund } from '../refund-outcomes.ts';
import { createRefund, holdsRefunds } from '../refunds.ts';
import { decodeForm, type FormTree } from '../requests.ts';
import { type DashboardView, type PaymentView, renderDashboardPage } from './dashboard-page.ts';
import { type FormRoute, sendPage } from './layout.ts';

const PAYMENTS_PER_PAGE = 20;
const MAX_SUBSCRIPTIONS = 100;

export function addDashboard(app: FastifyInstance, provider: Provider): void {
  app.get<{ Querystring: { after?: string } }>('/sandbox', (request, reply) =>
    sendPage(reply, renderDashboardPage(createView(provider, parseCursor(request.query.after)))),
  );
  app.post<{ Body: string }>('/sandbox/clock', (request, reply) => {
    const form = decodeForm(request.body);
    return performAction(provider, reply, form, () => advanceClock(provider, readClockMove(form)));
  });
  app.post<{ Body: string }>('/sandbox/payouts', (request, reply) => {
    const form = decodeForm(request.body);
    return performAction(provider, reply, form, () => payOutNow(provider, form));
  });
  app.post<{ Body: string }>('/sandbox/uncovered-refunds', (request, reply) => {
    const form = decodeForm(request.body);
    return performAction(provider, reply, form, () => {
      provider.store.saveSetting('holds_refunds', form.hold === 'yes' ? 1 : 0);
      catchUp(provider);
    });
  });
  const actions: Readonly<Record<string, (id: string, form: FormTree) => void>> = {
    '/sandbox/charges/:id': (id, form) => changeCharge(provider, id, form),
    '/sandbox/disputes/:id': (id, { outcome }) => decideDispute(provider, id, outcome),
    '/sandbox/payouts/:id': (id) => void failPayout(provider, id),
    '/sandbox/refunds/:id': (id, { outcome }) => resolveRefund(provider, id, outcome === 'settle'),
  };
  for (const [path, action] of Object.entries(actions))
    app.post<FormRoute>(path, (request, reply) => {
      const form = decodeForm(request.body);
      return performAction(provider, reply, form, () => action(request.params.id, form));
    });
}

/** Performs an action and shows the same page again, with Stripe's message if it failed. */
function performAction(provider: Provider, reply: FastifyReply, form: FormTree, work: () => void): FastifyReply {
  const after = parseCursor(form.after);
  try {
    provider.store.transaction(work);
  } catch (error) {
    if (!(error instanceof StripeApiError)) throw error;
    return sendPage(
      reply.status(error.status),
      renderDashboardPage({ ...createView(provider, after), problem: error.message }),
    );
  }
  const row = typeof form.row === 'string' && /^pi_\w+$/.test(form.row) ? `#${form.row}` : '';
  return reply.redirect(`/sandbox${after === undefined ? '' : `?after=${after}`}${row}`, 303);
}

function payOutNow(provider: Provider, { by, amount }: FormTree): void {
  if (by === 'hand') payOutManually(provider, 'standard', amount ? readDollars(amount) : undefined);
  else if (by === 'instant') payOutManually(provider, 'instant', amount ? readDollars(amount) : undefined);
  else if (payOut(provider).length === 0) throw invalidRequest('Nothing is available to pay out yet.');
}

function changeCharge(provider: Provider, id: string, { action, amount }: FormTree): void {
  if (action === 'refund') createRefund(provider, { charge: id, amount: readDollars(amount) });
  else if (action === 'dispute') openDispute(provider, id);
  else if (action === 'return') returnDebit(provider, id);
  else if (action === 'warn') createFraudWarning(provider, id);
  else throw invalidRequest('Choose refund, dispute, return, or warn.', 'action');
}

const DECISIONS: Readonly<Record<string, Decision>> = { win: 'won', lose: 'lost', 'lose-in-part': 'lost-in-part' };

function decideDispute(provider: Provider, id: string, outcome: unknown): void {
  const decision = DECISIONS[String(outcome)];
  if (decision !== undefined) closeDispute(provider, id, decision);
  else if (outcome === 'appeal') appealDispute(provider, id);
  else throw invalidRequest('Choose win, lose, lose-in-part, or appeal.', 'outcome');
}

function resolveRefund(provider: Provider, id: string, isSettled: boolean): void {
  const refund = provider.store.refunds.find(id);
  if (isSettled && refund?.pending_reason === 'processing') settleRefund(provider, refund);
  else failRefund(provider, id);
}

/** @returns cents */
function readDollars(text: unknown): number {
  const [, dollars, cents = ''] =
    /^\$?(\d{1,7})(?:\.(\d{1,2}))?$/.exec(typeof text === 'string' ? text.trim() : '') ?? [];
  if (dollars === undefined) throw invalidRequest('Enter an amount such as 12.50.', 'amount');
  return Number(dollars) * 100 + Number(cents.padEnd(2, '0'));
}

function parseCursor(after: unknown): string | undefined {
  return typeof after === 'string' && /^pi_\w+$/.test(after) ? after : undefined;
}

function createView(provider: Provider, after: string | undefined): DashboardView {
  const { store } = provider;
  const cursor = after !== undefined && store.paymentIntents.find(after) ? after : undefined;
  const payments = store.paymentIntents.list({ limit: PAYMENTS_PER_PAGE, startingAfter: cursor });
  return {
    now: provider.now(),
    clockOffset: Number(store.setting('clock_offset') ?? 0),
    balance: retrieveBalance(provider),
    holdsRefunds: holdsRefunds(store),
    payouts: store.payouts.list({ limit: 5 }).data,
    payments: payments.data.map((intent) => createPaymentView(provider, intent)),
    after: cursor,
    nextCursor: payments.hasMore ? payments.data.at(-1)?.id : undefined,
    subscriptions: store.subscriptions.list({ limit: MAX_SUBSCRIPTIONS }).data.map((subscription) => ({
      subscription,
      name: store.customers.find(getId(subscription.customer))?.name ?? 'someone',
    })),
  };
}

function createPaymentView(provider: Provider, intent: PaymentView['intent']): PaymentView {
  const { store } = provider;
  const charge = typeof intent.latest_charge === 'string' ? store.charges.find(intent.latest_charge) : undefined;
  return {
    intent,
    charge,
    refunds: charge ? store.refunds.all(equals('charge', charge.id)) : [],
    dispute: charge && findDispute(provider, charge.id),
  };
}
