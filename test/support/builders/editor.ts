import type { Insertable } from 'kysely';
import type { Database } from '#server/db/connection.ts';
import type { OrgEditorsTable } from '#server/db/tables.ts';

/** Makes a user an editor of an organization. */
export async function addEditor(
  db: Database,
  orgId: string,
  userId: string,
  overrides: Partial<Insertable<OrgEditorsTable>> = {},
): Promise<void> {
  await db.kysely
    .insertInto('org_editors')
    .values({ org_id: orgId, user_id: userId, display_name: 'Edith Editor', ...overrides })
    .execute();
}
