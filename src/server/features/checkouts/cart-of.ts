import type { CartItem } from '#domain/cart.ts';
import type { Database } from '#server/db/connection.ts';
import { checkoutById } from './checkouts.store.ts';

/** What a checkout is for. */
export async function cartOf(db: Database, orgId: string, checkoutId: string): Promise<readonly CartItem[]> {
  const checkout = await checkoutById(db.kysely, { orgId, checkoutId });
  return checkout?.cart ?? [];
}
