import type Stripe from 'stripe';
import { postMovement } from './balance.ts';
import { equals } from './collection.ts';
import { endFraudWarnings } from './fraud-warnings.ts';
import { invalidRequest, noSuchError } from './parameters.ts';
import { getId, type Provider } from './provider.ts';
import { failRefund, listHeldRefunds } from './refund-outcomes.ts';
import { newDispute } from './resources/dispute.ts';

/** Stripe keeps the fee, even if the dispute is won. */
const DISPUTE_FEE = 1500;

const OPEN_STATUSES: readonly string[] = [
  'needs_response',
  'under_review',
  'appeal_needs_response',
  'appeal_under_review',
];

export const isOpenDispute = ({ status }: Stripe.Dispute): boolean => OPEN_STATUSES.includes(status);

/** Disputes the whole charge, even after a partial refund. @throws StripeApiError if it is fully refunded or already disputed */
export function openDispute(provider: Provider, chargeId: string): Stripe.Dispute {
  return createDispute(provider, requireDisputable(provider, chargeId), 'fraudulent', 'needs_response');
}

/** Simulates the bank returning a settled debit. A return is final. */
export function returnDebit(provider: Provider, chargeId: string): Stripe.Dispute {
  const charge = requireDisputable(provider, chargeId);
  if (charge.payment_method_details?.type !== 'us_bank_account')
    throw invalidRequest('Only a bank debit can be returned.');
  return resolveDispute(provider, createDispute(provider, charge, 'insufficient_funds', 'needs_response'), 'lost');
}

function requireDisputable(provider: Provider, id: string): Stripe.Charge {
  const charge = provider.store.charges.find(id);
  if (!charge) throw noSuchError('charge', id);
  if (charge.status !== 'succeeded') throw invalidRequest('Only a payment that succeeded can be disputed.');
  if (charge.disputed) throw invalidRequest(`Charge ${id} has already been disputed.`);
  const isRefunded = charge.amount === charge.amount_refunded && listHeldRefundsForCharge(provider, id).length === 0;
  if (isRefunded) throw invalidRequest('A refunded payment cannot be disputed.');
  return charge;
}

function listHeldRefundsForCharge(provider: Provider, chargeId: string): Stripe.Refund[] {
  return listHeldRefunds(provider, equals('charge', chargeId));
}

function createDispute(
  provider: Provider,
  disputedCharge: Stripe.Charge,
  reason: string,
  status: Stripe.Dispute.Status,
): Stripe.Dispute {
  const { store } = provider;
  for (const { id } of listHeldRefundsForCharge(provider, disputedCharge.id))
    failRefund(provider, id, 'charge_for_pending_refund_disputed');
  const charge = store.charges.find(disputedCharge.id) ?? disputedCharge;
  const createdDispute = newDispute(charge, reason, status, provider.now());
  const dispute = { ...createdDispute, balance_transactions: [withdraw(provider, createdDispute, DISPUTE_FEE)] };
  store.disputes.save(dispute);
  store.charges.save({ ...charge, disputed: true });
  provider.emit('charge.dispute.created', createdDispute);
  provider.emit('charge.dispute.funds_withdrawn', dispute);
  endFraudWarnings(provider, charge.id);
  return dispute;
}

/** lost-in-part: the refunded part is returned to the fund. Stripe still calls the dispute lost. */
export type Decision = 'won' | 'lost' | 'lost-in-part';

/** @throws StripeApiError if the dispute is not open */
export function closeDispute(provider: Provider, id: string, decision: Decision): Stripe.Dispute {
  const dispute = retrieveDispute(provider, id);
  if (!isOpenDispute(dispute)) throw invalidRequest(`The dispute is already ${dispute.status}.`);
  return resolveDispute(provider, dispute, decision);
}

function resolveDispute(provider: Provider, previous: Stripe.Dispute, decision: Decision): Stripe.Dispute {
  const amount = decision === 'lost' ? 0 : reinstatedAmount(provider, previous, decision === 'won');
  const { balance_transactions } = previous;
  const dispute: Stripe.Dispute = {
    ...previous,
    status: decision === 'won' ? 'won' : 'lost',
    balance_transactions:
      amount === 0 ? balance_transactions : [...balance_transactions, reinstate(provider, previous, amount)],
  };
  provider.store.disputes.save(dispute);
  if (amount !== 0) provider.emit('charge.dispute.funds_reinstated', dispute);
  provider.emit('charge.dispute.closed', dispute);
  return dispute;
}

function reinstatedAmount(
  { store }: Provider,
  { balance_transactions, charge }: Stripe.Dispute,
  isWon: boolean,
): number {
  const withdrawn = balance_transactions.reduce((sum, { amount }) => sum - amount, 0);
  return isWon ? withdrawn : Math.min(withdrawn, store.charges.find(getId(charge))?.amount_refunded ?? 0);
}

function reinstate(
  provider: Provider,
  { id, currency, charge }: Stripe.Dispute,
  amount: number,
): Stripe.BalanceTransaction {
  return postMovement(provider, {
    type: 'adjustment',
    category: 'dispute_reversal',
    amount,
    currency,
    description: `Chargeback reversal for ${getId(charge)}`,
    source: id,
  });
}

/**
 * Appeals a decision. The fund appeals a loss; the bank appeals a win, which withdraws the money again. Stripe documents
 * the statuses. Their order and the immediate withdrawal are assumptions.
 * @throws StripeApiError if the dispute is not decided
 */
export function appealDispute(provider: Provider, id: string): Stripe.Dispute {
  const previous = retrieveDispute(provider, id);
  if (previous.status !== 'won' && previous.status !== 'lost') throw invalidRequest('Only a decision can be appealed.');
  const isBankAppeal = previous.status === 'won';
  const dispute: Stripe.Dispute = {
    ...previous,
    status: isBankAppeal ? 'appeal_needs_response' : 'appeal_under_review',
    balance_transactions: isBankAppeal
      ? [...previous.balance_transactions, withdraw(provider, previous, 0)]
      : previous.balance_transactions,
  };
  provider.store.disputes.save(dispute);
  if (isBankAppeal) provider.emit('charge.dispute.funds_withdrawn', dispute);
  provider.emit('charge.dispute.updated', dispute, previous);
  return dispute;
}

function withdraw(
  provider: Provider,
  { id, amount, currency, charge }: Stripe.Dispute,
  fee: number,
): Stripe.BalanceTransaction {
  return postMovement(provider, {
    type: 'adjustment',
    category: 'dispute',
    amount: -amount,
    fee,
    feeName: 'Dispute fee',
    currency,
    description: `Chargeback withdrawal for ${getId(charge)}`,
    source: id,
  });
}

/** @throws StripeApiError 404 */
export function retrieveDispute({ store }: Provider, id: string): Stripe.Dispute {
  const dispute = store.disputes.find(id);
  if (!dispute) throw noSuchError('dispute', id);
  return dispute;
}

export function findDispute({ store }: Provider, chargeId: string): Stripe.Dispute | undefined {
  return store.disputes.all(equals('charge', chargeId))[0];
}
