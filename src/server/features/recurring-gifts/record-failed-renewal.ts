import type { Transaction } from 'kysely';
import type { Tables } from '#server/db/tables.ts';
import type { InvoiceFacts, SubscriptionFacts } from '#server/gateways/payments/payment-facts.ts';
import { type RecordedSubscription, type SubscriptionDeps, saveSubscription } from './record-subscription.ts';
import { sendFailedRenewalEmail } from './recurring-gift-emails.job.ts';
import { insertFailedRenewal } from './subscriptions.store.ts';

export type FailedRenewal = NonNullable<InvoiceFacts['failure']> & {
  readonly invoiceId: string;
  readonly subscription: SubscriptionFacts;
};

/** Records a failed renewal and queues one email to the donor per attempt. A gift that ended gets a different email. */
export async function recordFailedRenewal(
  tx: Transaction<Tables>,
  deps: Pick<SubscriptionDeps, 'jobs' | 'now'>,
  { invoiceId, attempt, amount, retryAt, subscription }: FailedRenewal,
  readAt: Date,
): Promise<RecordedSubscription> {
  const recording = await saveSubscription(tx, deps, subscription, readAt);
  if (recording.outcome !== 'recorded') return recording;
  const isNew = await insertFailedRenewal(tx, {
    invoice_id: invoiceId,
    attempt,
    subscription_id: subscription.subscriptionId,
    amount_cents: amount,
    failed_at: deps.now(),
    retry_at: retryAt ?? null,
  });
  if (isNew && subscription.status !== 'canceled')
    await deps.jobs.enqueue(tx, sendFailedRenewalEmail, { invoiceId, attempt });
  return recording;
}
