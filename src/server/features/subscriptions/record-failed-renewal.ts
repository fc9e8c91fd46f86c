import type { Transaction } from 'kysely';
import type { Tables } from '#server/db/tables.ts';
import type { InvoiceFacts, SubscriptionFacts } from '#server/gateways/payments/payment-facts.ts';
import { sendFailedRenewalEmail } from './gift-emails.job.ts';
import { keepSubscription, type RecordedSubscription, type SubscriptionDeps } from './record-subscription.ts';
import { addFailedRenewal } from './subscriptions.store.ts';

export type FailedRenewal = NonNullable<InvoiceFacts['failure']> & {
  readonly invoiceId: string;
  readonly subscription: SubscriptionFacts;
};

/** Records that a renewal was not charged, and mails its donor once for each attempt. The end of a gift has another mail. */
export async function recordFailedRenewal(
  tx: Transaction<Tables>,
  deps: Pick<SubscriptionDeps, 'jobs' | 'now'>,
  { invoiceId, attempt, amount, retryAt, subscription }: FailedRenewal,
  askedAt: Date,
): Promise<RecordedSubscription> {
  const recorded = await keepSubscription(tx, deps, subscription, askedAt);
  if (recorded.outcome !== 'recorded') return recorded;
  const isNew = await addFailedRenewal(tx, {
    invoice_id: invoiceId,
    attempt,
    subscription_id: subscription.subscriptionId,
    amount_cents: amount,
    failed_at: deps.now(),
    retry_at: retryAt ?? null,
  });
  if (isNew && subscription.status !== 'canceled')
    await deps.jobs.enqueue(tx, sendFailedRenewalEmail, { invoiceId, attempt });
  return recorded;
}
