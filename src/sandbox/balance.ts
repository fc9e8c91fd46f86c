// The merchant's Stripe balance. Each movement of money is a balance transaction.
import type Stripe from 'stripe';
import type { Page, ResourceList } from './collection.ts';
import { noSuchError } from './parameters.ts';
import type { Provider } from './provider.ts';
import { type Movement, newBalanceTransaction } from './resources/balance.ts';
import type { DelayedOutcome } from './resources/payment-method.ts';

type BalanceTransaction = Stripe.BalanceTransaction;

const DAY_SECONDS = 86_400;
const DAYS_UNTIL_AVAILABLE = 2;
/** A bank takes up to four days to confirm a debit. */
const DAYS_UNTIL_DEBIT_AVAILABLE = 6;

export function postMovement(provider: Provider, movement: Movement): BalanceTransaction {
  const transaction = newBalanceTransaction(movement, provider.now());
  provider.store.balanceTransactions.save(transaction);
  return transaction;
}

/** Posts a successful charge or a new debit, with Stripe's fee. */
export function postCharge(
  provider: Provider,
  charge: Stripe.Charge,
  delayedOutcome: DelayedOutcome,
): BalanceTransaction {
  const isBankDebit = charge.payment_method_details?.type === 'us_bank_account';
  const days = isBankDebit ? DAYS_UNTIL_DEBIT_AVAILABLE : DAYS_UNTIL_AVAILABLE;
  const availableOn = startOfDay(provider.now()) + days * DAY_SECONDS;
  return postMovement(provider, {
    type: isBankDebit ? 'payment' : 'charge',
    category: 'charge',
    amount: charge.amount,
    fee: isBankDebit ? debitFee(charge.amount) : cardFee(charge.amount),
    feeName: 'Stripe processing fees',
    currency: charge.currency,
    description: charge.description,
    source: charge.id,
    availableOn: delayedOutcome === 'funds_available' ? provider.now() : availableOn,
  });
}

/** Reverses a failed debit and its fee, and posts the failure fee. Stripe doesn’t document either amount, so both are assumptions. */
export function postDebitFailure(provider: Provider, charge: Stripe.Charge): BalanceTransaction {
  const { amount, currency, id: source } = charge;
  postAccountFee(provider, DEBIT_FAILURE_FEE, 'ACH Direct Debit failure fee', currency);
  return postMovement(provider, {
    type: 'payment_failure_refund',
    category: 'charge_failure',
    amount: -amount,
    fee: -debitFee(amount),
    feeName: 'Stripe processing fees',
    currency,
    description: `Payment failure refund for ${source}`,
    source,
  });
}

const DEBIT_FAILURE_FEE = 400;

/** Posts an account fee that isn’t tied to a charge, such as Radar’s. @param amount cents */
export function postAccountFee(provider: Provider, amount: number, description: string, currency: string): void {
  postMovement(provider, { type: 'stripe_fee', category: 'fee', amount: -amount, currency, description, source: null });
}

/** 2.9% + 30¢, rounded half up. @param amount cents */
export function cardFee(amount: number): number {
  return Math.floor((amount * 29 + 500) / 1000) + 30;
}

/** 0.8%, rounded half up, at most $5. @param amount cents */
export function debitFee(amount: number): number {
  return Math.min(Math.floor((amount * 8 + 500) / 1000), 500);
}

/** Midnight UTC. */
export function startOfDay(time: number): number {
  return time - (time % DAY_SECONDS);
}

/** Converts a transaction to the API's format. Its status is "available" once its funds are. */
export function presentTransaction(provider: Provider, transaction: BalanceTransaction): BalanceTransaction {
  return { ...transaction, status: transaction.available_on <= provider.now() ? 'available' : 'pending' };
}

/** @throws StripeApiError 404 */
export function retrieveTransaction(provider: Provider, id: string): BalanceTransaction {
  const transaction = provider.store.balanceTransactions.find(id);
  if (!transaction) throw noSuchError('balance transaction', id);
  return presentTransaction(provider, transaction);
}

/** @throws StripeApiError 404 for an unknown payout */
export function listTransactions(
  provider: Provider,
  { payout }: Stripe.BalanceTransactionListParams,
  page: Page,
): ResourceList<BalanceTransaction> {
  const { store } = provider;
  if (payout !== undefined && !store.payouts.find(payout)) throw noSuchError('payout', payout, 'payout');
  const payoutConditions = payout === undefined ? [] : [{ sql: 'payout = ?', values: [payout] }];
  const { data, hasMore } = store.balanceTransactions.list({
    ...page,
    conditions: [...(page.conditions ?? []), ...payoutConditions],
  });
  return { data: data.map((transaction) => presentTransaction(provider, transaction)), hasMore };
}

/** Cents that can be refunded or paid out. */
export function availableBalance({ store, now }: Provider, currency: string): number {
  const query = 'SELECT sum(net) AS available FROM balance_transactions WHERE currency = ? AND available_on <= ?';
  return Number(store.db.prepare(query).get(currency, now())?.available ?? 0);
}

export function retrieveBalance(provider: Provider): Stripe.Balance {
  const { db } = provider.store;
  const rows = db
    .prepare(
      `SELECT currency, sum(iif(available_on <= ?, net, 0)) AS available, sum(iif(available_on <= ?, 0, net)) AS pending
       FROM balance_transactions GROUP BY currency ORDER BY currency`,
    )
    .all(provider.now(), provider.now());
  const sums = rows.length > 0 ? rows : [{ currency: 'usd', available: 0, pending: 0 }];
  const toAmounts = (column: 'available' | 'pending') =>
    sums.map((row) => {
      const amount = Number(row[column]);
      return { amount, currency: String(row.currency), source_types: { card: amount } };
    });
  return { object: 'balance', available: toAmounts('available'), livemode: false, pending: toAmounts('pending') };
}
