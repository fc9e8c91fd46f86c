import { randomUUID } from 'node:crypto';
import type { Insertable } from 'kysely';
import type { Database } from '#server/db/connection.ts';
import type { Tables } from '#server/db/tables.ts';

/** Adds an organization. @returns its id */
export async function addOrg(db: Database, overrides: Partial<Insertable<Tables['orgs']>> = {}): Promise<string> {
  const id = overrides.id ?? `org-${randomUUID()}`;
  const org = { id, slug: id, name: 'Ithaca Climate Fund', tag: 'Warm homes, cooler planet', ...overrides };
  await db.kysely.insertInto('orgs').values(org).execute();
  return id;
}
