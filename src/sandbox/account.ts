import type Stripe from 'stripe';
import type { Provider } from './provider.ts';

/** The merchant's account. Each sandbox database has one. */
export function retrieveAccount({ store }: Provider): Stripe.Account {
  return {
    id: String(store.setting('account')),
    object: 'account',
    business_type: 'non_profit',
    charges_enabled: true,
    country: 'US',
    default_currency: 'usd',
    details_submitted: true,
    email: null,
    payouts_enabled: true,
    type: 'standard',
  };
}
