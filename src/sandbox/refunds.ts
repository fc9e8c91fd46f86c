import type Stripe from 'stripe';
import { checkMetadata, invalidRequest, metadataOf, missingParameter, noSuch } from './parameters.ts';
import { type Provider, stripeId } from './provider.ts';

/** @throws StripeApiError when less than the amount is left to refund */
export function createRefund(provider: Provider, request: Stripe.RefundCreateParams): Stripe.Refund {
  checkMetadata(request.metadata, 'metadata');
  const charge = chargeToRefund(provider, request);
  const remaining = charge.amount - charge.amount_refunded;
  if (remaining === 0)
    throw invalidRequest(`Charge ${charge.id} has already been refunded.`, undefined, 'charge_already_refunded');
  const amount = request.amount ?? remaining;
  if (amount < 1)
    throw invalidRequest('This value must be greater than or equal to 1.', 'amount', 'parameter_invalid_integer');
  if (amount > remaining) {
    throw invalidRequest(
      `Refund amount (${dollars(amount)}) is greater than unrefunded amount on charge (${dollars(remaining)})`,
      'amount',
    );
  }
  const refund = newRefund(charge, amount, request, provider.now());
  const refunded = { ...charge, amount_refunded: charge.amount_refunded + amount, refunded: amount === remaining };
  provider.store.refunds.save(refund);
  provider.store.charges.save(refunded);
  provider.emit('refund.created', refund);
  provider.emit('charge.refunded', refunded);
  return refund;
}

function chargeToRefund({ store }: Provider, request: Stripe.RefundCreateParams): Stripe.Charge {
  if (request.charge) {
    const charge = store.charges.find(request.charge);
    if (!charge) throw noSuch('charge', request.charge, 'charge');
    return succeeded(charge, `charge (${charge.id})`);
  }
  if (!request.payment_intent) throw missingParameter('payment_intent');
  const intent = store.paymentIntents.find(request.payment_intent);
  if (!intent) throw noSuch('payment_intent', request.payment_intent, 'payment_intent');
  const charge = typeof intent.latest_charge === 'string' ? store.charges.find(intent.latest_charge) : undefined;
  return succeeded(charge, `PaymentIntent (${intent.id})`);
}

function succeeded(charge: Stripe.Charge | undefined, what: string): Stripe.Charge {
  if (charge?.status === 'succeeded') return charge;
  throw invalidRequest(`This ${what} does not have a successful charge to refund.`);
}

function dollars(cents: number): string {
  return `$${(cents / 100).toFixed(2)}`;
}

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
