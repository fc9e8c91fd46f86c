import type Stripe from 'stripe';
import { originOf, type PaymentOrigin } from './origin.ts';
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
export const CHARGE_OF_INTENT = 'latest_charge.balance_transaction';

/** Finds an invoice's successful charge. Stripe doesn't include payments in the invoice itself. */
export async function chargeOfInvoice(stripe: Stripe, invoice: string): Promise<ChargeFacts | undefined> {
  const { data } = await stripe.invoicePayments.list({ invoice, status: 'paid', limit: 1 });
  const intent = await findIntent(stripe, data[0]);
  return intent && chargeOfIntent(intent, invoice);
}

/**
 * Reads the status of the last attempt to pay an open invoice; undefined if there was none. The subscription's status isn't
 * enough, because a subscription can be active or trialing while its first invoice is unpaid.
 */
export async function openIntentStatus(stripe: Stripe, invoice: string): Promise<string | undefined> {
  const { data } = await stripe.invoicePayments.list({ invoice, status: 'open', limit: 1 });
  return (await findIntent(stripe, data[0]))?.status;
}

async function findIntent(
  stripe: Stripe,
  payment: Stripe.InvoicePayment | undefined,
): Promise<Stripe.PaymentIntent | undefined> {
  const id = idOf(payment?.payment.payment_intent ?? null);
  return id === undefined ? undefined : stripe.paymentIntents.retrieve(id, { expand: [CHARGE_OF_INTENT] });
}

/** @param intent expanded with `CHARGE_OF_INTENT` */
export function chargeOfIntent(
  { id, latest_charge: charge }: Stripe.PaymentIntent,
  invoiceId?: string,
): ChargeFacts | undefined {
  if (typeof charge !== 'object' || charge?.status !== 'succeeded') return undefined;
  return chargeFacts(charge, id, invoiceId);
}

function chargeFacts(charge: Stripe.Charge, intentId: string | undefined, invoiceId: string | undefined): ChargeFacts {
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

/** No charge has nearly this many refunds or disputes. */
const MAX_RETURNS = 100;
const MOVEMENTS_OF_REFUND = ['data.balance_transaction', 'data.failure_balance_transaction'];

export async function readCharge(stripe: Stripe, id: string, installation: string): Promise<ChargeHistory> {
  const charge = await retrieveCharge(stripe, id, [
    'balance_transaction',
    ...MOVEMENTS_OF_REFUND.map((movement) => `refunds.${movement}`),
  ]);
  const intentId = idOf(charge.payment_intent);
  const [refunds, disputes, invoiceId] = await Promise.all([
    // Needed even if the charge shows no refunded amount, because all of its refunds may have failed.
    charge.refunds && !charge.refunds.has_more
      ? charge.refunds
      : stripe.refunds.list({ charge: id, limit: MAX_RETURNS, expand: MOVEMENTS_OF_REFUND }),
    charge.disputed ? stripe.disputes.list({ charge: id, limit: MAX_RETURNS }) : undefined,
    invoiceOfUnlabeledCharge(stripe, charge),
  ]);
  return {
    charge: chargeFacts(charge, intentId, invoiceId),
    amount: charge.amount,
    currency: charge.currency,
    livemode: charge.livemode,
    ...paymentOrigin(charge, installation),
    // Stripe lists newest first.
    refunds: refunds.data.map((refund) => refundFacts(refund, installation)).reverse(),
    disputes: (disputes?.data ?? []).flatMap(disputeFacts).reverse(),
  };
}

export async function readDecline(stripe: Stripe, id: string, installation: string): Promise<DeclineFacts> {
  const charge = await retrieveCharge(stripe, id, []);
  return {
    ...paymentOrigin(charge, installation),
    isCard: charge.status === 'failed' && charge.payment_method_details?.type === 'card',
    declinedAt: new Date(charge.created * 1000),
    invoiceId: await invoiceOfUnlabeledCharge(stripe, charge),
  };
}

async function retrieveCharge(stripe: Stripe, id: string, expand: string[]): Promise<Stripe.Charge> {
  const charge = await stripe.charges.retrieve(id, { expand });
  if (charge?.object !== 'charge' || charge.id !== id) throw new UnusableResponseError();
  return charge;
}

function paymentOrigin({ metadata }: Stripe.Charge, installation: string): PaymentOrigin {
  const { orgId, checkoutId } = metadata;
  return { origin: originOf(metadata.installation, installation), orgId, checkoutId };
}

/** Finds the invoice of a charge without our metadata. Only charges of one-time gifts have our metadata. */
async function invoiceOfUnlabeledCharge(stripe: Stripe, charge: Stripe.Charge): Promise<string | undefined> {
  const intentId = idOf(charge.payment_intent);
  return charge.metadata.checkoutId === undefined && intentId !== undefined
    ? findInvoiceId(stripe, intentId)
    : undefined;
}

/** Finds the recurring gift's invoice that a payment intent paid. */
async function findInvoiceId(stripe: Stripe, intent: string): Promise<string | undefined> {
  const payment = { type: 'payment_intent', payment_intent: intent } as const;
  const { data } = await stripe.invoicePayments.list({ payment, limit: 1 });
  return idOf(data[0]?.invoice ?? null);
}

function refundFacts(refund: Stripe.Refund, installation: string): RefundFacts {
  const { id, amount, status, created, metadata } = refund;
  const hasFailed = status === 'failed' || status === 'canceled';
  const wasMadeHere = originOf(metadata?.installation, installation) === 'ours';
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

function disputeFacts({ id, amount, status, created, balance_transactions }: Stripe.Dispute): DisputeFacts[] {
  const movements = balance_transactions.flatMap((each) => toBalanceChange(each) ?? []);
  movements.sort((a, b) => a.settledAt.getTime() - b.settledAt.getTime());
  // An inquiry, or a dispute that was resolved before money moved.
  if (movements.length === 0 && (status.startsWith('warning_') || status === 'prevented')) return [];
  return [{ disputeId: id, amount, status: toDisputeStatus(status), occurredAt: new Date(created * 1000), movements }];
}

function toDisputeStatus(status: Stripe.Dispute.Status): DisputeFacts['status'] {
  if (status === 'won') return 'won';
  return status === 'lost' || status === 'prevented' || status.startsWith('appeal_') ? 'lost' : 'open';
}

export function idOf(resource: string | { readonly id: string } | null): string | undefined {
  return typeof resource === 'string' ? resource : resource?.id;
}
