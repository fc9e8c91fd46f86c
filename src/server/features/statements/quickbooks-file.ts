import { ENTRY_TITLES } from '#domain/books.ts';
import { addDays, type Day, dayOf, dayText, startOfDay, type TimeZone } from '#domain/days.ts';
import { Failure } from '#domain/failures.ts';
import { type Cents, formatCentsForFile } from '#domain/money.ts';
import { addMonths, firstDayOfMonth, type Month } from '#domain/statement.ts';
import type { FileResponse } from '#server/http/call-route.ts';
import { createCsvFile } from '#server/http/csv-file.ts';
import {
  type AccountKey,
  type AccountLine,
  type LineKind,
  listAccountLines,
  sumAccountByDay,
  type TimeSpan,
} from './statements.store.ts';
import { findPeriodSpan, type StatementDeps, type StatementOrg } from './statements.ts';

/** QuickBooks Online imports at most 1,000 lines, including the heading. */
const MAX_LINES = 999;

type MonthAccount = { readonly period: Month; readonly account: AccountKey['account'] };

/**
 * Exports the month's movements of the account at the card processor or the bank in the three columns that QuickBooks Online
 * imports as bank transactions: dates as MM/DD/YYYY, nonzero amounts without symbols, descriptions of letters and digits
 * only. Checks that were deposited together are one line on the day of their deposit, as on the bank's statement. An
 * undeposited check is on the day when it was booked. If there are too many movements, the file has one line per day
 * and kind.
 *
 * @returns Failure month-not-found
 */
export async function createQuickBooksFile(
  deps: StatementDeps,
  org: StatementOrg,
  { period: month, account }: MonthAccount,
): Promise<FileResponse | Failure> {
  const span = await findPeriodSpan(deps, org, month);
  if (span instanceof Failure) return span;
  const movements = await listAccountLines(
    deps.db.kysely,
    { orgId: org.id, account, timeZone: org.timeZone },
    span,
    MAX_LINES + 1,
  );
  const lines =
    movements.length > MAX_LINES
      ? await readDailyLines(deps, org, { period: month, account }, span)
      : toMovementLines(movements, org.timeZone);
  const rows = lines
    .filter(({ cents }) => cents !== 0)
    .map(({ day, title, cents }) => [formatUsDate(day), title, formatCentsForFile(cents)]);
  const name = account === 'bank' ? 'quickbooks-bank' : 'quickbooks';
  return createCsvFile(`${name}_${month}.csv`, [['Date', 'Description', 'Amount'], ...rows]);
}

const TITLES: Readonly<Record<LineKind, string>> = {
  ...ENTRY_TITLES,
  reversal: 'Refund returned',
  'account-fee': 'Card processor account fee',
  'check-reversal': 'Reversed check',
};

type Line = { readonly day: Day; readonly title: string; readonly cents: Cents };

function toMovementLines(movements: readonly AccountLine[], zone: TimeZone): Line[] {
  const deposits = Map.groupBy(movements, ({ deposit_id }) => deposit_id);
  return movements.flatMap((movement) => {
    const line = toMovementLine(movement, zone);
    if (movement.deposit_id === null) return [line];
    const checks = deposits.get(movement.deposit_id) ?? [];
    return movement === checks[0] ? [toDepositLine(line, checks)] : [];
  });
}

function toMovementLine(movement: AccountLine, zone: TimeZone): Line {
  const entryDay = dayOf(movement.occurred_at, zone);
  const dateText = dayOf(movement.booked_at, zone) === entryDay ? '' : `dated ${dayText(entryDay)}`;
  return {
    day: dayOf(movement.statement_time, zone),
    title: toPlainText(`${TITLES[movement.kind]} ${formatReference(movement)} ${dateText}`),
    cents: movement.cents,
  };
}

/** Combines a deposit's checks into one line. @param line the first check's line */
function toDepositLine({ day, title }: Line, checks: readonly AccountLine[]): Line {
  return {
    day,
    title: checks.length === 1 ? title : `Deposit of ${checks.length} checks`,
    cents: checks.reduce((sum, { cents }) => sum + cents, 0),
  };
}

/** Formats a movement's reference: "po_1", "no. 1077 receipt 1210", or a grant's home. */
function formatReference({ payout_id, check_number, receipt_number, awardee }: AccountLine): string {
  const parts = [
    payout_id,
    check_number && `no. ${check_number}`,
    receipt_number && `receipt ${receipt_number}`,
    awardee && `to ${awardee}`,
  ];
  return parts.filter(Boolean).join(' ');
}

async function readDailyLines(
  { db }: StatementDeps,
  { id: orgId, timeZone }: StatementOrg,
  { period: month, account }: MonthAccount,
  span: TimeSpan,
): Promise<Line[]> {
  const days = listMonthDays(month);
  const starts = days.map((day) => startOfDay(day, timeZone));
  const sums = await sumAccountByDay(db.kysely, { orgId, account, timeZone }, span, starts);
  return sums.map(({ dayNumber, kind, cents, entries }) => ({
    day: days[dayNumber - 1] ?? firstDayOfMonth(month),
    title: toPlainText(entries === 1 ? TITLES[kind] : `${TITLES[kind]} ${entries} total`),
    cents,
  }));
}

function listMonthDays(month: Month): Day[] {
  const days: Day[] = [];
  const end = firstDayOfMonth(addMonths(month));
  for (let day = firstDayOfMonth(month); day < end; day = addDays(day, 1)) days.push(day);
  return days;
}

/** Reduces text to unaccented letters and digits. */
function toPlainText(text: string): string {
  const letters = text.normalize('NFD').replaceAll(/\p{M}+/gu, '');
  return letters.replaceAll(/[^A-Za-z0-9]+/g, ' ').trim();
}

/** Formats a day as "03/14/2026". */
function formatUsDate(day: Day): string {
  return `${day.slice(5, 7)}/${day.slice(8)}/${day.slice(0, 4)}`;
}
