import type { Kysely } from 'kysely';
import { lastClosedMonth, oldestOpenMonth } from '#domain/month-closing.ts';
import type { Month } from '#domain/statement.ts';
import type { Tables } from '#server/db/tables.ts';
import type { OrgWithTimeZone } from '#server/entities/find-org.ts';
import { listMonthChanges, readMonths, toPeriodSpan } from '#server/features/ledger/months.ts';
import { hasBankEntries } from './bank.store.ts';

/**
 * Finds the oldest month that has ended but isn't closed. Before the first closing, that is the previous month, if any money
 * reached or left the bank in it.
 */
export async function readMonthToClose(
  db: Kysely<Tables>,
  org: OrgWithTimeZone,
  now: Date,
): Promise<Month | undefined> {
  const { first, last } = await readMonths(db, org, now);
  const closedMonth = lastClosedMonth(await listMonthChanges(db, org.id));
  const month = oldestOpenMonth(closedMonth, last);
  if (month < first || month >= last) return undefined;
  const isNeeded = closedMonth !== undefined || (await hasBankEntries(db, org.id, toPeriodSpan(month, org.timeZone)));
  return isNeeded ? month : undefined;
}
