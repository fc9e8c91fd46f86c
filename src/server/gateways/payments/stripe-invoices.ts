import type Stripe from 'stripe';
import { parseSubscriptionMetadata } from './covered-fee-metadata.ts';
import { getOrigin } from './origin.ts';
import type { InvoiceFacts } from './payment-facts.ts';
import { findInvoiceCharge, getId } from './stripe-charges.ts';
import { UnusableResponseError } from './stripe-errors.ts';
import { findNextCharge, getAmountPaidThroughStripe } from './stripe-sessions.ts';
import { toSubscriptionFacts } from './stripe-subscriptions.ts';

export async function readInvoice(stripe: Stripe, id: string, installation: string): Promise<InvoiceFacts> {
  const invoice = await stripe.invoices.retrieve(id, { expand: ['parent.subscription_details.subscription'] });
  if (invoice?.object !== 'invoice' || invoice.id !== id) throw new UnusableResponseError();
  const details = invoice.parent?.subscription_details;
  const subscription = details?.subscription ?? null;
  const { orgId, checkoutId, installation: sourceInstallation } = details?.metadata ?? {};
  const isPaid = invoice.status === 'paid';
  const amount = getAmountPaidThroughStripe(invoice);
  return {
    invoiceId: id,
    subscriptionId: getId(subscription),
    isFirst: invoice.billing_reason === 'subscription_create',
    isPaid,
    amount,
    paidOutsideStripe: invoice.amount_paid - amount,
    // The metadata is a copy from when the invoice was created.
    coveredFee: parseSubscriptionMetadata(details?.metadata, amount),
    currency: invoice.currency,
    livemode: invoice.livemode,
    origin: getOrigin(sourceInstallation, installation),
    orgId,
    checkoutId,
    nextChargeAt: findNextCharge(subscription),
    payerEmail: invoice.customer_email ?? undefined,
    payerName: invoice.customer_name ?? undefined,
    subscription:
      typeof subscription === 'object' && subscription
        ? toSubscriptionFacts(subscription, invoice, installation)
        : undefined,
    failure: parseFailure(invoice),
    charge: isPaid && amount > 0 ? await findInvoiceCharge(stripe, id) : undefined,
  };
}

function parseFailure({
  status,
  attempt_count,
  amount_due,
  next_payment_attempt: next,
}: Stripe.Invoice): InvoiceFacts['failure'] {
  if (status !== 'open' || attempt_count === 0) return undefined;
  return { attempt: attempt_count, amount: amount_due, retryAt: next === null ? undefined : new Date(next * 1000) };
}
