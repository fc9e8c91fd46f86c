import type { CartItem } from '#domain/cart.ts';
import type { Database } from '#server/db/connection.ts';
import { keptCheckout } from './checkouts.store.ts';

/** What a checkout is for, also where its record was taken away. */
export async function cartOf(db: Database, orgId: string, checkoutId: string): Promise<readonly CartItem[]> {
  const checkout = await keptCheckout(db.kysely, { orgId, checkoutId });
  return checkout?.cart ?? [];
}
