import type Stripe from 'stripe';
import { createStripeId } from '../provider.ts';

const RESPONSE_SECONDS = 9 * 86_400;

/** Creates a dispute over the whole charge. @param now in seconds */
export function newDispute(
  charge: Stripe.Charge,
  reason: string,
  status: Stripe.Dispute.Status,
  now: number,
): Stripe.Dispute {
  const card = charge.payment_method_details?.card;
  return {
    id: createStripeId('du'),
    object: 'dispute',
    amount: charge.amount,
    balance_transactions: [],
    charge: charge.id,
    created: now,
    currency: charge.currency,
    enhanced_eligibility_types: [],
    evidence: { ...NO_EVIDENCE, customer_email_address: charge.billing_details.email },
    evidence_details: {
      due_by: now + RESPONSE_SECONDS,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: 'not_submitted',
    },
    intended_submission_method: null,
    is_charge_refundable: false,
    livemode: false,
    metadata: {},
    payment_intent: charge.payment_intent,
    ...(card && { payment_method_details: toCardDetails(card) }),
    reason,
    status,
  };
}

function toCardDetails(card: Stripe.Charge.PaymentMethodDetails.Card): Stripe.Dispute.PaymentMethodDetails {
  const brand = card.brand ?? 'unknown';
  const network = card.network ?? brand;
  return { card: { brand, case_type: 'chargeback', network, network_reason_code: '83' }, type: 'card' };
}

const NO_EVIDENCE: Stripe.Dispute.Evidence = {
  access_activity_log: null,
  billing_address: null,
  cancellation_policy: null,
  cancellation_policy_disclosure: null,
  cancellation_rebuttal: null,
  customer_communication: null,
  customer_email_address: null,
  customer_name: null,
  customer_purchase_ip: null,
  customer_signature: null,
  duplicate_charge_documentation: null,
  duplicate_charge_explanation: null,
  duplicate_charge_id: null,
  enhanced_evidence: {},
  product_description: null,
  receipt: null,
  refund_policy: null,
  refund_policy_disclosure: null,
  refund_refusal_explanation: null,
  service_date: null,
  service_documentation: null,
  shipping_address: null,
  shipping_carrier: null,
  shipping_date: null,
  shipping_documentation: null,
  shipping_tracking_number: null,
  uncategorized_file: null,
  uncategorized_text: null,
};
