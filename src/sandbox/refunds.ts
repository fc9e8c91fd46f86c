import type Stripe from 'stripe';
import { availableBalance, postMovement } from './balance.ts';
import { getDelayedOutcome } from './charging.ts';
import { findDispute } from './disputes.ts';
import { endFraudWarnings } from './fraud-warnings.ts';
import {
  checkMetadata,
  invalidRequest,
  missingParameter,
  noSuchError,
  presentMetadata,
  rejectUnsupported,
} from './parameters.ts';
import { createStripeId, getId, type Provider } from './provider.ts';
import { isBankDebit, listHeldRefunds, saveRefund } from './refund-outcomes.ts';
import type { Store } from './store.ts';

const SUPPORTED_PARAMETERS = ['amount', 'charge', 'expand', 'metadata', 'payment_intent', 'reason'];
/** Time until the bank returns a refund to the test card whose refunds fail. */
const FAILS_AFTER_SECONDS = 5 * 86_400;

/** @throws StripeApiError if the amount exceeds the part of the charge that isn't refunded yet */
export function createRefund(provider: Provider, request: Stripe.RefundCreateParams): Stripe.Refund {
  rejectUnsupported(request, SUPPORTED_PARAMETERS);
  checkMetadata(request.metadata, 'metadata');
  const { store } = provider;
  const charge = findChargeToRefund(provider, request);
  const remaining = charge.amount - charge.amount_refunded;
  const amount = checkRefundAmount(charge, request.amount, remaining);
  const createdRefund = newRefund(charge, amount, request, provider.now());
  const isCovered = !holdsRefunds(store) || amount <= availableBalance(provider, charge.currency);
  const refund = isCovered ? submitRefund(provider, createdRefund, charge) : toUncoveredRefund(createdRefund, charge);
  store.refunds.save(refund);
  provider.emit('refund.created', refund);
  if (refund.status === 'failed') {
    provider.emit('refund.failed', refund);
    return refund;
  }
  const refundedCharge = {
    ...charge,
    amount_refunded: charge.amount_refunded + amount,
    refunded: amount === remaining,
  };
  store.charges.save(refundedCharge);
  provider.emit('charge.refunded', refundedCharge, charge);
  if (refundedCharge.refunded) endFraudWarnings(provider, charge.id);
  return refund;
}

/** Takes the refund's money from the balance and sends it to the bank. */
function submitRefund(provider: Provider, createdRefund: Stripe.Refund, charge: Stripe.Charge): Stripe.Refund {
  const { pending_reason: _reason, ...rest } = createdRefund;
  const delayedOutcome = getDelayedOutcome(provider, charge);
  if (delayedOutcome === 'refund_fails')
    provider.store.refundFailures.save({ id: createdRefund.id, due_at: provider.now() + FAILS_AFTER_SECONDS });
  const refund = { ...rest, balance_transaction: postRefund(provider, createdRefund, isBankDebit(charge)).id };
  const isSlow = isBankDebit(charge) || delayedOutcome === 'refund_pending';
  return isSlow ? { ...refund, status: 'pending', pending_reason: 'processing' } : { ...refund, status: 'succeeded' };
}

/**
 * Stripe keeps an uncovered card refund pending. Other uncovered refunds fail; we assume that they fail immediately.
 */
function toUncoveredRefund(createdRefund: Stripe.Refund, charge: Stripe.Charge): Stripe.Refund {
  return isBankDebit(charge)
    ? { ...createdRefund, status: 'failed', failure_reason: 'insufficient_funds' }
    : { ...createdRefund, status: 'pending', pending_reason: 'insufficient_funds' };
}

/**
 * An account either holds refunds that its available balance doesn't cover, or lets them overdraw the balance because
 * Stripe then debits its bank account. Stripe documents both behaviors, but not which accounts hold refunds.
 */
export function holdsRefunds(store: Store): boolean {
  return store.setting('holds_refunds') === 1;
}

