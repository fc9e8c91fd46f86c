import type Stripe from 'stripe';
import { getOrigin, type PaymentOrigin } from './origin.ts';
import type {
  BalanceChange,
  ChargeFacts,
  ChargeHistory,
  DeclineFacts,
  DisputeFacts,
  RefundFacts,
  Settlement,
} from './payment-facts.ts';
import { UnusableResponseError } from './stripe-errors.ts';

/** Expands a payment intent's charge with its fee and net amount. */
export const EXPANDED_INTENT_CHARGE = 'latest_charge.balance_transaction';

/** Finds an invoice's successful charge. Stripe doesn't include payments in the invoice itself. */
export async function findInvoiceCharge(stripe: Stripe, invoice: string): Promise<ChargeFacts | undefined> {
  const { data } = await stripe.invoicePayments.list({ invoice, status: 'paid', limit: 1 });
  const intent = await findIntent(stripe, data[0]);
  return intent && getIntentCharge(intent, invoice);
}

/**
 * Reads the status of the last attempt to pay an open invoice; undefined if there was none. The subscription's status isn't
 * enough, because a subscription can be active or trialing while its first invoice is unpaid.
 */
export async function readOpenIntentStatus(stripe: Stripe, invoice: string): Promise<string | undefined> {
  const { data } = await stripe.invoicePayments.list({ invoice, status: 'open', limit: 1 });
  return (await findIntent(stripe, data[0]))?.status;
}

async function findIntent(
  stripe: Stripe,
  payment: Stripe.InvoicePayment | undefined,
): Promise<Stripe.PaymentIntent | undefined> {
  const id = getId(payment?.payment.payment_intent ?? null);
  return id === undefined ? undefined : stripe.paymentIntents.retrieve(id, { expand: [EXPANDED_INTENT_CHARGE] });
}

/** @param intent expanded with `EXPANDED_INTENT_CHARGE` */
export function getIntentCharge(
  { id, latest_charge: charge }: Stripe.PaymentIntent,
  invoiceId?: string,
): ChargeFacts | undefined {
  if (typeof charge !== 'object' || charge?.status !== 'succeeded') return undefined;
  return toChargeFacts(charge, id, invoiceId);
}

function toChargeFacts(
  charge: Stripe.Charge,
  intentId: string | undefined,
  invoiceId: string | undefined,
): ChargeFacts {
  const { balance_transaction: balance } = charge;
  return {
    chargeId: charge.id,
    intentId,
    invoiceId,
    chargedAt: new Date(charge.created * 1000),
    settlement: typeof balance === 'object' && balance ? toSettlement(balance) : undefined,
  };
}

function toSettlement({ id, fee, net, created }: Stripe.BalanceTransaction): Settlement {
  return { id, fee, net, settledAt: new Date(created * 1000) };
}

/** Far more refunds or disputes than any charge has. */
const MAX_RETURNS = 100;
const EXPANDED_REFUND_MOVEMENTS = ['data.balance_transaction', 'data.failure_balance_transaction'];

export async function readCharge(stripe: Stripe, id: string, installation: string): Promise<ChargeHistory> {
  const charge = await retrieveCharge(stripe, id, [
    'balance_transaction',
    ...EXPANDED_REFUND_MOVEMENTS.map((movement) => `refunds.${movement}`),
  ]);
  const intentId = getId(charge.payment_intent);
  const [refunds, disputes, invoiceId] = await Promise.all([
    // Needed even if the charge shows no refunded amount, because all of its refunds may have failed.
    charge.refunds && !charge.refunds.has_more
      ? charge.refunds
      : stripe.refunds.list({ charge: id, limit: MAX_RETURNS, expand: EXPANDED_REFUND_MOVEMENTS }),
    charge.disputed ? stripe.disputes.list({ charge: id, limit: MAX_RETURNS }) : undefined,
    findInvoiceOfUnlabeledCharge(stripe, charge),
  ]);
  return {
    charge: toChargeFacts(charge, intentId, invoiceId),
    amount: charge.amount,
    currency: charge.currency,
    livemode: charge.livemode,
    ...readPaymentOrigin(charge, installation),
    // Stripe lists newest first.
    refunds: refunds.data.map((refund) => toRefundFacts(refund, installation)).reverse(),
    disputes: (disputes?.data ?? []).flatMap(toDisputeFacts).reverse(),
  };
}

