import type { Transaction } from 'kysely';
import { Failure } from '#domain/failures.ts';
import type { Tables } from '#server/db/tables.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { AppDeps } from '#server/deps.ts';
import { askEach } from '#server/gateways/payments/ask-each.ts';
import { isOurs } from '#server/gateways/payments/origin.ts';
import type { SubscriptionFacts } from '#server/gateways/payments/payment-facts.ts';
import { defineRecurringJob } from '#server/jobs/define-job.ts';
import type { Log } from '#server/log.ts';
import { sendEndedGiftEmail } from './gift-emails.job.ts';
import {
  changeSubscription,
  insertSubscription,
  lockCheckoutOf,
  lockedSubscription,
  type NewSubscription,
  subscriptionsToAsk,
} from './subscriptions.store.ts';

export type SubscriptionDeps = Pick<AppDeps, 'db' | 'payments' | 'jobs' | 'now'>;

export type RecordedSubscription =
  | { readonly outcome: 'recorded'; readonly checkoutId: string }
  | { readonly outcome: 'ignored' | 'unknown'; readonly checkoutId?: undefined };

/**
 * Asks the provider about a recurring gift and records the answer. Safe to repeat, in any order.
 * @returns Failure payment-unavailable
 */
export async function recordSubscription(deps: SubscriptionDeps, id: string): Promise<RecordedSubscription | Failure> {
  const askedAt = deps.now();
  const facts = await deps.payments.readSubscription(id);
  if (facts instanceof Failure) return facts;
  if (facts === 'unknown') {
    await changeSubscription(deps.db.kysely, id, { asked_at: askedAt });
    return { outcome: 'unknown' };
  }
  return inTransaction(deps.db, (tx) => keepSubscription(tx, deps, facts, askedAt));
}

/** @param askedAt when the provider was asked, since an older answer changes nothing */
export async function keepSubscription(
  tx: Transaction<Tables>,
  { jobs }: Pick<AppDeps, 'jobs'>,
  facts: SubscriptionFacts,
  askedAt: Date,
): Promise<RecordedSubscription> {
  const { subscriptionId: id, giftKey: key, orgId, checkoutId } = facts;
  if (!isOurs(facts) || orgId === undefined || checkoutId === undefined) return { outcome: 'ignored' };
  const subscription = { id, key, orgId, checkoutId };
  if (!(await lockCheckoutOf(tx, subscription))) return { outcome: 'ignored' };
  await insertSubscription(tx, subscription);
  const before = await lockedSubscription(tx, id);
  if (!before) return { outcome: 'ignored' };
  // What has ended for good does not start again.
  const isOld = before.canceled_at !== null || (before.asked_at !== null && before.asked_at > askedAt);
  if (isOld) return { outcome: 'recorded', checkoutId };
  await changeSubscription(tx, id, rowOf(facts, askedAt));
  const hasEndedUnpaid = facts.endedAt !== undefined && facts.endedUnpaid;
  // If it ended before it was known here, its donor heard of it long ago.
  if (hasEndedUnpaid && before.asked_at !== null) await jobs.enqueue(tx, sendEndedGiftEmail, { subscriptionId: id });
  return { outcome: 'recorded', checkoutId };
}

function rowOf(facts: SubscriptionFacts, askedAt: Date) {
  return {
    status: facts.status,
    amount_cents: facts.amount,
    covered_fee_cents: facts.coveredFee,
    unit: facts.interval.unit,
    count: facts.interval.count,
    next_charge_at: facts.nextChargeAt ?? null,
    canceled_at: facts.endedAt ?? null,
    ended_unpaid: facts.endedUnpaid,
    livemode: facts.livemode,
    asked_at: askedAt,
  };
}

/** Makes a new recurring gift known in the transaction that counts its first payment, so that its receipt can link to it. */
export function beginSubscription(tx: Transaction<Tables>, subscription: NewSubscription): Promise<void> {
  return insertSubscription(tx, subscription);
}

const A_ROUND = 200;

/** Asks the provider about the recurring gifts of which too little is known. A failure is logged, and asked again later. */
export async function askAboutSubscriptions(deps: SubscriptionDeps, log: Log): Promise<void> {
  const waiting = await subscriptionsToAsk(deps.db.kysely, deps.now(), A_ROUND);
  await askEach(waiting, (id) => ask(deps, log, id));
}

async function ask(deps: SubscriptionDeps, log: Log, subscription: string): Promise<void> {
  try {
    const recorded = await recordSubscription(deps, subscription);
    if (!(recorded instanceof Failure)) return;
    log.warn({ subscription, code: recorded.code, ...recorded.details }, 'a recurring gift could not be read');
  } catch (err) {
    log.error({ subscription, err }, 'a recurring gift could not be read');
  }
}

export const subscriptionSettlement = defineRecurringJob({
  name: 'settle-subscriptions',
  firstMs: 1000,
  everyMs: 60_000,
  isExclusive: true,
  run: (deps: SubscriptionDeps & { readonly log: Log }) => askAboutSubscriptions(deps, deps.log),
});
