import type Stripe from 'stripe';
import type { BalanceMovement } from './balance-facts.ts';
import { getOrigin } from './origin.ts';
import type { SessionSummary } from './payment-facts.ts';
import type { PaymentLine } from './payments.ts';
import { isAccountFee } from './stripe-account-fees.ts';
import { getId } from './stripe-charges.ts';
import { forEachPage } from './stripe-pages.ts';
import { toPaymentLine, toSessionSummary } from './stripe-sessions.ts';

export function listSessions(
  stripe: Stripe,
  installation: string,
  onPage: (sessions: readonly SessionSummary[]) => Promise<void>,
): Promise<'complete'> {
  return forEachPage(
    (paging) => stripe.checkout.sessions.list(paging),
    (sessions) => onPage(sessions.map((session) => toSessionSummary(session, installation))),
  );
}

/** More line items than a payment page can have, so one request returns them all. */
const MAX_LINES = 100;

export async function readSessionLines(stripe: Stripe, sessionId: string): Promise<PaymentLine[]> {
  const { data } = await stripe.checkout.sessions.listLineItems(sessionId, {
    limit: MAX_LINES,
    expand: ['data.price.product'],
  });
  return data.map(toPaymentLine);
}

export function listMovements(
  stripe: Stripe,
  installation: string,
  onPage: (movements: readonly BalanceMovement[]) => Promise<void>,
  since?: Date,
): Promise<'complete'> {
  const created = since === undefined ? {} : { created: { gte: Math.floor(since.getTime() / 1000) } };
  return forEachPage(
    (paging) => stripe.balanceTransactions.list({ ...paging, ...created, expand: ['data.source'] }),
    (transactions) =>
      onPage(transactions.filter(isPaymentsBalance).map((transaction) => toMovement(transaction, installation))),
  );
}

/** Excludes transactions on the reserve balance, which Stripe also lists. */
function isPaymentsBalance({ balance_type }: Stripe.BalanceTransaction): boolean {
  return balance_type === 'payments';
}

function toMovement(transaction: Stripe.BalanceTransaction, installation: string): BalanceMovement {
  const { id, type, amount, fee, currency, created } = transaction;
  const source = typeof transaction.source === 'object' ? transaction.source : null;
  return {
    id,
    kind: getKind(transaction, source),
    type,
    amount,
    fee,
    currency,
    description: transaction.description ?? type,
    subjectId: getId(transaction.source),
    ...getChargeIds(source),
    origin: getOrigin(source?.object === 'charge' ? source.metadata.installation : undefined, installation),
    isInTransit: source?.object === 'payout' && IN_TRANSIT.includes(source.status),
    occurredAt: new Date(created * 1000),
  };
}

const IN_TRANSIT: readonly string[] = ['pending', 'in_transit'];

type Source = Exclude<Stripe.BalanceTransaction['source'], string>;

function getKind(transaction: Stripe.BalanceTransaction, source: Source): BalanceMovement['kind'] {
  const { type, amount } = transaction;
  if (isAccountFee(transaction)) return 'fee';
  // The source is the charge or a refund; Stripe's documentation doesn't specify which.
  if (type === 'payment_failure_refund') return 'debit';
  if (source?.object === 'charge' && source.status !== 'succeeded') return 'debit';
  if (source?.object === 'charge') return type === 'charge' || type === 'payment' ? 'charge' : 'other';
  if (source?.object === 'refund') return amount > 0 ? 'refund-failed' : 'refund';
  if (source?.object === 'dispute') return amount > 0 ? 'dispute-won' : 'dispute';
  return source?.object === 'payout' ? 'payout' : 'other';
}

function getChargeIds(source: Source): Pick<BalanceMovement, 'chargeId' | 'intentId'> {
  if (source?.object === 'charge') return { chargeId: source.id, intentId: getId(source.payment_intent) };
  if (source?.object === 'refund' || source?.object === 'dispute')
    return { chargeId: getId(source.charge), intentId: getId(source.payment_intent) };
  return { chargeId: undefined, intentId: undefined };
}