export async function readDecline(stripe: Stripe, id: string, installation: string): Promise<DeclineFacts> {
  const charge = await retrieveCharge(stripe, id, []);
  return {
    ...readPaymentOrigin(charge, installation),
    isCard: charge.status === 'failed' && charge.payment_method_details?.type === 'card',
    declinedAt: new Date(charge.created * 1000),
    invoiceId: await findInvoiceOfUnlabeledCharge(stripe, charge),
  };
}

async function retrieveCharge(stripe: Stripe, id: string, expand: string[]): Promise<Stripe.Charge> {
  const charge = await stripe.charges.retrieve(id, { expand });
  if (charge?.object !== 'charge' || charge.id !== id) throw new UnusableResponseError();
  return charge;
}

function readPaymentOrigin({ metadata }: Stripe.Charge, installation: string): PaymentOrigin {
  const { orgId, checkoutId } = metadata;
  return { origin: getOrigin(metadata.installation, installation), orgId, checkoutId };
}

/** Finds the invoice of a charge without our metadata. Only charges of one-time gifts have our metadata. */
async function findInvoiceOfUnlabeledCharge(stripe: Stripe, charge: Stripe.Charge): Promise<string | undefined> {
  const intentId = getId(charge.payment_intent);
  return charge.metadata.checkoutId === undefined && intentId !== undefined
    ? findInvoiceId(stripe, intentId)
    : undefined;
}

/** Finds the recurring gift's invoice that a payment intent paid. */
async function findInvoiceId(stripe: Stripe, intent: string): Promise<string | undefined> {
  const payment = { type: 'payment_intent', payment_intent: intent } as const;
  const { data } = await stripe.invoicePayments.list({ payment, limit: 1 });
  return getId(data[0]?.invoice ?? null);
}

function toRefundFacts(refund: Stripe.Refund, installation: string): RefundFacts {
  const { id, amount, status, created, metadata } = refund;
  const hasFailed = status === 'failed' || status === 'canceled';
  const wasMadeHere = getOrigin(metadata?.installation, installation) === 'ours';
  return {
    reason: wasMadeHere ? metadata?.reason : undefined,
    actorId: wasMadeHere ? metadata?.actorId : undefined,
    refundId: id,
    amount,
    status: hasFailed ? 'failed' : status === 'succeeded' ? 'succeeded' : 'pending',
    occurredAt: new Date(created * 1000),
    withdrawal: toBalanceChange(refund.balance_transaction),
    failedRefundCredit: toBalanceChange(refund.failure_balance_transaction),
  };
}

/** @param movement expanded in its refund or dispute */
function toBalanceChange(movement: string | Stripe.BalanceTransaction | null | undefined): BalanceChange | undefined {
  if (typeof movement === 'string') throw new UnusableResponseError();
  if (!movement) return undefined;
  const { id, amount, fee, created } = movement;
  return { id, amount, fee, settledAt: new Date(created * 1000) };
}

function toDisputeFacts({ id, amount, status, created, balance_transactions }: Stripe.Dispute): DisputeFacts[] {
  const balanceChanges = balance_transactions.flatMap((transaction) => toBalanceChange(transaction) ?? []);
  balanceChanges.sort((a, b) => a.settledAt.getTime() - b.settledAt.getTime());
  // An inquiry, or a dispute that was resolved before money moved.
  if (balanceChanges.length === 0 && (status.startsWith('warning_') || status === 'prevented')) return [];
  const occurredAt = new Date(created * 1000);
  return [{ disputeId: id, amount, status: toDisputeStatus(status), occurredAt, balanceChanges }];
}

function toDisputeStatus(status: Stripe.Dispute.Status): DisputeFacts['status'] {
  if (status === 'won') return 'won';
  return status === 'lost' || status === 'prevented' || status.startsWith('appeal_') ? 'lost' : 'open';
}

export function getId(resource: string | { readonly id: string } | null): string | undefined {
  return typeof resource === 'string' ? resource : resource?.id;
}
