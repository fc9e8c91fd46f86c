import type { CheckoutRecord } from '#contract/schemas/checkout-records.ts';
import { Failure } from '#domain/failures.ts';
import type { AppDeps } from '#server/deps.ts';
import { anyOffsetter } from '#server/features/stories/own-offsetter.ts';
import { storyOfCheckout } from '#server/features/stories/submitted-story.ts';
import { presentRecord } from './checkout-records.present.ts';
import { entriesOf, receiptsOf, reportsOf } from './checkout-records.store.ts';
import { type CheckoutKey, checkoutById } from './checkouts.store.ts';

/** A checkout with its whole history, for the organisation's editors. @returns Failure checkout-not-found */
export async function readCheckoutRecord(
  { db }: Pick<AppDeps, 'db'>,
  key: CheckoutKey,
): Promise<CheckoutRecord | Failure> {
  const { kysely } = db;
  const checkout = await checkoutById(kysely, key);
  if (!checkout) return new Failure('checkout-not-found');
  const { org_id: orgId, offsetter_id: id } = checkout;
  const [entries, receipts, reports, own] = await Promise.all([
    entriesOf(kysely, key),
    receiptsOf(kysely, key),
    reportsOf(kysely, key),
    storyOfCheckout(kysely, orgId, checkout.id),
  ]);
  const story = own ?? (id === null ? undefined : await anyOffsetter(kysely, { orgId, id }));
  return presentRecord({ checkout, story, entries, receipts, reports });
}
