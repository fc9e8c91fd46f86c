import type { Insertable } from 'kysely';
import type { Database } from '#server/db/connection.ts';
import type { Tables } from '#server/db/tables.ts';

/** Gives a user a role in an organization, by default editor. */
export async function addEditor(
  db: Database,
  orgId: string,
  userId: string,
  overrides: Partial<Insertable<Tables['org_editors']>> = {},
): Promise<void> {
  const row = { org_id: orgId, user_id: userId, display_name: 'Edith Editor', ...overrides };
  await db.kysely.insertInto('org_editors').values(row).execute();
}
