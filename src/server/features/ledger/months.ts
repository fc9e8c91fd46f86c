import type { Kysely } from 'kysely';
import { type Day, dayOf, startOfDay, type TimeZone } from '#domain/days.ts';
import { findClosing } from '#domain/month-closing.ts';
import { addMonths, firstDayOfMonth, getPeriodMonths, type Month, type StatementPeriod } from '#domain/statement.ts';
import type { Tables } from '#server/db/tables.ts';
import type { OrgWithTimeZone } from '#server/entities/find-org.ts';
import { listMonthChanges } from './month-changes.store.ts';
import { findFirstEntryTime } from './org-stats.ts';

export {
  type AuthoredRow,
  hasEntryInClosedMonth,
  listMonthChanges,
  type MonthChangeRow,
} from './month-changes.store.ts';

/** The months in the books, up to the current month. */
export type MonthRange = { readonly first: Month; readonly last: Month };

export async function readMonths(
  db: Kysely<Tables>,
  { id, timeZone }: OrgWithTimeZone,
  now: Date,
): Promise<MonthRange> {
  const last = dayOf(now, timeZone).slice(0, 7);
  const firstEntry = await findFirstEntryTime(db, id);
  const first = firstEntry === undefined ? last : dayOf(firstEntry, timeZone).slice(0, 7);
  return { first: first < last ? first : last, last };
}

/** Returns the span of a month or year in a time zone. */
export function toPeriodSpan(
  period: StatementPeriod,
  timeZone: TimeZone,
): { readonly from: Date; readonly until: Date } {
  const { first, last } = getPeriodMonths(period);
  return {
    from: startOfDay(firstDayOfMonth(first), timeZone),
    until: startOfDay(firstDayOfMonth(addMonths(last)), timeZone),
  };
}

/** @returns the day when a treasurer closed a month; undefined while it is open */
export async function findClosingDay(
  db: Kysely<Tables>,
  { id: orgId, timeZone }: OrgWithTimeZone,
  month: Month,
): Promise<Day | undefined> {
  const closing = findClosing(await listMonthChanges(db, orgId), month);
  return closing && dayOf(closing.created_at, timeZone);
}
