import type Stripe from 'stripe';
import { stripeId } from '../ids.ts';
import { metadataOf } from '../metadata.ts';

/** @param amount cents @param now in seconds */
export function newRefund(
  charge: Stripe.Charge,
  amount: number,
  request: Stripe.RefundCreateParams,
  now: number,
): Stripe.Refund {
  return {
    id: stripeId('re'),
    object: 'refund',
    amount,
    balance_transaction: null,
    charge: charge.id,
    created: now,
    currency: charge.currency,
    customer: charge.customer,
    customer_account: null,
    metadata: metadataOf(request.metadata),
    payment_intent: charge.payment_intent,
    payment_method: charge.payment_method,
    reason: request.reason ?? null,
    receipt_number: null,
    source_transfer_reversal: null,
    status: 'succeeded',
    transfer_reversal: null,
  };
}
