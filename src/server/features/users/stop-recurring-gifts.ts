import { isUnsettled } from '#domain/checkout.ts';
import { Failure } from '#domain/failures.ts';
import { type RecordDeps, recordPayment } from '#server/features/checkouts/record-payment.ts';
import type { Person } from './person.ts';
import { recurringCheckoutsOf } from './person-rows.store.ts';

/**
 * Ends all that a person gives again and again, at the provider. A checkout that may have been paid just now is asked
 * about first.
 * @returns Failure gifts-not-stopped
 */
export async function stopRecurringGifts(deps: RecordDeps, person: Person): Promise<Failure | undefined> {
  for (const { payment_status, provider_session_id } of await recurringCheckoutsOf(deps.db.kysely, person)) {
    if (!isUnsettled(payment_status) || provider_session_id === null) continue;
    const heard = await recordPayment(deps, provider_session_id);
    if (heard instanceof Failure) return new Failure('gifts-not-stopped');
  }
  for (const { provider_subscription_id } of await recurringCheckoutsOf(deps.db.kysely, person)) {
    if (provider_subscription_id === null) continue;
    const ended = await deps.payments.cancelSubscription(provider_subscription_id);
    if (ended instanceof Failure) return new Failure('gifts-not-stopped');
  }
  return undefined;
}
