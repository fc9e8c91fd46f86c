import { randomUUID } from 'node:crypto';
import type { Insertable } from 'kysely';
import type { Database } from '#server/db/connection.ts';
import type { Tables } from '#server/db/tables.ts';
import { addCheckout } from './checkout.ts';
import { MONTHLY_CART } from './gift.ts';

/** Adds a $10 monthly gift that doesn't exist at the provider. */
export async function addRecurringGift(
  db: Database,
  orgId: string,
  overrides: Partial<Insertable<Tables['checkouts']>> = {},
): Promise<{ readonly giftkey: string; readonly checkoutid: string }> {
  const id = `sub_${randomUUID()}`;
  const paidColumns = { payment_status: 'paid', cart: MONTHLY_CART, provider_subscription_id: id } as const;
  const checkoutId = await addCheckout(db, orgId, { ...paidColumns, ...overrides });
  const giftKey = randomUUID();
  await db.kysely
    .insertInto('subscriptions')
    .values({
      id,
      org_id: orgId,
      checkout_id: checkoutId,
      page_key: giftKey,
      status: 'active',
      amount_cents: 1000,
      interval_unit: 'month',
      interval_count: 1,
    })
    .execute();
  return { giftkey: giftKey, checkoutid: checkoutId };
}
