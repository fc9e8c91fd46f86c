import type Stripe from 'stripe';
import { isOpenDispute } from '../disputes.ts';
import { formatMoney, formatTime, type Html, html, renderPage } from './layout.ts';
import { brandName, priceText, statusText } from './portal-page.ts';

export type PaymentView = {
  readonly intent: Stripe.PaymentIntent;
  readonly charge: Stripe.Charge | undefined;
  readonly refunds: readonly Stripe.Refund[];
  readonly dispute: Stripe.Dispute | undefined;
};

export type DashboardView = {
  readonly now: number;
  /** Seconds by which the clock is ahead of real time. */
  readonly clockOffset: number;
  readonly balance: Stripe.Balance;
  /** Refunds that the balance doesn't cover are pending until it does. */
  readonly holdsRefunds: boolean;
  readonly payouts: readonly Stripe.Payout[];
  readonly payments: readonly PaymentView[];
  /** Id of the last payment on the previous page. */
  readonly after: string | undefined;
  /** Id of the last payment on this page, if there are more pages. */
  readonly nextCursor: string | undefined;
  readonly subscriptions: readonly { readonly subscription: Stripe.Subscription; readonly name: string }[];
  /** Error message of the last action. */
  readonly problem?: string;
};

export function renderDashboardPage(view: DashboardView): string {
  return renderPage(
    'Dashboard',
    html`<main class="card wide">
<h1>Sandbox dashboard</h1>
<p>Simulates the actions of Stripe and the banks, and the passage of time, for your test payments. The program receives the same notifications as from Stripe.</p>
${view.problem !== undefined && html`<div class="problem" role="alert" tabindex="-1" autofocus><h2>The action failed</h2><p>${view.problem}</p></div>`}
${clockSection(view)}
${balanceSection(view)}
${paymentsSection(view)}
${subscriptionsSection(view)}
</main>`,
  );
}

const DAY_SECONDS = 86_400;
/** A month is 31 days: from the end of a short month, one calendar month wouldn't reach a charge on the 31st. */
const CLOCK_MOVES = [
  { name: 'seconds', value: DAY_SECONDS, label: '1 day' },
  { name: 'seconds', value: 31 * DAY_SECONDS, label: '1 month' },
  { name: 'months', value: 12, label: '1 year' },
] as const;

function clockSection({ now, clockOffset: offset }: DashboardView): Html {
  const days = Math.round(offset / DAY_SECONDS);
  return html`<section aria-labelledby="clock">
<h2 id="clock">Clock</h2>
<p>Sandbox time: <strong>${formatTime(now)}</strong>${days > 0 && html`, ${days} ${days === 1 ? 'day' : 'days'} ahead of real time`}. Renewals, retries, and payouts happen in order as they come due. The clock never moves back.</p>
<form method="post" action="/sandbox/clock" class="choices">${CLOCK_MOVES.map(
    ({ name, value, label }) =>
      html`<button type="submit" class="button second" name="${name}" value="${value}">Move the clock ${label}</button>`,
  )}</form>
</section>`;
}

function balanceSection({ balance: { available, pending }, holdsRefunds, payouts }: DashboardView): Html {
  const amounts = (rows: readonly { amount: number; currency: string }[]): string =>
    rows.map(({ amount, currency }) => formatMoney(amount, currency)).join(', ');
  return html`<section aria-labelledby="balance">
<h2 id="balance">Balance and payouts</h2>
<p>Available: <strong>${amounts(available)}</strong>. Pending: <strong>${amounts(pending)}</strong>. Available money is paid out at midnight UTC.</p>
<form method="post" action="/sandbox/payouts" class="choices"><button type="submit" class="button second">Pay out now</button>
<button type="submit" class="button second" name="by" value="hand">Pay out manually</button>
<button type="submit" class="button second" name="by" value="instant">Pay out instantly</button></form>
<p>${holdsRefunds ? 'Card refunds that the available balance doesn’t cover are pending until it does.' : 'Refunds can make the balance negative, as if the bank account covered them.'}</p>
<form method="post" action="/sandbox/uncovered-refunds" class="choices"><button type="submit" class="button second" name="hold" value="${holdsRefunds ? 'no' : 'yes'}">${holdsRefunds ? 'Let refunds overdraw the balance' : 'Hold refunds until the balance covers them'}</button></form>
${payouts.length > 0 && html`<ul class="rows">${payouts.map(payoutRow)}</ul>`}
</section>`;
}

