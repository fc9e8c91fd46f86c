import Stripe from 'stripe';
import { Failure } from '#domain/failures.ts';
import type { ChargeFacts } from './payment-facts.ts';
import type { ChargeName, RefundRequest } from './payments.ts';
import { chargeOfInvoice, idOf } from './stripe-charges.ts';
import { UnusableResponse } from './stripe-errors.ts';

export async function refundCharge(
  stripe: Stripe,
  { charge, amount, reason, actorId, key }: RefundRequest,
  installation: string,
): Promise<Pick<ChargeFacts, 'chargeId'> | Failure> {
  const named = await namedCharge(stripe, charge);
  if (!named) return new Failure('refund-refused');
  const request = {
    ...named,
    ...(amount === undefined ? {} : { amount }),
    metadata: { installation, reason, actorId },
  };
  try {
    const refund = await stripe.refunds.create(request, { idempotencyKey: `refund-${key}` });
    const chargeId = idOf(refund?.charge ?? null);
    if (refund?.object !== 'refund' || chargeId === undefined) throw new UnusableResponse();
    return { chargeId };
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal) return refusal;
    throw error;
  }
}

async function namedCharge(
  stripe: Stripe,
  { chargeId, intentId, invoiceId }: ChargeName,
): Promise<{ charge: string } | { payment_intent: string } | undefined> {
  if (chargeId !== undefined) return { charge: chargeId };
  if (intentId !== undefined) return { payment_intent: intentId };
  const found = invoiceId === undefined ? undefined : await chargeOfInvoice(stripe, invoiceId);
  return found && { charge: found.chargeId };
}

/** Of errors that say that nothing was refunded. */
function refusalOf(error: unknown): Failure | undefined {
  if (!(error instanceof Stripe.errors.StripeError)) return undefined;
  // The first of two equal requests is still under way.
  if (error.code === 'idempotency_key_in_use') return new Failure('payment-unavailable');
  if (error instanceof Stripe.errors.StripeIdempotencyError) return new Failure('refund-changed');
  if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) return undefined;
  if (error.code === 'charge_disputed') return new Failure('refund-disputed');
  if (error.code === 'charge_already_refunded' || error.param === 'amount') return new Failure('refund-too-much');
  return new Failure('refund-refused');
}
