// Performs scheduled work in the order of its due times.

import { billRecurringPayments, nextBillingTime } from './billing-fees.ts';
import { type ClockMove, moveClock } from './clock.ts';
import type { Collection } from './collection.ts';
import { resolveDebit } from './debits.ts';
import { lastEventTime } from './events.ts';
import { collectInvoice } from './invoices.ts';
import { markArrived, nextPayoutTime, payOutDaily } from './payouts.ts';
import { idOf, type Provider } from './provider.ts';
import { failRefund, settleRefund } from './refund-outcomes.ts';
import { nextCoveredRefund, releaseRefund } from './refunds.ts';
import { advanceSubscription } from './renewals.ts';
import { markExpired } from './sessions.ts';

type DueWork = { readonly at: number; readonly work: (provider: Provider) => void };

/** Moves the clock forward and performs all work that becomes due, oldest first, in one transaction. */
export function advanceClock(provider: Provider, move: ClockMove): void {
  provider.store.transaction(() => {
    moveClock(provider, move);
    catchUp(provider);
  });
}

/** Performs all due work, each item at its due time, but never at a time before the last event. */
export function catchUp(provider: Provider): void {
  const { store } = provider;
  store.transaction(() => {
    const now = provider.now();
    for (let next = nextDueWork(provider, now); next; next = nextDueWork(provider, now))
      next.work(provider.asOf(Math.max(next.at, lastEventTime(store))));
  });
}

function nextDueWork(provider: Provider, now: number): DueWork | undefined {
  const { store } = provider;
  const payoutTime = nextPayoutTime(provider, now);
  const billingTime = nextBillingTime(provider, now);
  const coveredRefund = nextCoveredRefund(provider, now);
  const candidates: readonly (DueWork | undefined)[] = [
    dueWorkIn(store.sessions, now, markExpired),
    dueWorkIn(
      store.charges,
      now,
      (providerThen, { payment_intent: intent }) => void resolveDebit(providerThen, idOf(intent), true),
    ),
    dueWorkIn(store.refunds, now, settleRefund),
    dueWorkIn(store.refundFailures, now, (providerThen, { id }) => failRefund(providerThen, id)),
    dueWorkIn(store.invoices, now, collectInvoice),
    dueWorkIn(store.subscriptions, now, advanceSubscription),
    dueWorkIn(store.payouts, now, markArrived),
    coveredRefund && {
      at: coveredRefund.at,
      work: (providerThen) => releaseRefund(providerThen, coveredRefund.refund),
    },
    billingTime === undefined ? undefined : { at: billingTime, work: billRecurringPayments },
    payoutTime === undefined ? undefined : { at: payoutTime, work: payOutDaily },
  ];
  return candidates.reduce((first, one) => (one && (!first || one.at < first.at) ? one : first), undefined);
}

function dueWorkIn<T extends { id: string }>(
  collection: Collection<T>,
  now: number,
  work: (provider: Provider, resource: T) => unknown,
): DueWork | undefined {
  const next = collection.nextDue(now);
  return next && { at: next.at, work: (provider) => void work(provider, next.resource) };
}