function payoutRow({ id, amount, currency, created, arrival_date: arrival, status }: Stripe.Payout): Html {
  const states = { paid: 'In the bank', failed: 'Returned by the bank' } as const;
  const state =
    status === 'paid' || status === 'failed' ? states[status] : `On its way, arrives ${formatTime(arrival)}`;
  const title = `Payout of ${formatMoney(amount, currency)}`;
  return html`<li><span class="what"><strong>${title}</strong> <span>${formatTime(created)}</span> <span>${state}</span></span>
${status !== 'failed' && html`<form method="post" action="/sandbox/payouts/${id}" class="choices"><button type="submit" class="button second">Fail the payout<span class="hidden">: ${title}</span></button></form>`}</li>`;
}

function paymentsSection(view: DashboardView): Html {
  return html`<section aria-labelledby="payments">
<h2 id="payments">Payments</h2>
${
  view.payments.length === 0
    ? html`<p>No payments yet.</p>`
    : html`<ul class="rows">${view.payments.map((payment) => paymentRow(payment, view.after))}</ul>`
}
<p class="choices">${view.after !== undefined && html`<a href="/sandbox#payments">Newest payments</a>`}
${view.nextCursor !== undefined && html`<a href="/sandbox?after=${view.nextCursor}#payments">Older payments</a>`}
<a href="/sandbox/debits">Pending bank debits</a></p>
</section>`;
}

function paymentRow(payment: PaymentView, after: string | undefined): Html {
  const { intent, charge } = payment;
  const amount = formatMoney(intent.amount, intent.currency);
  const payer = charge?.billing_details.name ?? 'Not paid yet';
  return html`<li id="${intent.id}">
<div class="what"><h3>${amount}</h3> <span>${payer}${charge && html`, ${methodText(charge)}`}</span>
<span>${formatTime(charge?.created ?? intent.created)}</span>
<span class="state">${stateText(payment)}</span></div>
${charge?.status === 'succeeded' && paymentActions(payment, charge, after)}
</li>`;
}

function methodText({ payment_method_details: details }: Stripe.Charge): string {
  const last4 = details?.card?.last4 ?? details?.us_bank_account?.last4;
  const brand = details?.card?.brand;
  return `${brand ? brandName(brand) : 'bank account'} ending in ${last4}`;
}

const INTENT_STATES: Readonly<Record<string, string>> = {
  requires_payment_method: 'Not paid',
  requires_action: 'Pending authentication',
  processing: 'Bank debit pending',
};

function stateText({ intent, charge, dispute }: PaymentView): string {
  if (charge?.status !== 'succeeded') {
    const reason = intent.last_payment_error?.message;
    return `${INTENT_STATES[intent.status] ?? intent.status}${reason === undefined ? '' : `: ${reason}`}`;
  }
  const { amount_refunded: refunded, currency } = charge;
  const parts = [
    charge.refunded ? 'Refunded' : 'Paid',
    ...(refunded > 0 && !charge.refunded ? [`${formatMoney(refunded, currency)} refunded`] : []),
    ...(dispute ? [isOpenDispute(dispute) ? 'disputed' : `dispute ${dispute.status}`] : []),
  ];
  return parts.join(', ');
}

function paymentActions(
  { intent, refunds, dispute }: PaymentView,
  charge: Stripe.Charge,
  after: string | undefined,
): Html {
  const refundable = charge.amount - charge.amount_refunded;
  const positionInputs = html`<input type="hidden" name="row" value="${intent.id}">${after !== undefined && html`<input type="hidden" name="after" value="${after}">`}`;
  const hint = html`<span class="hidden"> of ${formatMoney(charge.amount, charge.currency)}, ${charge.billing_details.name ?? ''}</span>`;
  const isBlocked = dispute !== undefined && dispute.status !== 'won';
  return html`<details class="actions">
<summary>Refund or dispute<span class="hidden"> the payment</span>${hint}</summary>
${refundable > 0 && !isBlocked && refundForm(charge, refundable, positionInputs)}
${refunds.map((refund) => refundRow(refund, positionInputs))}
${dispute ? resolveDisputeForm(dispute, positionInputs) : refundable > 0 && openDisputeForm(charge, positionInputs, hint)}
</details>`;
}

