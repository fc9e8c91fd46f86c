import { randomUUID } from 'node:crypto';
import type { Insertable } from 'kysely';
import type { Database } from '#server/db/connection.ts';
import type { Tables } from '#server/db/tables.ts';

const STORY = 'We fly to see our grandmother once a year, and want that to warm a home.';

/** Adds a published offsetter. @returns its id */
export async function addOffsetter(
  db: Database,
  orgId: string,
  overrides: Partial<Insertable<Tables['offsetters']>> = {},
): Promise<string> {
  const id = overrides.id ?? `offsetter-${randomUUID()}`;
  const story = { id, org_id: orgId, email: 'dora@example.org', name: 'Dora Donor', story: STORY };
  await db.kysely
    .insertInto('offsetters')
    .values({ ...story, status: 'published', ...overrides })
    .execute();
  return id;
}

/** Adds a published awardee or installer. @returns its id */
export async function addStory(
  db: Database,
  table: 'awardees' | 'installers',
  orgId: string,
  overrides: Partial<Insertable<Tables['awardees']>> = {},
): Promise<string> {
  const id = overrides.id ?? `${table}-${randomUUID()}`;
  const story = { id, org_id: orgId, name: 'Anna Awarded', story: STORY };
  await db.kysely
    .insertInto(table)
    .values({ ...story, status: 'published', ...overrides })
    .execute();
  return id;
}
