import { randomUUID } from 'node:crypto';
import type { Insertable } from 'kysely';
import { donationItem } from '#domain/cart.ts';
import type { Database } from '#server/db/connection.ts';
import type { Tables } from '#server/db/tables.ts';

/** Adds an unpaid $25 checkout that doesn't exist at the provider. @returns its id */
export async function addCheckout(
  db: Database,
  orgId: string,
  overrides: Partial<Insertable<Tables['checkouts']>> = {},
): Promise<string> {
  const id = overrides.id ?? `checkout-${randomUUID()}`;
  const checkout = { id, org_id: orgId, cart: JSON.stringify([donationItem(25)]), total_cents: 2500, carbon: 0 };
  await db.kysely
    .insertInto('checkouts')
    .values({ ...checkout, ...overrides })
    .execute();
  return id;
}
