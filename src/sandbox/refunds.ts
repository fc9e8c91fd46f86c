import type Stripe from 'stripe';
import { post } from './balance.ts';
import { laterOf } from './charging.ts';
import { disputeOf } from './disputes.ts';
import { endFraudWarnings } from './fraud-warnings.ts';
import {
  checkMetadata,
  invalidRequest,
  metadataOf,
  missingParameter,
  noSuch,
  refuseUnsupported,
} from './parameters.ts';
import { idOf, type Provider, stripeId } from './provider.ts';

const SUPPORTED = ['amount', 'charge', 'expand', 'metadata', 'payment_intent', 'reason'];
/** Time until the bank returns the refund of the failing test card. */
const FAILS_AFTER_SECONDS = 5 * 86_400;

/** @throws StripeApiError if the remaining amount is smaller */
export function createRefund(provider: Provider, request: Stripe.RefundCreateParams): Stripe.Refund {
  refuseUnsupported(request, SUPPORTED);
  checkMetadata(request.metadata, 'metadata');
  const { store } = provider;
  const charge = chargeToRefund(provider, request);
  const remaining = charge.amount - charge.amount_refunded;
  const amount = amountToRefund(charge, request.amount, remaining);
  const created = newRefund(charge, amount, request, provider.now());
  const later = laterOf(provider, charge);
  const isBank = charge.payment_method_details?.type === 'us_bank_account';
  const refund: Stripe.Refund = {
    ...created,
    ...(isBank || later === 'refund_pending' ? { status: 'pending', pending_reason: 'processing' } : {}),
    balance_transaction: postRefund(provider, created, isBank).id,
  };
  const refundedCharge = {
    ...charge,
    amount_refunded: charge.amount_refunded + amount,
    refunded: amount === remaining,
  };
  store.refunds.save(refund);
  if (later === 'refund_fails')
    store.refundFailures.save({ id: refund.id, due_at: provider.now() + FAILS_AFTER_SECONDS });
  store.charges.save(refundedCharge);
  provider.emit('refund.created', refund);
  provider.emit('charge.refunded', refundedCharge, charge);
  if (refundedCharge.refunded) endFraudWarnings(provider, charge.id);
  return refund;
}

function amountToRefund(charge: Stripe.Charge, requested: number | undefined, remaining: number): number {
  if (remaining === 0)
    throw invalidRequest(`Charge ${charge.id} has already been refunded.`, undefined, 'charge_already_refunded');
  const amount = requested ?? remaining;
  if (amount < 1)
    throw invalidRequest('This value must be greater than or equal to 1.', 'amount', 'parameter_invalid_integer');
  if (amount <= remaining) return amount;
  throw invalidRequest(
    `Refund amount (${dollars(amount)}) is greater than unrefunded amount on charge (${dollars(remaining)})`,
    'amount',
  );
}

function postRefund(provider: Provider, refund: Stripe.Refund, isBank: boolean): Stripe.BalanceTransaction {
  return post(provider, {
    type: isBank ? 'payment_refund' : 'refund',
    category: 'refund',
    amount: -refund.amount,
    currency: refund.currency,
    description: `REFUND FOR ${idOf(refund.charge)}`,
    source: refund.id,
  });
}

/** The bank accepts a pending refund. */
export function settleRefund(provider: Provider, previous: Stripe.Refund): Stripe.Refund {
  const { pending_reason: _reason, ...rest } = previous;
  const refund: Stripe.Refund = { ...rest, status: 'succeeded' };
  provider.store.refunds.save(refund);
  provider.emit('refund.updated', refund, previous);
  provider.emit('charge.refund.updated', refund, previous);
  return refund;
}

/** The bank returns a refund, and its money is back in the balance. @throws StripeApiError */
export function failRefund(provider: Provider, id: string): Stripe.Refund {
  const { store } = provider;
  const previous = store.refunds.find(id);
  if (!previous) throw noSuch('refund', id);
  store.refundFailures.save({ id, due_at: null });
  if (previous.status === 'failed') throw invalidRequest('The refund has already failed.');
  const { pending_reason: _reason, ...rest } = previous;
  const charge = store.charges.find(idOf(previous.charge));
  const refund: Stripe.Refund = {
    ...rest,
    failure_balance_transaction: postFailure(provider, previous).id,
    failure_reason:
      charge?.payment_method_details?.type === 'us_bank_account' ? 'declined' : 'expired_or_canceled_card',
    status: 'failed',
  };
  store.refunds.save(refund);
  if (charge) restoreCharge(provider, charge, previous.amount);
  provider.emit('refund.updated', refund, previous);
  provider.emit('charge.refund.updated', refund, previous);
  provider.emit('refund.failed', refund, previous);
  return refund;
}

function postFailure(provider: Provider, refund: Stripe.Refund): Stripe.BalanceTransaction {
  return post(provider, {
    type: 'refund_failure',
    category: 'refund_failure',
    amount: refund.amount,
    currency: refund.currency,
    description: `REFUND FAILURE FOR ${idOf(refund.charge)}`,
    source: refund.id,
  });
}

function restoreCharge(provider: Provider, charge: Stripe.Charge, amount: number): void {
  const updated = { ...charge, amount_refunded: charge.amount_refunded - amount, refunded: false };
  provider.store.charges.save(updated);
  provider.emit('charge.updated', updated, charge);
}

function chargeToRefund(provider: Provider, request: Stripe.RefundCreateParams): Stripe.Charge {
  const { store } = provider;
  if (request.charge) {
    const charge = store.charges.find(request.charge);
    if (!charge) throw noSuch('charge', request.charge, 'charge');
    return refundable(provider, charge, `charge (${charge.id})`);
  }
  if (!request.payment_intent) throw missingParameter('payment_intent');
  const intent = store.paymentIntents.find(request.payment_intent);
  if (!intent) throw noSuch('payment_intent', request.payment_intent, 'payment_intent');
  const charge = typeof intent.latest_charge === 'string' ? store.charges.find(intent.latest_charge) : undefined;
  return refundable(provider, charge, `PaymentIntent (${intent.id})`);
}

function refundable(provider: Provider, charge: Stripe.Charge | undefined, resource: string): Stripe.Charge {
  if (charge?.status !== 'succeeded')
    throw invalidRequest(`This ${resource} does not have a successful charge to refund.`);
  // A won dispute returned the money.
  if (charge.disputed && disputeOf(provider, charge.id)?.status !== 'won') {
    const message = `Charge ${charge.id} has been charged back; cannot issue a refund.`;
    throw invalidRequest(message, undefined, 'charge_disputed');
  }
  return charge;
}

function dollars(cents: number): string {
  return `$${(cents / 100).toFixed(2)}`;
}

/** @param amount cents @param now in seconds */
function newRefund(
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
