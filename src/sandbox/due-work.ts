// Performs scheduled work in order of its due times.

import { billRecurringPayments, nextBillingTime } from './billing-fees.ts';
import { type ClockMove, moveClock } from './clock.ts';
import type { Collection } from './collection.ts';
import { resolveDebit } from './debits.ts';
import { lastEventTime } from './events.ts';
import { collectInvoice } from './invoices.ts';
import { markArrived, nextPayoutTime, payOutDaily } from './payouts.ts';
import { getId, type Provider } from './provider.ts';
import { failRefund, settleRefund } from './refund-outcomes.ts';
import { nextCoveredRefund, releaseRefund } from './refunds.ts';
import { advanceSubscription } from './renewals.ts';
import { markExpired } from './sessions.ts';

type DueWork = { readonly dueAt: number; readonly work: (provider: Provider) => void };

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
      next.work(provider.asOf(Math.max(next.dueAt, lastEventTime(store))));
  });
}

function nextDueWork(provider: Provider, now: number): DueWork | undefined {
  const { store } = provider;
  const payoutTime = nextPayoutTime(provider, now);
  const billingTime = nextBillingTime(provider, now);
  const coveredRefund = nextCoveredRefund(provider, now);
  const candidates: readonly (DueWork | undefined)[] = [
    findDueWork(store.sessions, now, markExpired),
    findDueWork(
      store.charges,
      now,
      (providerAtDueTime, { payment_intent: intent }) => void resolveDebit(providerAtDueTime, getId(intent), true),
    ),
    findDueWork(store.refunds, now, settleRefund),
    findDueWork(store.refundFailures, now, (providerAtDueTime, { id }) => failRefund(providerAtDueTime, id)),
    findDueWork(store.invoices, now, collectInvoice),
    findDueWork(store.subscriptions, now, advanceSubscription),
    findDueWork(store.payouts, now, markArrived),
    coveredRefund && {
      dueAt: coveredRefund.coveredAt,
      work: (providerAtDueTime) => releaseRefund(providerAtDueTime, coveredRefund.refund),
    },
    billingTime === undefined ? undefined : { dueAt: billingTime, work: billRecurringPayments },
    payoutTime === undefined ? undefined : { dueAt: payoutTime, work: payOutDaily },
  ];
  return candidates.reduce(
    (earliest, candidate) => (candidate && (!earliest || candidate.dueAt < earliest.dueAt) ? candidate : earliest),
    undefined,
  );
}

function findDueWork<T extends { id: string }>(
  collection: Collection<T>,
  now: number,
  work: (provider: Provider, resource: T) => unknown,
): DueWork | undefined {
  const next = collection.nextDue(now);
  return next && { dueAt: next.dueAt, work: (provider) => void work(provider, next.resource) };
}
