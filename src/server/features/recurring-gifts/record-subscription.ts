import type { Transaction } from 'kysely';
import { Failure } from '#domain/failures.ts';
import type { CheckoutId } from '#domain/ids.ts';
import type { Tables } from '#server/db/tables.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { AppDeps } from '#server/deps.ts';
import { isOurs } from '#server/gateways/payments/origin.ts';
import type { SubscriptionFacts } from '#server/gateways/payments/payment-facts.ts';
import { defineRecurringJob } from '#server/jobs/define-job.ts';
import type { Log } from '#server/log.ts';
import { forEachConcurrently } from '#server/process/for-each-concurrently.ts';
import { sendChangedRecurringGiftEmail, sendEndedRecurringGiftEmail } from './recurring-gift-emails.job.ts';
import {
  changeSubscription,
  insertSubscription,
  listSubscriptionsToRefresh,
  lockSubscription,
  lockSubscriptionCheckout,
  markStopped,
} from './subscriptions.store.ts';

export { insertSubscription } from './subscriptions.store.ts';

export type SubscriptionDeps = Pick<AppDeps, 'db' | 'payments' | 'jobs' | 'now'>;

export type RecordedSubscription =
  | { readonly outcome: 'recorded'; readonly checkoutId: CheckoutId }
  | { readonly outcome: 'ignored' | 'unknown'; readonly checkoutId?: undefined };

/**
 * Reads a recurring gift from the provider and records it. Calls can be repeated and can run in any order.
 * @returns Failure payment-unavailable
 */
export async function recordSubscription(deps: SubscriptionDeps, id: string): Promise<RecordedSubscription | Failure> {
  const readAt = deps.now();
  const facts = await deps.payments.readSubscription(id);
  if (facts instanceof Failure) return facts;
  if (facts === 'unknown') {
    await changeSubscription(deps.db.kysely, id, { provider_checked_at: readAt });
    return { outcome: 'unknown' };
  }
  return inTransaction(deps.db, (tx) => saveSubscription(tx, deps, facts, readAt));
}

/**
 * Records a recurring gift as the provider reports it.
 * @param readAt when the read began; a read older than the recorded one changes nothing
 */
export async function saveSubscription(
  tx: Transaction<Tables>,
  { jobs }: Pick<AppDeps, 'jobs'>,
  facts: SubscriptionFacts,
  readAt: Date,
): Promise<RecordedSubscription> {
  const { subscriptionId: id, giftKey: pageKey, orgId, checkoutId } = facts;
  if (!isOurs(facts) || orgId === undefined || checkoutId === undefined) return { outcome: 'ignored' };
  const subscription = { id, pageKey, orgId, checkoutId };
  if (!(await lockSubscriptionCheckout(tx, subscription))) return { outcome: 'ignored' };
  await insertSubscription(tx, subscription);
  const lockedSubscription = await lockSubscription(tx, id);
  if (!lockedSubscription) return { outcome: 'ignored' };
  // A canceled subscription never becomes active again.
  const isOutdated =
    lockedSubscription.canceled_at !== null ||
    (lockedSubscription.provider_checked_at !== null && lockedSubscription.provider_checked_at > readAt);
  if (isOutdated) return { outcome: 'recorded', checkoutId };
  await changeSubscription(tx, id, toSubscriptionColumns(facts, readAt));
  const hasEndedUnpaid = facts.endedAt !== undefined && facts.hasEndedUnpaid;
  // Don't email the donor of a gift that ended before it was first recorded.
  if (hasEndedUnpaid && lockedSubscription.provider_checked_at !== null)
    await jobs.enqueue(tx, sendEndedRecurringGiftEmail, { subscriptionId: id });
  // If the provider's response to the stop request was lost, this report is the first to show that the gift ended.
  const hasStopped = facts.endedAt !== undefined && !facts.hasEndedUnpaid;
  if (hasStopped && lockedSubscription.stop_requested_at !== null) await confirmStop(tx, { jobs }, id, readAt);
  return { outcome: 'recorded', checkoutId };
}

/** Emails the donor once to confirm that a gift was stopped on this site. */
export async function confirmStop(
  tx: Transaction<Tables>,
  { jobs }: Pick<AppDeps, 'jobs'>,
  subscriptionId: string,
  at: Date,
): Promise<void> {
  if (await markStopped(tx, subscriptionId, at))
    await jobs.enqueue(tx, sendChangedRecurringGiftEmail, { subscriptionId, change: 'stopped', at: at.toISOString() });
}

function toSubscriptionColumns(facts: SubscriptionFacts, readAt: Date) {
  return {
    status: facts.status,
    amount_cents: facts.amount,
    covered_fee_cents: facts.coveredFee,
    interval_unit: facts.interval.unit,
    interval_count: facts.interval.count,
    next_charge_at: facts.nextChargeAt ?? null,
    canceled_at: facts.endedAt ?? null,
    ended_unpaid: facts.hasEndedUnpaid,
    livemode: facts.livemode,
    provider_checked_at: readAt,
  };
}

const BATCH_SIZE = 200;

/** Reads new and overdue recurring gifts from the provider. Logs failures and retries them in a later run. */
export async function refreshSubscriptions(deps: SubscriptionDeps, log: Log): Promise<void> {
  const ids = await listSubscriptionsToRefresh(deps.db.kysely, deps.now(), BATCH_SIZE);
  await forEachConcurrently(ids, (id) => refreshSubscription(deps, log, id));
}

async function refreshSubscription(deps: SubscriptionDeps, log: Log, subscription: string): Promise<void> {
  try {
    const recording = await recordSubscription(deps, subscription);
    if (!(recording instanceof Failure)) return;
    log.warn({ subscription, code: recording.code, ...recording.details }, 'a recurring gift could not be read');
  } catch (err) {
    log.error({ subscription, err }, 'a recurring gift could not be read');
  }
}

export const refreshSubscriptionsJob = defineRecurringJob({
  name: 'refresh-subscriptions',
  initialDelayMs: 1000,
  intervalMs: 60_000,
  isExclusive: true,
  run: (deps: SubscriptionDeps & { readonly log: Log }) => refreshSubscriptions(deps, deps.log),
});
