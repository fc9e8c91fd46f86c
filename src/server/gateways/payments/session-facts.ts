import type Stripe from 'stripe';
import type { PaymentFacts } from './payments.ts';

type Session = Stripe.Checkout.Session;

/** What has to be expanded so that a debit which failed after the page was completed can be told from one under way. */
export const EXPANDED = ['payment_intent', 'subscription', 'invoice'];

/** Payment intents that will bring nothing any more by themselves. */
const FAILED_INTENTS: readonly string[] = ['requires_payment_method', 'canceled'];
/** A subscription whose first invoice was not paid; while a debit is under way it is active or incomplete. */
const FAILED_SUBSCRIPTIONS: readonly string[] = ['incomplete_expired', 'past_due', 'unpaid', 'canceled'];
const FAILED_INVOICES: readonly string[] = ['void', 'uncollectible'];

/** The product's facts out of a session that was read with `EXPANDED`. */
export function factsOf(session: Session): PaymentFacts {
  return {
    sessionId: session.id,
    checkoutId: session.metadata?.checkoutId,
    orgId: session.metadata?.orgId,
    report: reportOf(session),
    amount: session.amount_total ?? 0,
    currency: session.currency ?? '',
    paymentId: idOf(session.payment_intent) ?? idOf(session.invoice),
    customerId: idOf(session.customer),
    subscriptionId: idOf(session.subscription),
    nextChargeAt: nextChargeOf(session.subscription),
    payerEmail: session.customer_details?.email ?? session.customer_email ?? undefined,
    payerName: session.customer_details?.name ?? undefined,
  };
}

/** A completed page may still be unpaid: a bank debit takes days, and may fail in the end. */
function reportOf(session: Session): PaymentFacts['report'] {
  if (session.status === 'expired') return 'expired';
  if (session.status !== 'complete') return 'open';
  if (session.payment_status !== 'unpaid') return 'paid';
  return hasFailed(session) ? 'failed' : 'processing';
}

function hasFailed({ payment_intent, subscription, invoice }: Session): boolean {
  return (
    FAILED_INTENTS.includes(statusOf(payment_intent)) ||
    FAILED_SUBSCRIPTIONS.includes(statusOf(subscription)) ||
    FAILED_INVOICES.includes(statusOf(invoice))
  );
}

/** A gift that has ended, or ends with its period, is not charged again. */
function nextChargeOf(subscription: Session['subscription']): Date | undefined {
  if (typeof subscription !== 'object' || subscription === null) return undefined;
  const { status, cancel_at_period_end: ends, items } = subscription;
  const periodEnd = items.data[0]?.current_period_end;
  return status !== 'active' || ends || periodEnd === undefined ? undefined : new Date(periodEnd * 1000);
}

function statusOf(resource: string | { readonly status: string | null } | null): string {
  return (typeof resource === 'object' && resource?.status) || '';
}

function idOf(resource: string | { readonly id: string } | null): string | undefined {
  return typeof resource === 'string' ? resource : resource?.id;
}
