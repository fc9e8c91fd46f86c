// Refund outcomes, which banks report days later.
import type Stripe from 'stripe';
import { postMovement } from './balance.ts';
import { type Condition, equals } from './collection.ts';
import { invalidRequest, noSuchError } from './parameters.ts';
import { getId, type Provider } from './provider.ts';

export const isBankDebit = (charge: Stripe.Charge | undefined): boolean =>
  charge?.payment_method_details?.type === 'us_bank_account';

/** Lists refunds that are held because the balance doesn't cover them, newest first. They aren't deducted from the balance yet. */
export function listHeldRefunds({ store }: Provider, ...conditions: Condition[]): Stripe.Refund[] {
  return store.refunds.all(equals('pending_reason', 'insufficient_funds'), ...conditions);
}

/** Simulates the bank accepting a pending refund. */
export function settleRefund(provider: Provider, previous: Stripe.Refund): Stripe.Refund {
  const { pending_reason: _reason, ...rest } = previous;
  const refund: Stripe.Refund = { ...rest, status: 'succeeded' };
  saveRefund(provider, refund, previous);
  return refund;
}

/** Simulates the bank returning a refund, which puts the money back into the balance. @throws StripeApiError */
export function failRefund(provider: Provider, id: string, reason?: string): Stripe.Refund {
  const { store } = provider;
  const previous = store.refunds.find(id);
  if (!previous) throw noSuchError('refund', id);
  store.refundFailures.save({ id, due_at: null });
  if (previous.status === 'failed') throw invalidRequest('The refund has already failed.');
  const { pending_reason: _reason, ...rest } = previous;
  const charge = store.charges.find(getId(previous.charge));
  const hasLeftBalance = previous.balance_transaction !== null;
  const refund: Stripe.Refund = {
    ...rest,
    ...(hasLeftBalance
      ? { failure_balance_transaction: postRefundFailure(provider, previous, isBankDebit(charge)).id }
      : {}),
    failure_reason: reason ?? (isBankDebit(charge) ? 'declined' : 'expired_or_canceled_card'),
    status: 'failed',
  };
  if (charge) restoreCharge(provider, charge, previous.amount);
  saveRefund(provider, refund, previous);
  provider.emit('refund.failed', refund, previous);
  return refund;
}

export function saveRefund(provider: Provider, refund: Stripe.Refund, previous: Stripe.Refund): void {
  provider.store.refunds.save(refund);
  provider.emit('refund.updated', refund, previous);
  provider.emit('charge.refund.updated', refund, previous);
}

function postRefundFailure(provider: Provider, refund: Stripe.Refund, isDebit: boolean): Stripe.BalanceTransaction {
  return postMovement(provider, {
    type: isDebit ? 'payment_refund' : 'refund_failure',
    category: isDebit ? 'refund' : 'refund_failure',
    amount: refund.amount,
    currency: refund.currency,
    description: `REFUND FAILURE FOR ${getId(refund.charge)}`,
    source: refund.id,
  });
}

function restoreCharge(provider: Provider, charge: Stripe.Charge, amount: number): void {
  const restoredCharge = { ...charge, amount_refunded: charge.amount_refunded - amount, refunded: false };
  provider.store.charges.save(restoredCharge);
  provider.emit('charge.updated', restoredCharge, charge);
}
