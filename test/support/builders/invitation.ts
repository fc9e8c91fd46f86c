import { randomUUID } from 'node:crypto';
import type { Insertable } from 'kysely';
import type { Database } from '#server/db/connection.ts';
import type { Tables } from '#server/db/tables.ts';

/** Adds an invitation to a role in an organization, by default editor. @returns its id */
export async function addInvitation(
  db: Database,
  orgId: string,
  overrides: Partial<Insertable<Tables['invitations']>> = {},
): Promise<string> {
  const id = overrides.id ?? `invitation-${randomUUID()}`;
  const row = { id, org_id: orgId, email: `${id}@example.org`, ...overrides };
  await db.kysely.insertInto('invitations').values(row).execute();
  return id;
}
