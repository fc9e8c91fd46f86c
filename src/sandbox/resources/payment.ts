// A payment intent is an amount to collect; a charge is one attempt.
import type Stripe from 'stripe';
import { presentMetadata } from '../parameters.ts';
import { createStripeId } from '../provider.ts';
import type { SavedMethod } from './payment-method.ts';

export type Payer = { readonly email: string; readonly name: string };

/** All stored data about a card or bank account. */
export type Instrument =
  | {
      readonly kind: 'card';
      readonly brand: string;
      readonly last4: string;
      readonly expMonth: number;
      readonly expYear: number;
    }
  | { readonly kind: 'us_bank_account'; readonly last4: string };

export const TEST_BANK_ACCOUNT: Instrument = { kind: 'us_bank_account', last4: '6789' };

type IntentRequest = {
  readonly amount: number;
  readonly currency: string;
  readonly methods: string[];
  readonly data: Stripe.Checkout.SessionCreateParams['payment_intent_data'];
};

/** @param now in seconds */
export function newPaymentIntent(
  { amount, currency, methods, data }: IntentRequest,
  now: number,
): Stripe.PaymentIntent {
  const id = createStripeId('pi');
  return {
    id,
    object: 'payment_intent',
    allowed_payment_method_types: null,
    amount,
    amount_capturable: 0,
    amount_details: { tip: {} },
    amount_received: 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: null,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: 'automatic_async',
    client_secret: `${id}_secret_sandbox`,
    confirmation_method: 'automatic',
    created: now,
    currency,
    customer: null,
    customer_account: null,
    description: data?.description ?? null,
    excluded_payment_method_types: null,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    managed_payments: { enabled: false },
    metadata: presentMetadata(data?.metadata),
    next_action: null,
    on_behalf_of: null,
    payment_method: null,
    payment_method_configuration_details: null,
    payment_method_options: {},
    payment_method_types: methods,
    payment_record: null,
    processing: null,
    receipt_email: data?.receipt_email ?? null,
    review: null,
    setup_future_usage: null,
    shipping: null,
    source: null,
    statement_descriptor: data?.statement_descriptor ?? null,
    statement_descriptor_suffix: data?.statement_descriptor_suffix ?? null,
    status: 'requires_payment_method',
    transfer_data: null,
    transfer_group: null,
  };
}

export type ChargeResult = {
  readonly status: 'succeeded' | 'pending' | 'failed';
  readonly failure?: { readonly code: string; readonly message: string };
};

/** @param now in seconds */
export function newCharge(
  intent: Stripe.PaymentIntent,
  { id: paymentMethod, payer, instrument }: SavedMethod,
  result: ChargeResult,
  now: number,
): Stripe.Charge {
  return {
    id: createStripeId('ch'),
    object: 'charge',
    amount: intent.amount,
    amount_captured: result.status === 'failed' ? 0 : intent.amount,
    amount_refunded: 0,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: null,
    billing_details: { address: NO_ADDRESS, email: payer.email, name: payer.name, phone: null, tax_id: null },
    calculated_statement_descriptor: buildStatementDescriptor(intent),
    captured: result.status !== 'failed',
    created: now,
    currency: intent.currency,
    customer: intent.customer,
    description: intent.description,
    disputed: false,
    failure_balance_transaction: null,
    failure_code: result.failure?.code ?? null,
    failure_message: result.failure?.message ?? null,
    fraud_details: {},
    livemode: false,
    metadata: intent.metadata,
    on_behalf_of: null,
    outcome: null,
    paid: result.status !== 'failed',
    payment_intent: intent.id,
    payment_method: paymentMethod,
    payment_method_details: toMethodDetails(instrument, intent.amount),
    receipt_email: intent.receipt_email,
    receipt_number: null,
    receipt_url: null,
    refunded: false,
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: intent.statement_descriptor,
    statement_descriptor_suffix: intent.statement_descriptor_suffix,
    status: result.status,
    transfer_data: null,
    transfer_group: null,
  };
}

export const NO_ADDRESS = { city: null, country: null, line1: null, line2: null, postal_code: null, state: null };

function toMethodDetails(instrument: Instrument, amount: number): Stripe.Charge.PaymentMethodDetails {
  if (instrument.kind === 'card') return { type: 'card', card: toCardDetails(instrument, amount) };
  const account = { account_holder_type: 'individual', account_type: 'checking', bank_name: 'SANDBOX TEST BANK' };
  const numbers = { fingerprint: null, last4: instrument.last4, payment_reference: null, routing_number: '110000000' };
  return { type: 'us_bank_account', us_bank_account: { ...account, ...numbers } };
}

function toCardDetails(
  card: Extract<Instrument, { kind: 'card' }>,
  amount: number,
): Stripe.Charge.PaymentMethodDetails.Card {
  return {
    amount_authorized: amount,
    authorization_code: null,
    brand: card.brand,
    checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: 'pass' },
    country: 'US',
    electronic_commerce_indicator: null,
    exp_month: card.expMonth,
    exp_year: card.expYear,
    funding: 'credit',
    installments: null,
    last4: card.last4,
    mandate: null,
    network: card.brand,
    network_transaction_id: null,
    regulated_status: 'unregulated',
    three_d_secure: null,
    transaction_link_id: null,
    wallet: null,
  };
}

/** @param now in seconds */
export function newCustomer(payer: Payer, now: number): Stripe.Customer {
  return {
    id: createStripeId('cus'),
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

/** Builds the payer's statement text. The account's prefix is "SANDBOX". */
function buildStatementDescriptor({ statement_descriptor_suffix: suffix }: Stripe.PaymentIntent): string {
  return (suffix === null ? 'SANDBOX' : `SANDBOX* ${suffix}`).slice(0, 22);
}
