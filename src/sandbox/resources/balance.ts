import type Stripe from 'stripe';
import { createStripeId } from '../provider.ts';

export type Movement = {
  readonly type:
    | 'charge'
    | 'payment'
    | 'refund'
    | 'payment_refund'
    | 'refund_failure'
    | 'adjustment'
    | 'payout'
    | 'payout_failure'
    | 'payment_failure_refund'
    | 'stripe_fee';
  /** Stripe's reporting category. */
  readonly category:
    | 'charge'
    | 'refund'
    | 'refund_failure'
    | 'dispute'
    | 'dispute_reversal'
    | 'payout'
    | 'payout_reversal'
    | 'charge_failure'
    | 'fee';
  /** Cents; negative for money that leaves the balance. */
  readonly amount: number;
  readonly fee?: number;
  readonly feeName?: string;
  readonly currency: string;
  readonly description: string | null;
  /** Null for the account's own fees. */
  readonly source: string | null;
  /** Unix time in seconds; now by default. */
  readonly availableOn?: number;
};

/** @param now in seconds */
export function newBalanceTransaction(movement: Movement, now: number): Stripe.BalanceTransaction {
  const {
    amount,
    currency,
    description,
    source,
    type,
    category,
    fee = 0,
    feeName = null,
    availableOn = now,
  } = movement;
  const feeDetail = { amount: fee, application: null, currency, description: feeName, type: 'stripe_fee' };
  return {
    id: createStripeId('txn'),
    object: 'balance_transaction',
    amount,
    available_on: availableOn,
    balance_type: 'payments',
    created: now,
    currency,
    description,
    exchange_rate: null,
    fee,
    fee_details: fee === 0 ? [] : [feeDetail],
    net: amount - fee,
    reporting_category: category,
    source,
    status: availableOn <= now ? 'available' : 'pending',
    type,
  };
}

/** @param arrival when it reaches the bank @param now in seconds */
export function newPayout(amount: number, currency: string, arrival: number, now: number): Stripe.Payout {
  return {
    id: createStripeId('po'),
    object: 'payout',
    amount,
    application_fee: null,
    application_fee_amount: null,
    arrival_date: arrival,
    automatic: true,
    balance_transaction: null,
    created: now,
    currency,
    description: 'STRIPE PAYOUT',
    destination: 'ba_sandbox',
    failure_balance_transaction: null,
    failure_code: null,
    failure_message: null,
    livemode: false,
    metadata: {},
    method: 'standard',
    original_payout: null,
    payout_method: null,
    reconciliation_status: 'completed',
    reversed_by: null,
    source_type: 'card',
    statement_descriptor: null,
    status: 'in_transit',
    trace_id: null,
    type: 'bank_account',
  };
}
