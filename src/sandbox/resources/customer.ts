import type Stripe from 'stripe';
import { stripeId } from '../ids.ts';
import type { Payer } from '../payer.ts';

/** @param now in seconds */
export function newCustomer(payer: Payer, now: number): Stripe.Customer {
  return {
    id: stripeId('cus'),
    object: 'customer',
    address: null,
    balance: 0,
    created: now,
    currency: null,
    default_source: null,
    delinquent: false,
    description: null,
    discount: null,
    email: payer.email,
    invoice_settings: { custom_fields: null, default_payment_method: null, footer: null, rendering_options: null },
    livemode: false,
    metadata: {},
    name: payer.name,
    phone: null,
    preferred_locales: ['en-US'],
    shipping: null,
    tax_exempt: 'none',
    test_clock: null,
  };
}
