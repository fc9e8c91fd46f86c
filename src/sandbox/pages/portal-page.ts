import type Stripe from 'stripe';
import { CARD_HINTS, type FieldErrors, type PayFields } from '../cards.ts';
import { itemAmount } from '../renewals.ts';
import type { Instrument } from '../resources/payment.ts';
import { formatInterval } from '../resources/session.ts';
import { cardFieldset, errorSummary } from './card-fields.ts';
import { formatMoney, formatTime, type Html, html, renderPage } from './layout.ts';
import { createTranslator, type Translate } from './translations.ts';

export type PortalView = {
  readonly portal: Stripe.BillingPortal.Session;
  readonly subscriptions: readonly Stripe.Subscription[];
  readonly instrument: Instrument | undefined;
};

export function renderPortalPage({ portal, subscriptions, instrument }: PortalView): string {
  return renderPage(
    'Your recurring payments',
    html`<main class="card">
${backLink(portal.return_url)}
<h1>Your recurring payments</h1>
${subscriptions.length === 0 && html`<p>You have no recurring payments.</p>`}
<ul class="rows">${subscriptions.map((subscription) => subscriptionRow(portal, subscription))}</ul>
${
  subscriptions.some(({ status }) => status !== 'canceled') &&
  html`<h2>Payment method</h2>
<p>${instrumentText(instrument)}</p>
<p><a class="button second" href="/sandbox/portal/${portal.id}/card">Change the card</a></p>`
}
</main>`,
  );
}

function backLink(url: string | null, translate: Translate = createTranslator(null)): Html | undefined {
  if (url === null) return undefined;
  return html`<a class="back" href="${url}"><span aria-hidden="true">←</span> ${translate('Go back')}</a>`;
}

function subscriptionRow(portal: Stripe.BillingPortal.Session, subscription: Stripe.Subscription): Html {
  const amount = priceText(subscription);
  return html`<li>
<span class="what"><strong>${amount}</strong> <span>Since ${formatTime(subscription.start_date)}</span> <span>${statusText(subscription)}</span></span>
${
  subscription.status !== 'canceled' &&
  html`<form method="post" action="/sandbox/portal/${portal.id}" class="choices">
<button type="submit" class="button second" name="subscription" value="${subscription.id}">Cancel<span class="hidden"> ${amount}</span></button>
</form>`
}
</li>`;
}

/** "$25.00 every month". */
export function priceText({ items, currency }: Stripe.Subscription): string {
  const total = items.data.reduce((sum, item) => sum + itemAmount(item), 0);
  const interval = items.data[0]?.price.recurring;
  return `${formatMoney(total, currency)}${interval ? ` every ${formatInterval(interval)}` : ''}`;
}

export function statusText({
  status,
  cancel_at_period_end: isEnding,
  pause_collection: pause,
}: Stripe.Subscription): string {
  if (status === 'past_due') return 'Past due';
  if (status === 'canceled') return 'Canceled';
  if (pause) return 'Paused';
  if (isEnding) return 'Ends after this period';
  return status === 'active' ? 'Active' : status;
}

export function instrumentText(
  instrument: Instrument | undefined,
  translate: Translate = createTranslator(null),
): string {
  if (!instrument) return 'None';
  if (instrument.kind === 'us_bank_account') return `Bank account ending in ${instrument.last4}`;
  return translate('{brand} ending in {last4}', { brand: brandName(instrument.brand), last4: instrument.last4 });
}

/** "Visa". */
export function brandName(brand: string): string {
  return brand.charAt(0).toUpperCase() + brand.slice(1);
}

type CardForm = {
  readonly fields: PayFields;
  readonly errors: FieldErrors;
  readonly declineMessage?: string | undefined;
};

const CURRENT_CARD = 'Your recurring payments use: {card}. Any payment due is charged to the new card immediately.';

export function renderCardPage({ portal, instrument }: PortalView, form: CardForm): string {
  const translate = createTranslator(portal.locale);
  const view = { ...form, translate, prefix: 'card' };
  const isCardUpdateFlow = portal.flow?.type === 'payment_method_update';
  return renderPage(
    translate('Change your card'),
    html`<main class="card narrow">
${isCardUpdateFlow ? backLink(portal.return_url, translate) : backLink(`/sandbox/portal/${portal.id}/home`, translate)}
<h1>${translate('Change your card')}</h1>
<p>${translate(CURRENT_CARD, { card: instrumentText(instrument, translate) })}</p>
${errorSummary(view, 'The card was declined')}
<form method="post" action="/sandbox/portal/${portal.id}/card" novalidate aria-label="${translate('New card')}">
${cardFieldset(view)}
<button type="submit" class="button">${translate('Save the card')}</button>
</form>
<h2>${translate('Test cards')}</h2>
<p>${translate('Any future date, any security code.')}</p>
<ul>${CARD_HINTS.map(({ number, behavior }) => html`<li><span class="digits">${number}</span> – ${translate(behavior)}</li>`)}</ul>
</main>`,
    portal.locale,
  );
}

export function renderCancelPage({ portal }: PortalView, subscription: Stripe.Subscription): string {
  return renderPage(
    'Cancel your recurring payment',
    html`<main class="card narrow">
${backLink(portal.return_url)}
<h1>Cancel your recurring payment</h1>
<p>${priceText(subscription)}. It ends immediately, and you won't be charged again.</p>
<form method="post" action="/sandbox/portal/${portal.id}">
<button type="submit" class="button" name="subscription" value="${subscription.id}">Cancel the recurring payment</button>
</form>
</main>`,
  );
}
