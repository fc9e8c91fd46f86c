import type Stripe from 'stripe';
import { post } from './balance.ts';
import { equals } from './collection.ts';
import { endFraudWarnings } from './fraud-warnings.ts';
import { invalidRequest, noSuch } from './parameters.ts';
import { idOf, type Provider } from './provider.ts';
import { newDispute } from './resources/dispute.ts';

/** Stripe keeps it, also when the dispute is won. */
const DISPUTE_FEE = 1500;

const OPEN: readonly string[] = ['needs_response', 'under_review'];

export const isOpenDispute = ({ status }: Stripe.Dispute): boolean => OPEN.includes(status);

/** The cardholder takes back what has not been refunded. @throws StripeApiError when nothing is left, or it is disputed */
export function openDispute(provider: Provider, chargeId: string): Stripe.Dispute {
  return open(provider, disputable(provider, chargeId), 'fraudulent', 'needs_response');
}

/** The bank returns a debit after it was settled, which is final. */
export function returnDebit(provider: Provider, chargeId: string): Stripe.Dispute {
  const charge = disputable(provider, chargeId);
  if (charge.payment_method_details?.type !== 'us_bank_account')
    throw invalidRequest('Only a bank debit can be returned.');
  return close(provider, open(provider, charge, 'insufficient_funds', 'needs_response'), 'lost');
}

function disputable({ store }: Provider, id: string): Stripe.Charge {
  const charge = store.charges.find(id);
  if (!charge) throw noSuch('charge', id);
  if (charge.status !== 'succeeded') throw invalidRequest('Only a payment that succeeded can be disputed.');
  if (charge.disputed) throw invalidRequest(`Charge ${id} has already been disputed.`);
  if (charge.amount === charge.amount_refunded) throw invalidRequest('A refunded payment cannot be disputed.');
  return charge;
}

function open(
  provider: Provider,
  charge: Stripe.Charge,
  reason: string,
  status: Stripe.Dispute.Status,
): Stripe.Dispute {
  const { store } = provider;
  const created = newDispute(charge, reason, status, provider.now());
  const withdrawal = post(provider, {
    type: 'adjustment',
    category: 'dispute',
    amount: -created.amount,
    fee: DISPUTE_FEE,
    feeName: 'Dispute fee',
    currency: created.currency,
    description: `Chargeback withdrawal for ${charge.id}`,
    source: created.id,
  });
  const dispute = { ...created, balance_transactions: [withdrawal] };
  store.disputes.save(dispute);
  store.charges.save({ ...charge, disputed: true });
  provider.emit('charge.dispute.created', created);
  provider.emit('charge.dispute.funds_withdrawn', dispute);
  endFraudWarnings(provider, charge.id);
  return dispute;
}

/** @throws StripeApiError when it is not open */
export function closeDispute(provider: Provider, id: string, status: 'won' | 'lost'): Stripe.Dispute {
  const dispute = retrieveDispute(provider, id);
  if (!isOpenDispute(dispute)) throw invalidRequest(`The dispute is already ${dispute.status}.`);
  return close(provider, dispute, status);
}

function close(provider: Provider, before: Stripe.Dispute, status: 'won' | 'lost'): Stripe.Dispute {
  const dispute: Stripe.Dispute = {
    ...before,
    status,
    balance_transactions:
      status === 'won' ? [...before.balance_transactions, reinstate(provider, before)] : before.balance_transactions,
  };
  provider.store.disputes.save(dispute);
  if (status === 'won') provider.emit('charge.dispute.funds_reinstated', dispute);
  provider.emit('charge.dispute.closed', dispute);
  return dispute;
}

function reinstate(provider: Provider, { id, amount, currency, charge }: Stripe.Dispute): Stripe.BalanceTransaction {
  return post(provider, {
    type: 'adjustment',
    category: 'dispute_reversal',
    amount,
    currency,
    description: `Chargeback reversal for ${idOf(charge)}`,
    source: id,
  });
}

/** @throws StripeApiError 404 */
export function retrieveDispute({ store }: Provider, id: string): Stripe.Dispute {
  const dispute = store.disputes.find(id);
  if (!dispute) throw noSuch('dispute', id);
  return dispute;
}

export function disputeOf({ store }: Provider, chargeId: string): Stripe.Dispute | undefined {
  return store.disputes.all(equals('charge', chargeId))[0];
}
