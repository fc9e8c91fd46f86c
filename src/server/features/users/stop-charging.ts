import { isUnsettled } from '#domain/checkout.ts';
import { Failure } from '#domain/failures.ts';
import { type RecordDeps, recordPayment } from '#server/features/checkouts/record-payment.ts';
import type { Person } from './person.ts';
import { chargeableCheckoutsOf } from './person-rows.store.ts';

/**
 * Ends all by which the provider could still charge a person: pages to pay on are closed, and what is given again and
 * again is ended. A page may have been paid just now, and so have begun such a gift: the provider is asked first.
 * @returns Failure gifts-not-stopped
 */
export async function stopCharging(deps: RecordDeps, person: Person): Promise<Failure | undefined> {
  for (const { payment_status, provider_session_id } of await chargeableCheckoutsOf(deps.db.kysely, person)) {
    if (!isUnsettled(payment_status) || provider_session_id === null) continue;
    const closed = await deps.payments.close(provider_session_id);
    const heard = closed instanceof Failure ? closed : await recordPayment(deps, provider_session_id);
    if (heard instanceof Failure) return new Failure('gifts-not-stopped');
  }
  for (const { provider_subscription_id } of await chargeableCheckoutsOf(deps.db.kysely, person)) {
    if (provider_subscription_id === null) continue;
    const ended = await deps.payments.cancelSubscription(provider_subscription_id);
    if (ended instanceof Failure) return new Failure('gifts-not-stopped');
  }
  return undefined;
}
