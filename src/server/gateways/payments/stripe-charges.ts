import type Stripe from 'stripe';
import type { ChargeFacts } from './payments.ts';

/** What belongs to a payment intent's charge: what the provider kept of it. */
export const CHARGE_OF_INTENT = 'latest_charge.balance_transaction';

/** The successful charge of an invoice: an invoice names its payments only on request. */
export async function chargeOfInvoice(stripe: Stripe, invoice: string): Promise<ChargeFacts | undefined> {
  const { data } = await stripe.invoicePayments.list({ invoice, status: 'paid', limit: 1 });
  const intent = data[0]?.payment.payment_intent;
  const id = typeof intent === 'string' ? intent : intent?.id;
  if (id === undefined) return undefined;
  return chargeOfIntent(await stripe.paymentIntents.retrieve(id, { expand: [CHARGE_OF_INTENT] }), invoice);
}

/** @param intent read with `CHARGE_OF_INTENT` */
export function chargeOfIntent(
  { id, latest_charge: charge }: Stripe.PaymentIntent,
  invoiceId?: string,
): ChargeFacts | undefined {
  if (typeof charge !== 'object' || charge?.status !== 'succeeded') return undefined;
  const { balance_transaction: balance } = charge;
  return {
    chargeId: charge.id,
    intentId: id,
    invoiceId,
    chargedAt: new Date(charge.created * 1000),
    settlement:
      typeof balance === 'object' && balance ? { id: balance.id, fee: balance.fee, net: balance.net } : undefined,
  };
}
