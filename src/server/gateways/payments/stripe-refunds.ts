import Stripe from 'stripe';
import { Failure } from '#domain/failures.ts';
import type { ChargeFacts } from './payment-facts.ts';
import type { ChargeIds, RefundRequest } from './payments.ts';
import { findInvoiceCharge, getId } from './stripe-charges.ts';
import { UnusableResponseError } from './stripe-errors.ts';

export async function refundCharge(
  stripe: Stripe,
  { charge, amount, reason, actorId, key }: RefundRequest,
  installation: string,
): Promise<Pick<ChargeFacts, 'chargeId'> | Failure> {
  const target = await findRefundTarget(stripe, charge);
  if (!target) return new Failure('refund-rejected');
  const request = {
    ...target,
    ...(amount === undefined ? {} : { amount }),
    metadata: { installation, reason, actorId },
  };
  try {
    const refund = await stripe.refunds.create(request, { idempotencyKey: `refund-${key}` });
    const chargeId = getId(refund?.charge ?? null);
    if (refund?.object !== 'refund' || chargeId === undefined) throw new UnusableResponseError();
    return { chargeId };
  } catch (error) {
    const failure = toRefundFailure(error);
    if (failure) return failure;
    throw error;
  }
}

async function findRefundTarget(
  stripe: Stripe,
  { chargeId, intentId, invoiceId }: ChargeIds,
): Promise<{ charge: string } | { payment_intent: string } | undefined> {
  if (chargeId !== undefined) return { charge: chargeId };
  if (intentId !== undefined) return { payment_intent: intentId };
  const charge = invoiceId === undefined ? undefined : await findInvoiceCharge(stripe, invoiceId);
  return charge && { charge: charge.chargeId };
}

/** Converts errors that mean nothing was refunded. @returns undefined for other errors */
function toRefundFailure(error: unknown): Failure | undefined {
  if (!(error instanceof Stripe.errors.StripeError)) return undefined;
  // An identical request is still in progress.
  if (error.code === 'idempotency_key_in_use') return new Failure('payment-unavailable');
  if (error instanceof Stripe.errors.StripeIdempotencyError) return new Failure('refund-changed');
  if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) return undefined;
  if (error.code === 'charge_disputed') return new Failure('refund-disputed');
  if (error.code === 'charge_already_refunded' || error.param === 'amount') return new Failure('refund-too-much');
  return new Failure('refund-rejected');
}
