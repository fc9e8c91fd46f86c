import type Stripe from 'stripe';
import type { AccountFee, ListedPayout, PayoutFacts, PayoutMovement, PayoutStatus } from './balance-facts.ts';
import { getOrigin } from './origin.ts';
import { isAccountFee } from './stripe-account-fees.ts';
import { getId } from './stripe-charges.ts';
import { UnusableResponseError } from './stripe-errors.ts';

const PAGE_SIZE = 100;

export async function readPayout(stripe: Stripe, id: string, installation: string): Promise<PayoutFacts> {
  const payout = await stripe.payouts.retrieve(id, {
    expand: ['balance_transaction', 'failure_balance_transaction'],
  });
  if (payout?.object !== 'payout' || payout.id !== id) throw new UnusableResponseError();
  const { balance_transaction: movement, failure_balance_transaction: failure } = payout;
  return {
    payoutId: id,
    amount: payout.amount,
    currency: payout.currency,
    livemode: payout.livemode,
    status: toPayoutStatus(payout),
    isManual: payout.reconciliation_status === 'not_applicable',
    createdAt: new Date(payout.created * 1000),
    // Midnight of the day in UTC.
    arrivesOn: new Date(payout.arrival_date * 1000).toISOString().slice(0, 10),
    failedAt: typeof failure === 'object' && failure ? new Date(failure.created * 1000) : undefined,
    fee: typeof movement === 'object' && movement ? parseFee(movement) : undefined,
    contents: isComplete(payout) ? await readContents(stripe, payout, installation) : undefined,
  };
}

function parseFee({
  id,
  fee,
  currency,
  created,
  description,
  type,
}: Stripe.BalanceTransaction): AccountFee | undefined {
  if (fee === 0) return undefined;
  return { id, amount: fee, currency, description: description ?? type, occurredAt: new Date(created * 1000) };
}

function toPayoutStatus({ status }: Stripe.Payout): PayoutStatus {
  if (status === 'paid') return 'paid';
  return status === 'failed' || status === 'canceled' ? 'failed' : 'in-transit';
}

function isComplete({ reconciliation_status: status }: Stripe.Payout): boolean {
  return status === 'completed';
}

async function readContents(stripe: Stripe, payout: Stripe.Payout, installation: string): Promise<PayoutMovement[]> {
  const movements: PayoutMovement[] = [];
  const payoutMovementId = getId(payout.balance_transaction);
  const list = { payout: payout.id, limit: PAGE_SIZE, expand: ['data.source'] };
  for await (const transaction of stripe.balanceTransactions.list(list)) {
    // The list includes the payout itself and transactions on other balances, such as reserves.
    if (transaction.id !== payoutMovementId && transaction.balance_type === 'payments')
      movements.push(toMovement(transaction, installation));
  }
  return movements;
}

function toMovement(transaction: Stripe.BalanceTransaction, installation: string): PayoutMovement {
  const { id, type, amount, fee, net, created, source } = transaction;
  const commonFields = {
    movementId: id,
    sourceId: getId(source),
    chargeId: undefined,
    isFromOtherInstallation: false,
    description: transaction.description ?? type,
    gross: amount,
    fee,
    net,
    occurredAt: new Date(created * 1000),
  };
  const sourceObject = typeof source === 'object' ? source : null;
  // A failed debit isn't in the books. Its reversal can be in an earlier payout.
  if (sourceObject?.object === 'charge' && sourceObject.status === 'succeeded') {
    const isFromOtherInstallation = getOrigin(sourceObject.metadata?.installation, installation) === 'foreign';
    return { ...commonFields, kind: 'payment', chargeId: sourceObject.id, isFromOtherInstallation };
  }
  if (sourceObject?.object === 'refund' || sourceObject?.object === 'dispute') {
    return { ...commonFields, kind: sourceObject.object, chargeId: getId(sourceObject.charge) };
  }
  if (sourceObject?.object === 'payout') return { ...commonFields, kind: net < 0 ? 'manual' : 'returned-payout' };
  return { ...commonFields, kind: isAccountFee(transaction) ? 'fee' : 'account' };
}

export async function listPayouts(stripe: Stripe, since?: Date): Promise<ListedPayout[]> {
  const created = since && { gte: Math.floor(since.getTime() / 1000) };
  const payouts: ListedPayout[] = [];
  for await (const payout of stripe.payouts.list({ limit: PAGE_SIZE, ...(created ? { created } : {}) })) {
    payouts.push({ payoutId: payout.id, status: toPayoutStatus(payout), isComplete: isComplete(payout) });
  }
  return payouts.reverse();
}
