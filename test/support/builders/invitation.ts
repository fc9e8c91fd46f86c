import { randomUUID } from 'node:crypto';
import type { Insertable } from 'kysely';
import type { Role } from '#domain/permissions.ts';
import type { Database } from '#server/db/connection.ts';
import type { InvitationsTable } from '#server/db/tables.ts';

type Overrides = Partial<Omit<Insertable<InvitationsTable>, 'role'>> & { readonly role?: Role };

/** Adds an invitation to a role in an organization, an editor's unless another is named. @returns its id */
export async function addInvitation(
  db: Database,
  orgId: string,
  { role = 'editor', ...overrides }: Overrides = {},
): Promise<string> {
  const id = overrides.id ?? `invitation-${randomUUID()}`;
  const row = { id, org_id: orgId, email: `${id}@example.org`, ...overrides };
  if (role === 'editor') await db.kysely.insertInto('invitations').values(row).execute();
  else
    await db.kysely
      .insertInto('narrower_invitations')
      .values({ ...row, role })
      .execute();
  return id;
}
