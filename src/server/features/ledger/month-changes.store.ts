import { type Kysely, sql } from 'kysely';
import type { OrgId } from '#domain/ids.ts';
import type { MonthChange } from '#domain/month-closing.ts';
import type { Tables } from '#server/db/tables.ts';

/** Something that a team member did. */
export type SignedRow = {
  readonly created_at: Date;
  /** Null once the person's account is deleted. */
  readonly author: string | null;
};

/** The name of the joined user, or else the email. */
export const AUTHOR = sql<string | null>`coalesce(nullif(users.display_name, ''), users.email)`;

export type MonthChangeRow = SignedRow & MonthChange & { readonly reason: string | null };

/** An organization's closed and reopened months, in the order of the changes. */
export function monthChanges(db: Kysely<Tables>, orgId: OrgId): Promise<MonthChangeRow[]> {
  return db
    .selectFrom('month_changes')
    .leftJoin('users', 'users.id', 'month_changes.user_id')
    .select(['month_changes.month', 'month_changes.action', 'month_changes.reason', 'month_changes.created_at'])
    .select(AUTHOR.as('author'))
    .where('month_changes.org_id', '=', orgId)
    .orderBy('month_changes.id')
    .execute();
}
