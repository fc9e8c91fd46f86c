import type Stripe from 'stripe';
import type { PendingDebit } from '../debits.ts';
import { intervalWords } from '../resources/line-item.ts';
import { type Html, html } from './html.ts';
import { merchantOf, money, page } from './layout.ts';

/** What a bank shows before it lets a payment through. */
export function authenticationPage(session: Stripe.Checkout.Session): string {
  return page(
    'Authenticate your payment',
    html`<main class="card narrow">
<p class="kicker">Test bank</p>
<h1>Is this you?</h1>
<p>${merchantOf(session)} asks for <strong>${money(session.amount_total, session.currency)}</strong> from your card. At a real bank you would confirm it with a code or in its app.</p>
<form method="post" action="/sandbox/pay/${session.id}/authenticate" class="choices">
<button type="submit" class="button" name="outcome" value="complete">Complete authentication</button>
<button type="submit" class="button second" name="outcome" value="fail">Fail authentication</button>
</form>
</main>`,
  );
}

/** The debits under way, each with the two things a bank can say. */
export function debitsPage(debits: readonly PendingDebit[]): string {
  return page(
    'Pending bank debits',
    html`<main class="card">
<h1>Pending bank debits</h1>
${
  debits.length === 0
    ? html`<p>No debit is pending. One begins when someone chooses “Pay by bank debit (slow)” on a payment page.</p>`
    : html`<p>At a real bank these would take days. Say here what the bank says.</p><ul class="rows">${debits.map(debitRow)}</ul>`
}
</main>`,
  );
}

function debitRow({ intent, session }: PendingDebit): Html {
  const amount = money(intent.amount, intent.currency);
  const payer = session.customer_details?.name ?? 'someone';
  const which = html`<span class="hidden"> the debit of ${amount} from ${payer}</span>`;
  return html`<li>
<span class="what"><strong>${amount}</strong> <span>${payer} to ${merchantOf(session)}</span> <span>${timeWords(intent.created)}</span></span>
<form method="post" action="/sandbox/debits/${intent.id}" class="choices">
<button type="submit" class="button" name="outcome" value="settle">Settle${which}</button>
<button type="submit" class="button second" name="outcome" value="fail">Fail${which}</button>
</form>
</li>`;
}

/** A customer's subscriptions, each to be canceled. */
export function portalPage(
  portal: Stripe.BillingPortal.Session,
  subscriptions: readonly Stripe.Subscription[],
): string {
  return page(
    'Your recurring payments',
    html`<main class="card">
${portal.return_url !== null && html`<a class="back" href="${portal.return_url}"><span aria-hidden="true">←</span> Go back</a>`}
<h1>Your recurring payments</h1>
${subscriptions.length === 0 && html`<p>There are none.</p>`}
<ul class="rows">${subscriptions.map((subscription) => subscriptionRow(portal, subscription))}</ul>
</main>`,
  );
}

function subscriptionRow(portal: Stripe.BillingPortal.Session, subscription: Stripe.Subscription): Html {
  const items = subscription.items.data;
  const amount = money(
    items.reduce((sum, { price, quantity = 1 }) => sum + (price.unit_amount ?? 0) * quantity, 0),
    subscription.currency,
  );
  const interval = items[0]?.price.recurring;
  return html`<li>
<span class="what"><strong>${amount}${interval && html` every ${intervalWords(interval)}`}</strong> <span>Since ${timeWords(subscription.start_date)}</span> <span>${statusWords(subscription)}</span></span>
${
  subscription.status !== 'canceled' &&
  html`<form method="post" action="/sandbox/portal/${portal.id}" class="choices">
<button type="submit" class="button second" name="subscription" value="${subscription.id}">Cancel<span class="hidden"> ${amount}</span></button>
</form>`
}
</li>`;
}

function statusWords({ status, cancel_at_period_end: ends }: Stripe.Subscription): string {
  if (status === 'active') return ends ? 'Ends with this period' : 'Active';
  if (status === 'past_due') return 'Past due';
  return status === 'canceled' ? 'Canceled' : status;
}

/** @param at in seconds */
function timeWords(at: number): string {
  return `${new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' }).format(at * 1000)} UTC`;
}
