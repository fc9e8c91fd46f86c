// Files of format 1 had no payment methods, no balance and no clock that moves.
import type Stripe from 'stripe';
import { cardFee, debitFee } from './balance.ts';
import { equals } from './collection.ts';
import { idOf } from './provider.ts';
import { newBalanceTransaction } from './resources/balance.ts';
import { type Instrument, TEST_BANK_ACCOUNT } from './resources/payment.ts';
import type { Store } from './store.ts';

/** Makes what a new program expects of the old file's charges, refunds and subscriptions. */
export function fillOldFile(store: Store): void {
  store.db.exec('UPDATE deliveries SET queued_at = (SELECT created * 1000 FROM events WHERE id = deliveries.event)');
  for (const charge of store.charges.all()) fillCharge(store, charge);
  for (const refund of store.refunds.all()) fillRefund(store, refund);
  for (const subscription of store.subscriptions.all()) fillSubscription(store, subscription);
}

function fillCharge(store: Store, charge: Stripe.Charge): void {
  const instrument = instrumentOf(charge);
  if (charge.payment_method !== null)
    store.paymentMethods.save({
      id: charge.payment_method,
      created: charge.created,
      customer: typeof charge.customer === 'string' ? charge.customer : null,
      payer: { email: charge.billing_details.email ?? '', name: charge.billing_details.name ?? '' },
      instrument,
      later: null,
    });
  if (charge.status !== 'succeeded' || charge.balance_transaction !== null) return;
  const isCard = instrument.kind === 'card';
  const transaction = newBalanceTransaction(
    {
      type: isCard ? 'charge' : 'payment',
      category: 'charge',
      amount: charge.amount,
      fee: isCard ? cardFee(charge.amount) : debitFee(charge.amount),
      feeName: 'Stripe processing fees',
      currency: charge.currency,
      description: charge.description,
      source: charge.id,
    },
    charge.created,
  );
  store.balanceTransactions.save(transaction);
  store.charges.save({ ...charge, balance_transaction: transaction.id });
}

function instrumentOf({ payment_method_details: details }: Stripe.Charge): Instrument {
  const card = details?.card;
  if (!card) return TEST_BANK_ACCOUNT;
  return {
    kind: 'card',
    brand: card.brand ?? 'unknown',
    last4: card.last4 ?? '',
    expMonth: card.exp_month,
    expYear: card.exp_year,
  };
}

function fillRefund(store: Store, refund: Stripe.Refund): void {
  if (refund.status !== 'succeeded' || refund.balance_transaction !== null) return;
  const transaction = newBalanceTransaction(
    {
      type: 'refund',
      category: 'refund',
      amount: -refund.amount,
      currency: refund.currency,
      description: `REFUND FOR ${idOf(refund.charge)}`,
      source: refund.id,
    },
    refund.created,
  );
  store.balanceTransactions.save(transaction);
  store.refunds.save({ ...refund, balance_transaction: transaction.id });
}

/** Renewals are charged to what paid the first invoice. */
function fillSubscription(store: Store, subscription: Stripe.Subscription): void {
  if (subscription.default_payment_method !== null) return;
  const [payment] = store.invoicePayments.all(equals('invoice', idOf(subscription.latest_invoice)));
  const intent = payment && store.paymentIntents.find(idOf(payment.payment.payment_intent));
  const method = typeof intent?.payment_method === 'string' ? intent.payment_method : null;
  store.subscriptions.save({ ...subscription, default_payment_method: method });
}
