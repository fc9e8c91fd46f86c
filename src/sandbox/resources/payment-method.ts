import type Stripe from 'stripe';
import { createStripeId } from '../provider.ts';
import { type Instrument, NO_ADDRESS, type Payer } from './payment.ts';

/** Event that a test card triggers after a payment. */
export type DelayedOutcome =
  | 'declined_at_renewal'
  | 'disputed'
  | 'warned'
  | 'funds_available'
  | 'refund_pending'
  | 'refund_fails'
  | null;

/** A payment method in the sandbox database. */
export type SavedMethod = {
  readonly id: string;
  readonly created: number;
  readonly customer: string | null;
  readonly payer: Payer;
  readonly instrument: Instrument;
  readonly delayedOutcome: DelayedOutcome;
};

/** @param now in seconds */
export function newMethod(
  payer: Payer,
  instrument: Instrument,
  delayedOutcome: DelayedOutcome,
  now: number,
): SavedMethod {
  return { id: createStripeId('pm'), created: now, customer: null, payer, instrument, delayedOutcome };
}

/** Presents a payment method in the API's format. */
export function presentPaymentMethod({ id, created, customer, payer, instrument }: SavedMethod): Stripe.PaymentMethod {
  const commonFields = {
    id,
    object: 'payment_method' as const,
    allow_redisplay: 'limited' as const,
    billing_details: { address: NO_ADDRESS, email: payer.email, name: payer.name, phone: null, tax_id: null },
    created,
    customer,
    customer_account: null,
    livemode: false,
    metadata: {},
  };
  return instrument.kind === 'card'
    ? { ...commonFields, type: 'card', card: toCard(instrument) }
    : { ...commonFields, type: 'us_bank_account', us_bank_account: toBankAccount(instrument.last4) };
}

function toCard(card: Extract<Instrument, { kind: 'card' }>): Stripe.PaymentMethod.Card {
  return {
    brand: card.brand,
    checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: 'pass' },
    country: 'US',
    display_brand: card.brand,
    exp_month: card.expMonth,
    exp_year: card.expYear,
    fingerprint: null,
    funding: 'credit',
    generated_from: null,
    last4: card.last4,
    networks: { available: [card.brand], preferred: null },
    regulated_status: 'unregulated',
    three_d_secure_usage: { supported: true },
    wallet: null,
  };
}

function toBankAccount(last4: string): Stripe.PaymentMethod.UsBankAccount {
  return {
    account_holder_type: 'individual',
    account_type: 'checking',
    bank_name: 'SANDBOX TEST BANK',
    financial_connections_account: null,
    fingerprint: null,
    last4,
    networks: { preferred: 'ach', supported: ['ach'] },
    routing_number: '110000000',
    status_details: null,
  };
}
