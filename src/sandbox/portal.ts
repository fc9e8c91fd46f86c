import type Stripe from 'stripe';
import { missingParameter, noSuch } from './api-error.ts';
import { equals } from './collection.ts';
import { stripeId } from './ids.ts';
import type { Provider } from './provider.ts';
import { refuseUnsupported } from './unsupported.ts';

const SUPPORTED = ['customer', 'expand', 'locale', 'return_url'];

/** A page on which a customer sees and cancels their subscriptions. */
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
