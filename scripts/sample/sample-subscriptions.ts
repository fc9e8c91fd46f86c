import type { Insertable, Transaction } from 'kysely';
import { cartTotal } from '#domain/cart.ts';
import { DAY_MS } from '#domain/days.ts';
import { newId } from '#server/db/new-id.ts';
import type { Tables } from '#server/db/tables.ts';
import type { SampleContext } from './sample-books.ts';
import type { SampleRecurringGift } from './sample-gifts.ts';
import { sampleOrg } from './sample-org.ts';

const DAYS_TO_RETRY = 2;
/** Days after its first failed charge on which a gift ends. */
const DAYS_TO_END = 14;

type Row = Omit<Insertable<Tables['subscriptions']>, 'id' | 'org_id' | 'checkout_id' | 'page_key'>;

/** Inserts recurring gifts in every state. Their payments and renewals are in the books. */
export async function insertSubscriptions(
  tx: Transaction<Tables>,
  { deps, now }: SampleContext,
  gifts: readonly (SampleRecurringGift & { readonly checkoutId: string })[],
): Promise<void> {
  for (const gift of gifts) {
    const { payment, items, interval, dueAt, group, checkoutId } = gift;
    const id = `sample-subscription-${payment.key}`;
    const amount = cartTotal(items);
    await tx
      .insertInto('subscriptions')
      .values({
        id,
        org_id: sampleOrg.id,
        checkout_id: checkoutId,
        page_key: newId(),
        amount_cents: amount,
        interval_unit: interval.unit,
        interval_count: interval.count,
        livemode: deps.livemode,
        provider_checked_at: now,
        created_at: payment.givenAt,
        ...toStateColumns(gift, now),
      })
      .execute();
    if (group !== 'failing' && group !== 'lost') continue;
    const failure = { invoice_id: `${id}-invoice`, attempt: 1, subscription_id: id };
    await tx
      .insertInto('failed_renewals')
      .values({ ...failure, amount_cents: amount, failed_at: dueAt })
      .execute();
  }
}

function toStateColumns({ group, dueAt, stoppedAt }: SampleRecurringGift, now: Date): Row {
  const addDays = (date: Date, days: number) => new Date(date.getTime() + days * DAY_MS);
  switch (group) {
    case 'active':
      return { status: 'active', next_charge_at: dueAt };
    case 'paused':
      return { status: 'paused' };
    case 'failing':
      return { status: 'past_due', next_charge_at: addDays(now, DAYS_TO_RETRY) };
    case 'lost':
      return { status: 'canceled', canceled_at: addDays(dueAt, DAYS_TO_END), ended_unpaid: true };
    case 'ended':
      return { status: 'canceled', canceled_at: stoppedAt, stopped_at: stoppedAt };
  }
}