function refundForm({ id }: Stripe.Charge, refundable: number, positionInputs: Html): Html {
  return html`<form method="post" action="/sandbox/charges/${id}" class="inline">${positionInputs}
<input type="hidden" name="action" value="refund">
<div class="field"><label for="amount-${id}">Amount to refund, in dollars</label>
<input id="amount-${id}" name="amount" inputmode="decimal" autocomplete="off" required maxlength="12" value="${(refundable / 100).toFixed(2)}"></div>
<button type="submit" class="button second">Refund</button>
</form>`;
}

function refundRow(
  { id, amount, currency, status, pending_reason: reason }: Stripe.Refund,
  positionInputs: Html,
): Html {
  const title = `Refund of ${formatMoney(amount, currency)}`;
  return html`<form method="post" action="/sandbox/refunds/${id}" class="choices">${positionInputs}
<span>${title}: ${status}${reason === 'insufficient_funds' && ' until the balance covers it'}</span>
${reason === 'processing' && html`<button type="submit" class="button second" name="outcome" value="settle">Settle the pending refund</button>`}
${status !== 'failed' && html`<button type="submit" class="button second" name="outcome" value="fail">Fail the ${status === 'pending' && 'pending '}refund</button>`}
</form>`;
}

function resolveDisputeForm(dispute: Stripe.Dispute, positionInputs: Html): Html {
  if (!isOpenDispute(dispute))
    return html`<form method="post" action="/sandbox/disputes/${dispute.id}" class="choices">${positionInputs}
<span>The dispute of ${formatMoney(dispute.amount, dispute.currency)} was ${dispute.status}.</span>
<button type="submit" class="button second" name="outcome" value="appeal">Appeal the decision</button>
</form>`;
  return html`<form method="post" action="/sandbox/disputes/${dispute.id}" class="choices">${positionInputs}
<button type="submit" class="button second" name="outcome" value="win">Win the dispute</button>
<button type="submit" class="button second" name="outcome" value="lose">Lose the dispute</button>
<button type="submit" class="button second" name="outcome" value="lose-in-part">Lose it except for the refunded part</button>
</form>`;
}

function openDisputeForm(
  { id, payment_method_details: details }: Stripe.Charge,
  positionInputs: Html,
  hint: Html,
): Html {
  return html`<form method="post" action="/sandbox/charges/${id}" class="choices">${positionInputs}
${
  details?.type === 'us_bank_account'
    ? html`<button type="submit" class="button second" name="action" value="return">Return the debit${hint}</button>`
    : html`<button type="submit" class="button second" name="action" value="dispute">Dispute${hint}</button>
<button type="submit" class="button second" name="action" value="warn">Early fraud warning${hint}</button>`
}
</form>`;
}

function subscriptionsSection({ subscriptions: rows }: DashboardView): Html {
  return html`<section aria-labelledby="subscriptions">
<h2 id="subscriptions">Subscriptions</h2>
${
  rows.length === 0
    ? html`<p>No subscriptions yet.</p>`
    : html`<ul class="rows">${rows.map(({ subscription, name }) => subscriptionRow(subscription, name))}</ul>`
}
</section>`;
}

function subscriptionRow(subscription: Stripe.Subscription, name: string): Html {
  return html`<li><div class="what"><h3>${priceText(subscription)}</h3> <span>${name}</span>
<span class="state">${statusText(subscription)}</span> ${nextCharge(subscription)}</div></li>`;
}

function nextCharge({ status, cancel_at_period_end: isEnding, items }: Stripe.Subscription): Html | undefined {
  const next = items.data[0]?.current_period_end;
  if (status === 'canceled' || next === undefined) return undefined;
  return html`<span>${isEnding ? 'Ends' : 'Next charge'} ${formatTime(next)}</span>`;
}
