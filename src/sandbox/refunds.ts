import type Stripe from 'stripe';
import { invalidRequest, missingParameter, noSuch } from './api-error.ts';
import { checkMetadata } from './metadata.ts';
import type { Provider } from './provider.ts';
import { newRefund } from './resources/refund.ts';

/** Gives back all or some of a charge. @throws StripeApiError when there is not so much left to give back */
export function createRefund(provider: Provider, request: Stripe.RefundCreateParams): Stripe.Refund {
  checkMetadata(request.metadata, 'metadata');
  const charge = chargeToRefund(provider, request);
  const left = charge.amount - charge.amount_refunded;
  if (left === 0)
    throw invalidRequest(`Charge ${charge.id} has already been refunded.`, undefined, 'charge_already_refunded');
  const amount = request.amount ?? left;
  if (amount < 1)
    throw invalidRequest('This value must be greater than or equal to 1.', 'amount', 'parameter_invalid_integer');
  if (amount > left) {
    throw invalidRequest(
      `Refund amount (${dollars(amount)}) is greater than unrefunded amount on charge (${dollars(left)})`,
      'amount',
    );
  }
  const refund = newRefund(charge, amount, request, provider.now());
  const refunded = { ...charge, amount_refunded: charge.amount_refunded + amount, refunded: amount === left };
  provider.store.refunds.save(refund);
  provider.store.charges.save(refunded);
  provider.record('refund.created', refund);
  provider.record('charge.refunded', refunded);
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
