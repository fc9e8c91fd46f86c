import { randomUUID } from 'node:crypto';
import type { Insertable } from 'kysely';
import type { Database } from '#server/db/connection.ts';
import type { Tables } from '#server/db/tables.ts';

/** Adds a pledged $100 check. @returns its id */
export async function addPledge(
  db: Database,
  orgId: string,
  overrides: Partial<Insertable<Tables['pledges']>> = {},
): Promise<string> {
  const id = overrides.id ?? `pledge-${randomUUID()}`;
  const pledge = { id, org_id: orgId, name: 'Dora Donor', email: 'dora@example.org', amount_cents: 10_000 };
  await db.kysely
    .insertInto('pledges')
    .values({ ...pledge, ...overrides })
    .execute();
  return id;
}
