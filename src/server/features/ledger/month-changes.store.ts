import { type Kysely, sql } from 'kysely';
import type { OrgId } from '#domain/ids.ts';
import type { MonthChange } from '#domain/month-closing.ts';
import { isInPaymentMode } from '#server/db/payment-mode.ts';
import type { Tables } from '#server/db/tables.ts';
import { selectUserName } from '#server/entities/find-user.ts';

/** A team member's action. */
export type AuthoredRow = {
  readonly created_at: Date;
  /** Null once the person's account is deleted. */
  readonly author: string | null;
};

export type MonthChangeRow = AuthoredRow & MonthChange & { readonly reason: string | null };

/** Lists the months that an organization closed and reopened, in the order of the changes. */
export function listMonthChanges(db: Kysely<Tables>, orgId: OrgId): Promise<MonthChangeRow[]> {
  return db
    .selectFrom('month_changes')
    .leftJoin('users', 'users.id', 'month_changes.user_id')
    .select(['month_changes.month', 'month_changes.action', 'month_changes.reason', 'month_changes.created_at'])
    .select(selectUserName().as('author'))
    .where('month_changes.org_id', '=', orgId)
    .orderBy('month_changes.id')
    .execute();
}

/** @returns whether an organization has an entry in a month that a treasurer closed or that agrees with the provider */
export async function hasEntryInClosedMonth(db: Kysely<Tables>, orgId: OrgId): Promise<boolean> {
  const { rows } = await sql`
    select from ledger_entries e
    where e.org_id = ${orgId} and ${isInPaymentMode('e.livemode')} and e.booked_at < greatest(
      months_closed_until(${orgId}), books_closed_until(${orgId}, (select livemode from payment_mode)))
    limit 1`.execute(db);
  return rows.length > 0;
}
