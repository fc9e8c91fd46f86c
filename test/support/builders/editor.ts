import type { Insertable } from 'kysely';
import type { Role } from '#domain/permissions.ts';
import type { Database } from '#server/db/connection.ts';
import type { OrgEditorsTable } from '#server/db/tables.ts';

type Overrides = Partial<Omit<Insertable<OrgEditorsTable>, 'role'>> & { readonly role?: Role };

/** Gives a user a role in an organization, an editor's unless another is named. */
export async function addEditor(
  db: Database,
  orgId: string,
  userId: string,
  { role = 'editor', ...overrides }: Overrides = {},
): Promise<void> {
  const row = { org_id: orgId, user_id: userId, display_name: 'Edith Editor', ...overrides };
  if (role === 'editor') await db.kysely.insertInto('org_editors').values(row).execute();
  else
    await db.kysely
      .insertInto('narrower_roles')
      .values({ ...row, role })
      .execute();
}
