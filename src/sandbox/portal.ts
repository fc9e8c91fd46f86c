// The customer portal: change the card, or end a recurring payment.
import type { FastifyInstance, FastifyReply } from 'fastify';
import type Stripe from 'stripe';
import { type EnteredCard, type PayFields, readCard } from './cards.ts';
import { equals } from './collection.ts';
import { collectInvoice } from './invoices.ts';
import { type FormRoute, renderNoticePage, sendPage } from './pages/layout.ts';
import { type PortalView, renderCancelPage, renderCardPage, renderPortalPage } from './pages/portal-page.ts';
import { invalidRequest, missingParameter, noSuchError, rejectUnsupported, StripeApiError } from './parameters.ts';
import { createStripeId, getId, type Provider } from './provider.ts';
import { decodeForm, type FormTree } from './requests.ts';
import { newMethod, presentPaymentMethod } from './resources/payment-method.ts';
import { cancelSubscription, listOpenInvoices } from './subscriptions.ts';

type Portal = Stripe.BillingPortal.Session;
type FlowData = NonNullable<Stripe.BillingPortal.SessionCreateParams['flow_data']>;

const SUPPORTED_PARAMETERS = ['customer', 'expand', 'flow_data', 'locale', 'return_url'];
const FLOWS: readonly string[] = ['payment_method_update', 'subscription_cancel'];

export function createPortalSession(provider: Provider, request: Stripe.BillingPortal.SessionCreateParams): Portal {
  rejectUnsupported(request, SUPPORTED_PARAMETERS);
  if (!request.customer) throw missingParameter('customer');
  if (!provider.store.customers.find(request.customer)) throw noSuchError('customer', request.customer, 'customer');
  const id = createStripeId('bps');
  const session: Portal = {
    id,
    object: 'billing_portal.session',
    configuration: 'bpc_sandbox',
    created: provider.now(),
    customer: request.customer,
    customer_account: null,
    flow: request.flow_data ? createFlow(provider, request.customer, request.flow_data) : null,
    livemode: false,
    locale: request.locale ?? null,
    on_behalf_of: null,
    return_url: request.return_url ?? null,
    url: `${provider.publicUrl()}/sandbox/portal/${id}`,
  };
  provider.store.portalSessions.save(session);
  return session;
}

function createFlow({ store }: Provider, customer: string, flow: FlowData): Stripe.BillingPortal.Session.Flow {
  if (!FLOWS.includes(flow.type))
    throw invalidRequest(`The sandbox supports only these flows: ${FLOWS.join(', ')}.`, 'flow_data[type]');
  rejectUnsupported(
    flow,
    ['after_completion', 'type', ...(flow.type === 'subscription_cancel' ? [flow.type] : [])],
    'flow_data',
  );
  const subscription = flow.subscription_cancel?.subscription;
  if (flow.type === 'subscription_cancel') {
    const param = 'flow_data[subscription_cancel][subscription]';
    if (subscription === undefined) throw missingParameter(param);
    if (store.subscriptions.find(subscription)?.customer !== customer)
      throw noSuchError('subscription', subscription, param);
  }
  const { type = 'portal_homepage', redirect, hosted_confirmation: confirmation } = flow.after_completion ?? {};
  return {
    after_completion: {
      hosted_confirmation: confirmation ? { custom_message: confirmation.custom_message ?? null } : null,
      redirect: redirect ?? null,
      type,
    },
    customer_update: null,
    subscription_cancel: subscription === undefined ? null : { retention: null, subscription },
    subscription_pause: null,
    subscription_update: null,
    subscription_update_confirm: null,
    type: flow.type,
  };
}

export function addPortalPages(app: FastifyInstance, provider: Provider): void {
  app.get<FormRoute>('/sandbox/portal/:id', (request, reply) =>
    sendPortal(provider, reply, requirePortal(provider, request.params.id)),
  );
  app.get<FormRoute>('/sandbox/portal/:id/home', (request, reply) =>
    sendPage(reply, renderPortalPage(createPortalView(provider, requirePortal(provider, request.params.id)))),
  );
  app.get<FormRoute>('/sandbox/portal/:id/card', (request, reply) =>
    sendCardPage(provider, reply, requirePortal(provider, request.params.id)),
  );
  app.post<FormRoute>('/sandbox/portal/:id', (request, reply) => {
    const portal = requirePortal(provider, request.params.id);
    const { subscription: id } = decodeForm(request.body);
    const subscription = listSubscriptions(provider, portal).find(
      (candidate) => candidate.id === id && candidate.status !== 'canceled',
    );
    if (subscription) provider.store.transaction(() => cancelSubscription(provider, subscription.id));
    return finishFlow(reply, portal, 'subscription_cancel');
  });
  app.post<FormRoute>('/sandbox/portal/:id/card', (request, reply) => {
    const portal = requirePortal(provider, request.params.id);
    const fields = readFields(provider, portal, decodeForm(request.body));
    const result = readCard(fields, new Date(provider.now() * 1000));
    const fieldsWithoutCard = { ...fields, number: '', cvc: '' };
    if ('errors' in result)
      return sendCardPage(provider, reply, portal, { fields: fieldsWithoutCard, errors: result.errors });
    const { outcome } = result.card;
    if (outcome.kind === 'declined')
      return sendCardPage(provider, reply, portal, {
        fields: fieldsWithoutCard,
        declineMessage: outcome.decline.message,
      });
    provider.store.transaction(() => changeCard(provider, portal.customer, result.card));
    return finishFlow(reply, portal, 'payment_method_update');
  });
}

