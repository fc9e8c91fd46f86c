// The pages beside the payment page: what a bank says of a debit, and what a customer does with a subscription.
import type { FastifyInstance } from 'fastify';
import type Stripe from 'stripe';
import { StripeApiError } from './api-error.ts';
import { answerDebit, pendingDebits } from './debits.ts';
import { decodeForm } from './form-encoding.ts';
import { sendPage } from './page-reply.ts';
import { debitsPage, portalPage } from './pages/other-pages.ts';
import { subscriptionsOf } from './portal.ts';
import type { Provider } from './provider.ts';
import { cancelSubscription } from './subscriptions.ts';

type WithId = { Params: { id: string }; Body: string };

/** Adds `/sandbox/debits`. */
export function addDebitPages(app: FastifyInstance, provider: Provider): void {
  app.get('/sandbox/debits', (_request, reply) => sendPage(reply, debitsPage(pendingDebits(provider))));
  app.post<WithId>('/sandbox/debits/:id', (request, reply) => {
    const { outcome } = decodeForm(request.body);
    if (outcome === 'settle' || outcome === 'fail') answerDebit(provider, request.params.id, outcome === 'settle');
    return reply.redirect('/sandbox/debits', 303);
  });
}

/** Adds `/sandbox/portal`. */
export function addPortalPages(app: FastifyInstance, provider: Provider): void {
  app.get<WithId>('/sandbox/portal/:id', (request, reply) => {
    const portal = portalOf(provider, request.params.id);
    return sendPage(reply, portalPage(portal, subscriptionsOf(provider, portal.customer)));
  });
  app.post<WithId>('/sandbox/portal/:id', (request, reply) => {
    const portal = portalOf(provider, request.params.id);
    const { subscription: id } = decodeForm(request.body);
    const chosen = subscriptionsOf(provider, portal.customer).find((one) => one.id === id && one.status !== 'canceled');
    if (chosen) provider.store.transaction(() => cancelSubscription(provider, chosen.id));
    return reply.redirect(`/sandbox/portal/${portal.id}`, 303);
  });
}

function portalOf({ store }: Provider, id: string): Stripe.BillingPortal.Session {
  const portal = store.portalSessions.find(id);
  if (!portal) throw new StripeApiError(404, 'There is no such page.');
  return portal;
}
