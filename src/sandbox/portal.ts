import type { FastifyInstance } from 'fastify';
import type Stripe from 'stripe';
import { equals } from './collection.ts';
import { type FormRoute, type Html, html, money, page, sendPage, timeText } from './pages/layout.ts';
import { missingParameter, noSuch, refuseUnsupported, StripeApiError } from './parameters.ts';
import { type Provider, stripeId } from './provider.ts';
import { decodeForm } from './requests.ts';
import { intervalText } from './resources/session.ts';
import { cancelSubscription } from './subscriptions.ts';

const SUPPORTED = ['customer', 'expand', 'locale', 'return_url'];

export function createPortalSession(
  provider: Provider,
  request: Stripe.BillingPortal.SessionCreateParams,
): Stripe.BillingPortal.Session {
  refuseUnsupported(request, SUPPORTED);
  if (!request.customer) throw missingParameter('customer');
  if (!provider.store.customers.find(request.customer)) throw noSuch('customer', request.customer, 'customer');
  const id = stripeId('bps');
  const session: Stripe.BillingPortal.Session = {
    id,
    object: 'billing_portal.session',
    configuration: 'bpc_sandbox',
    created: provider.now(),
    customer: request.customer,
    customer_account: null,
    flow: null,
    livemode: false,
    locale: request.locale ?? null,
    on_behalf_of: null,
    return_url: request.return_url ?? null,
    url: `${provider.publicUrl()}/sandbox/portal/${id}`,
  };
  provider.store.portalSessions.save(session);
  return session;
}

export function subscriptionsOf({ store }: Provider, customer: string): Stripe.Subscription[] {
  return store.subscriptions.all(equals('customer', customer));
}

export function addPortalPages(app: FastifyInstance, provider: Provider): void {
  app.get<FormRoute>('/sandbox/portal/:id', (request, reply) => {
    const portal = portalOf(provider, request.params.id);
    return sendPage(reply, portalPage(portal, subscriptionsOf(provider, portal.customer)));
  });
  app.post<FormRoute>('/sandbox/portal/:id', (request, reply) => {
    const portal = portalOf(provider, request.params.id);
    const { subscription: id } = decodeForm(request.body);
    const chosen = subscriptionsOf(provider, portal.customer).find((one) => one.id === id && one.status !== 'canceled');
    if (chosen) provider.store.transaction(() => cancelSubscription(provider, chosen.id));
    return reply.redirect(`/sandbox/portal/${portal.id}`, 303);
  });
}

function portalOf({ store }: Provider, id: string): Stripe.BillingPortal.Session {
  const portal = store.portalSessions.find(id);
  if (!portal) throw new StripeApiError(404, 'This page does not exist.');
  return portal;
}

export function portalPage(
  portal: Stripe.BillingPortal.Session,
  subscriptions: readonly Stripe.Subscription[],
): string {
  return page(
    'Your recurring payments',
    html`<main class="card">
${portal.return_url !== null && html`<a class="back" href="${portal.return_url}"><span aria-hidden="true">←</span> Go back</a>`}
<h1>Your recurring payments</h1>
${subscriptions.length === 0 && html`<p>You have no recurring payments.</p>`}
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
<span class="what"><strong>${amount}${interval && html` every ${intervalText(interval)}`}</strong> <span>Since ${timeText(subscription.start_date)}</span> <span>${statusText(subscription)}</span></span>
${
  subscription.status !== 'canceled' &&
  html`<form method="post" action="/sandbox/portal/${portal.id}" class="choices">
<button type="submit" class="button second" name="subscription" value="${subscription.id}">Cancel<span class="hidden"> ${amount}</span></button>
</form>`
}
</li>`;
}

function statusText({ status, cancel_at_period_end: ends }: Stripe.Subscription): string {
  if (status === 'active') return ends ? 'Ends after this period' : 'Active';
  if (status === 'past_due') return 'Past due';
  return status === 'canceled' ? 'Canceled' : status;
}