function checkRefundAmount(charge: Stripe.Charge, requested: number | undefined, remaining: number): number {
  if (remaining === 0)
    throw invalidRequest(`Charge ${charge.id} has already been refunded.`, undefined, 'charge_already_refunded');
  const amount = requested ?? remaining;
  if (amount < 1)
    throw invalidRequest('This value must be greater than or equal to 1.', 'amount', 'parameter_invalid_integer');
  if (amount <= remaining) return amount;
  throw invalidRequest(
    `Refund amount (${formatDollars(amount)}) is greater than unrefunded amount on charge (${formatDollars(remaining)})`,
    'amount',
  );
}

function postRefund(provider: Provider, refund: Stripe.Refund, isDebit: boolean): Stripe.BalanceTransaction {
  return postMovement(provider, {
    type: isDebit ? 'payment_refund' : 'refund',
    category: 'refund',
    amount: -refund.amount,
    currency: refund.currency,
    description: `REFUND FOR ${getId(refund.charge)}`,
    source: refund.id,
  });
}

/** Sends a held refund to the bank, because the balance now covers it. */
export function releaseRefund(provider: Provider, heldRefund: Stripe.Refund): void {
  const charge = provider.store.charges.find(getId(heldRefund.charge));
  if (!charge) throw noSuchError('charge', getId(heldRefund.charge));
  saveRefund(provider, submitRefund(provider, heldRefund, charge), heldRefund);
}

/** Finds the oldest held refund and when the balance first covered it. @returns undefined if none is covered yet */
export function nextCoveredRefund(
  provider: Provider,
  now: number,
): { readonly refund: Stripe.Refund; readonly coveredAt: number } | undefined {
  const { store } = provider;
  const refund = listHeldRefunds(provider).at(-1);
  if (!refund) return undefined;
  if (!holdsRefunds(store)) return { refund, coveredAt: refund.created };
  const row = store.db
    .prepare(
      `SELECT min(time) AS covered_at FROM (
         SELECT available_on AS time, sum(net) OVER (ORDER BY available_on) AS available
         FROM balance_transactions WHERE currency = ? AND available_on <= ?)
       WHERE time >= ? AND available >= ?`,
    )
    .get(refund.currency, now, refund.created, refund.amount);
  return typeof row?.covered_at === 'number' ? { refund, coveredAt: row.covered_at } : undefined;
}

function findChargeToRefund(provider: Provider, request: Stripe.RefundCreateParams): Stripe.Charge {
  const { store } = provider;
  if (request.charge) {
    const charge = store.charges.find(request.charge);
    if (!charge) throw noSuchError('charge', request.charge, 'charge');
    return requireRefundable(provider, charge, `charge (${charge.id})`);
  }
  if (!request.payment_intent) throw missingParameter('payment_intent');
  const intent = store.paymentIntents.find(request.payment_intent);
  if (!intent) throw noSuchError('payment_intent', request.payment_intent, 'payment_intent');
  const charge = typeof intent.latest_charge === 'string' ? store.charges.find(intent.latest_charge) : undefined;
  return requireRefundable(provider, charge, `PaymentIntent (${intent.id})`);
}

function requireRefundable(provider: Provider, charge: Stripe.Charge | undefined, resource: string): Stripe.Charge {
  if (charge?.status !== 'succeeded')
    throw invalidRequest(`This ${resource} does not have a successful charge to refund.`);
  // After a won dispute, the money is back, so the charge can be refunded.
  if (charge.disputed && findDispute(provider, charge.id)?.status !== 'won') {
    const message = `Charge ${charge.id} has been charged back; cannot issue a refund.`;
    throw invalidRequest(message, undefined, 'charge_disputed');
  }
  return charge;
}

function formatDollars(cents: number): string {
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
    id: createStripeId('re'),
    object: 'refund',
    amount,
    balance_transaction: null,
    charge: charge.id,
    created: now,
    currency: charge.currency,
    customer: charge.customer,
    customer_account: null,
    metadata: presentMetadata(request.metadata),
    payment_intent: charge.payment_intent,
    payment_method: charge.payment_method,
    reason: request.reason ?? null,
    receipt_number: null,
    source_transfer_reversal: null,
    status: 'succeeded',
    transfer_reversal: null,
  };
}
