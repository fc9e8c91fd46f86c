// Effects of a charge, whether it comes from the hosted page or a renewal.
import type Stripe from 'stripe';
import { postCharge } from './balance.ts';
import { openDispute } from './disputes.ts';
import { createFraudWarning } from './fraud-warnings.ts';
import type { Provider } from './provider.ts';
import { type ChargeResult, newCharge } from './resources/payment.ts';
import type { SavedMethod } from './resources/payment-method.ts';

export type ChargeOutcome = { readonly intent: Stripe.PaymentIntent; readonly charge: Stripe.Charge };

/** The bank's reason for declining a payment. */
export type Decline = { readonly code: string; readonly declineCode: string; readonly message: string };

/** Charges the intent's amount, or starts a debit. */
export function chargeIntent(
  provider: Provider,
  previousIntent: Stripe.PaymentIntent,
  method: SavedMethod,
  status: 'succeeded' | 'pending',
): ChargeOutcome {
  const createdCharge = newCharge(previousIntent, method, { status }, provider.now());
  const isImmediate = status === 'succeeded';
  const intent: Stripe.PaymentIntent = {
    ...previousIntent,
    amount_received: isImmediate ? previousIntent.amount : 0,
    last_payment_error: null,
    latest_charge: createdCharge.id,
    payment_method: method.id,
    status: isImmediate ? 'succeeded' : 'processing',
  };
  provider.store.paymentMethods.save(method);
  provider.store.charges.save(createdCharge);
  provider.store.paymentIntents.save(intent);
  if (isImmediate) return { intent, charge: recordSuccess(provider, createdCharge, intent) };
  const pendingCharge = postAndSaveCharge(provider, createdCharge);
  provider.emit('charge.pending', pendingCharge);
  provider.emit('payment_intent.processing', intent);
  return { intent, charge: pendingCharge };
}

/**
 * Reports a card charge before its balance transaction exists, as with Stripe's asynchronous capture. A debit's
 * transaction was created when the debit began.
 */
export function recordSuccess(provider: Provider, charge: Stripe.Charge, intent: Stripe.PaymentIntent): Stripe.Charge {
  provider.emit('charge.succeeded', charge);
  provider.emit('payment_intent.succeeded', intent);
  if (charge.balance_transaction !== null) return charge;
  const settledCharge = postAndSaveCharge(provider, charge);
  provider.emit('charge.updated', settledCharge, charge);
  return settledCharge;
}

function postAndSaveCharge(provider: Provider, charge: Stripe.Charge): Stripe.Charge {
  const { id } = postCharge(provider, charge, getDelayedOutcome(provider, charge));
  const settledCharge = { ...charge, balance_transaction: id };
  provider.store.charges.save(settledCharge);
  return settledCharge;
}

/** Records a declined attempt. */
export function recordDecline(
  provider: Provider,
  previousIntent: Stripe.PaymentIntent,
  method: SavedMethod,
  reason: Decline,
): ChargeOutcome {
  const result: ChargeResult = { status: 'failed', failure: reason };
  const charge = newCharge(previousIntent, method, result, provider.now());
  const { code, declineCode, message } = reason;
  const error = { type: 'card_error', code, decline_code: declineCode, message, charge: charge.id };
  const intent: Stripe.PaymentIntent = {
    ...previousIntent,
    status: 'requires_payment_method',
    latest_charge: charge.id,
    last_payment_error: error,
  };
  provider.store.charges.save(charge);
  provider.store.paymentIntents.save(intent);
  return { intent, charge };
}

/** Applies the test card's delayed outcome right after the payment. */
export function applyDelayedOutcome(provider: Provider, charge: Stripe.Charge): void {
  if (charge.status !== 'succeeded') return;
  const delayedOutcome = getDelayedOutcome(provider, charge);
  if (delayedOutcome === 'disputed') openDispute(provider, charge.id);
  if (delayedOutcome === 'warned') createFraudWarning(provider, charge.id);
}

export function getDelayedOutcome(
  { store }: Provider,
  { payment_method: method }: Stripe.Charge,
): SavedMethod['delayedOutcome'] {
  return (method === null ? undefined : store.paymentMethods.find(method))?.delayedOutcome ?? null;
}
