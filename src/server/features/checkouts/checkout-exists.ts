import type { Database } from '#server/db/connection.ts';
import { checkoutById } from './checkouts.store.ts';

export async function checkoutExists(db: Database, orgId: string, checkoutId: string): Promise<boolean> {
  return (await checkoutById(db.kysely, { orgId, checkoutId })) !== undefined;
}