/** Uses a card for the customer and all subscriptions, and pays open invoices with it. */
export function changeCard(provider: Provider, customerId: string, { payer, instrument, outcome }: EnteredCard): void {
  const { store } = provider;
  const delayedOutcome = outcome.kind === 'pays' ? (outcome.delayedOutcome ?? null) : null;
  const method = { ...newMethod(payer, instrument, delayedOutcome, provider.now()), customer: customerId };
  store.paymentMethods.save(method);
  provider.emit('payment_method.attached', presentPaymentMethod(method));
  const customer = store.customers.find(customerId);
  if (customer) {
    const settings = { ...customer.invoice_settings, default_payment_method: method.id };
    const updatedCustomer = { ...customer, invoice_settings: settings };
    store.customers.save(updatedCustomer);
    provider.emit('customer.updated', updatedCustomer, customer);
  }
  const activeSubscriptions = store.subscriptions.all(equals('customer', customerId), {
    sql: "status <> 'canceled'",
    values: [],
  });
  for (const previous of activeSubscriptions) {
    const updatedSubscription = { ...previous, default_payment_method: method.id };
    store.subscriptions.save(updatedSubscription);
    provider.emit('customer.subscription.updated', updatedSubscription, previous);
    // Oldest first.
    for (const invoice of listOpenInvoices(provider, previous.id).reverse())
      if (!isDebitPending(provider, invoice)) collectInvoice(provider, invoice);
  }
}

/** @returns whether a bank debit for the invoice is pending */
function isDebitPending({ store }: Provider, invoice: Stripe.Invoice): boolean {
  const [payment] = store.invoicePayments.all(equals('invoice', invoice.id));
  return store.paymentIntents.find(getId(payment?.payment.payment_intent))?.status === 'processing';
}

function listSubscriptions({ store }: Provider, { customer }: Portal): Stripe.Subscription[] {
  return store.subscriptions.all(equals('customer', customer));
}

function requirePortal({ store }: Provider, id: string): Portal {
  const portal = store.portalSessions.find(id);
  if (!portal) throw new StripeApiError(404, 'This page does not exist.');
  return portal;
}

/** Sends the portal's first page, which depends on the flow. */
function sendPortal(provider: Provider, reply: FastifyReply, portal: Portal): FastifyReply {
  const view = createPortalView(provider, portal);
  if (portal.flow?.type === 'payment_method_update') return sendCardPage(provider, reply, portal);
  const endingSubscription = view.subscriptions.find(({ id }) => id === portal.flow?.subscription_cancel?.subscription);
  const page =
    endingSubscription && endingSubscription.status !== 'canceled'
      ? renderCancelPage(view, endingSubscription)
      : renderPortalPage(view);
  return sendPage(reply, page, getRedirectTarget(portal));
}

function sendCardPage(
  provider: Provider,
  reply: FastifyReply,
  portal: Portal,
  formState: Partial<Parameters<typeof renderCardPage>[1]> = {},
): FastifyReply {
  const fields = readFields(provider, portal, {});
  const page = renderCardPage(createPortalView(provider, portal), { fields, errors: {}, ...formState });
  return sendPage(reply, page, getRedirectTarget(portal));
}

function createPortalView(provider: Provider, portal: Portal): PortalView {
  const subscriptions = listSubscriptions(provider, portal);
  const customer = provider.store.customers.find(portal.customer);
  const id = subscriptions[0]?.default_payment_method ?? customer?.invoice_settings.default_payment_method;
  const method = typeof id === 'string' ? provider.store.paymentMethods.find(id) : undefined;
  return { portal, subscriptions, instrument: method?.instrument };
}

/** The payer is the customer, so the form doesn't ask for their name. */
function readFields({ store }: Provider, { customer: id }: Portal, form: FormTree): PayFields {
  const customer = store.customers.find(id);
  const readText = (name: string): string => (typeof form[name] === 'string' ? form[name] : '');
  const { number, expiry, cvc } = { number: readText('number'), expiry: readText('expiry'), cvc: readText('cvc') };
  return { email: customer?.email ?? '', name: customer?.name ?? '', number, expiry, cvc };
}

function getRedirectTarget({ flow }: Portal): string | undefined {
  return flow?.after_completion.redirect?.return_url;
}

/**
 * @param completedAction the action that the customer just completed; ends a session that was created for this action
 */
function finishFlow(reply: FastifyReply, portal: Portal, completedAction: string): FastifyReply {
  const { type, redirect, hosted_confirmation: confirmation } = portal.flow?.after_completion ?? {};
  if (portal.flow?.type !== completedAction || type === 'portal_homepage')
    return reply.redirect(`/sandbox/portal/${portal.id}/home`, 303);
  if (redirect) return reply.redirect(redirect.return_url, 303);
  const back = portal.return_url === null ? undefined : { href: portal.return_url, label: 'Go back' };
  return sendPage(reply, renderNoticePage('Done', confirmation?.custom_message ?? 'Your change is saved.', back));
}
