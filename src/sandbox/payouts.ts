// Available funds are paid out at midnight UTC and reach the bank a day later.
import type Stripe from 'stripe';
import { postMovement, startOfDay } from './balance.ts';
import { invalidRequest, noSuchError } from './parameters.ts';
import type { Provider } from './provider.ts';
import { newPayout } from './resources/balance.ts';

const DAY_SECONDS = 86_400;

/** Pays out all available funds, in each currency. @param arrival immediately by default */
export function payOut(provider: Provider, arrival = provider.now()): Stripe.Payout[] {
  const now = provider.now();
  const { db } = provider.store;
  const rows = db
    .prepare(
      `SELECT currency, sum(net) AS amount FROM balance_transactions
       WHERE payout IS NULL AND available_on <= ? GROUP BY currency HAVING sum(net) > 0`,
    )
    .all(now);
  return rows.map((row) => {
    const draft = newPayout(Number(row.amount), String(row.currency), arrival, now);
    const payout = recordPayout(provider, draft);
    return arrival <= now ? markArrived(provider, payout) : payout;
  });
}

function recordPayout(provider: Provider, draft: Stripe.Payout): Stripe.Payout {
  const { db, payouts } = provider.store;
  const { id, amount, currency, description } = draft;
  const movement = { type: 'payout', category: 'payout', amount: -amount, currency, description, source: id } as const;
  const payout = { ...draft, balance_transaction: postMovement(provider, movement).id };
  db.prepare(
    'UPDATE balance_transactions SET payout = ? WHERE payout IS NULL AND currency = ? AND available_on <= ?',
  ).run(id, currency, provider.now());
  payouts.save(payout);
  provider.emit('payout.created', payout);
  provider.emit('payout.reconciliation_completed', payout);
  return payout;
}

/**
 * Makes a manual payout, which reaches the bank within a day or instantly. We assume that the next automatic payout
 * lists the transaction, and that an instant payout's transaction includes its fee.
 * @param amount in cents; the whole available balance by default
 * @throws StripeApiError
 */
export function payOutManually(provider: Provider, method: 'standard' | 'instant', amount?: number): Stripe.Payout {
  const now = provider.now();
  const [row] = provider.store.db
    .prepare(
      `SELECT currency, sum(net) AS available FROM balance_transactions
       WHERE payout IS NULL AND available_on <= ? GROUP BY currency ORDER BY available DESC`,
    )
    .all(now);
  const available = Number(row?.available ?? 0);
  const payoutAmount = amount ?? available - instantFee(method, available);
  const fee = instantFee(method, payoutAmount);
  if (payoutAmount <= 0 || payoutAmount + fee > available)
    throw invalidRequest('You have insufficient funds for this payout.');
  const arrival = method === 'instant' ? now : startOfDay(now) + DAY_SECONDS;
  const draft: Stripe.Payout = {
    ...newPayout(payoutAmount, String(row?.currency), arrival, now),
    automatic: false,
    method,
    reconciliation_status: 'not_applicable',
  };
  const { id, currency, description } = draft;
  const movement = { amount: -payoutAmount, fee, feeName: 'Instant payout fee', currency, description, source: id };
  const payout = {
    ...draft,
    balance_transaction: postMovement(provider, { ...movement, type: 'payout', category: 'payout' }).id,
  };
  provider.store.payouts.save(payout);
  provider.emit('payout.created', payout);
  return method === 'instant' ? markArrived(provider, payout) : payout;
}

/** 1%, rounded up, at least 50¢. @param amount cents */
function instantFee(method: 'standard' | 'instant', amount: number): number {
  return method === 'instant' ? Math.max(50, Math.ceil(amount / 100)) : 0;
}

/** Simulates the bank returning a payout, even after it arrived. The next payout includes the money again. @throws StripeApiError */
export function failPayout(provider: Provider, id: string): Stripe.Payout {
  const previous = provider.store.payouts.find(id);
  if (!previous) throw noSuchError('payout', id);
  if (previous.status === 'failed') throw invalidRequest('The payout has already failed.');
  const { amount, currency } = previous;
  const movement = { type: 'payout_failure', category: 'payout_reversal', amount, currency, source: id } as const;
  const payout: Stripe.Payout = {
    ...previous,
    status: 'failed',
    failure_balance_transaction: postMovement(provider, { ...movement, description: 'STRIPE PAYOUT FAILURE' }).id,
    failure_code: 'account_closed',
    failure_message: 'The bank account has been closed.',
  };
  provider.store.payouts.save(payout);
  provider.emit('payout.failed', payout, previous);
  return payout;
}

/** Marks a payout as arrived at the bank. */
export function markArrived(provider: Provider, payout: Stripe.Payout): Stripe.Payout {
  const paidPayout: Stripe.Payout = { ...payout, status: 'paid' };
  provider.store.payouts.save(paidPayout);
  provider.emit('payout.paid', paidPayout);
  return paidPayout;
}

/** Finds the first midnight that has passed since new funds became available. */
export function nextPayoutTime({ store }: Provider, now: number): number | undefined {
  const checkedAt = Number(store.setting('payouts_checked_at') ?? 0);
  const availableAt = store.db
    .prepare(
      'SELECT min(available_on) AS first FROM balance_transactions WHERE payout IS NULL AND available_on BETWEEN ? AND ?',
    )
    .get(checkedAt + 1, now)?.first;
  if (typeof availableAt !== 'number') return undefined;
  const midnight = startOfDay(availableAt + DAY_SECONDS - 1);
  return midnight <= now ? midnight : undefined;
}

export function payOutDaily(provider: Provider): void {
  provider.store.saveSetting('payouts_checked_at', provider.now());
  payOut(provider, startOfDay(provider.now()) + DAY_SECONDS);
}
