import { ENTRY_TITLES } from '#domain/books.ts';
import { addDays, type Day, dayOf, dayText, startOfDay } from '#domain/days.ts';
import { Failure } from '#domain/failures.ts';
import { type Cents, formatCentsForFile } from '#domain/money.ts';
import { addMonths, firstDayOfMonth, type Month } from '#domain/statement.ts';
import type { FileResponse } from '#server/http/call-route.ts';
import { csvFile } from '#server/http/csv-file.ts';
import { findSpan, type StatementDeps, type StatementOrg } from './monthly-statement.ts';
import { type LineKind, listProviderLines, sumProviderDays, type TimeSpan } from './statements.store.ts';

/** QuickBooks Online imports at most 1,000 lines, including the heading. */
const MAX_LINES = 999;

/**
 * Exports the month's movements of the account at the card processor in the three columns that QuickBooks Online imports as
 * bank transactions: dates as MM/DD/YYYY, nonzero amounts without symbols, descriptions of letters and digits only. If
 * there are too many movements, the file has one line per day and kind.
 * @returns Failure month-not-found
 */
export async function quickBooksFile(
  deps: StatementDeps,
  org: StatementOrg,
  month: Month,
): Promise<FileResponse | Failure> {
  const span = await findSpan(deps, org, month);
  if (span instanceof Failure) return span;
  const movementLines = await readMovementLines(deps, org, span);
  const lines = movementLines.length <= MAX_LINES ? movementLines : await readDailyLines(deps, org, month, span);
  const rows = lines
    .filter(({ cents }) => cents !== 0)
    .map(({ day, title, cents }) => [usDate(day), title, formatCentsForFile(cents)]);
  return csvFile(`quickbooks_${month}.csv`, [['Date', 'Description', 'Amount'], ...rows]);
}

const TITLES: Readonly<Record<LineKind, string>> = { ...ENTRY_TITLES, 'account-fee': 'Card processor account fee' };

type Line = { readonly day: Day; readonly title: string; readonly cents: Cents };

async function readMovementLines(
  { db }: StatementDeps,
  { id, timeZone }: StatementOrg,
  span: TimeSpan,
): Promise<Line[]> {
  const lines = await listProviderLines(db.kysely, id, span, MAX_LINES + 1);
  return lines.map(({ booked_at, occurred_at, kind, cents, receipt_number, payout_id }) => {
    const reference = payout_id ?? (receipt_number === null ? '' : `receipt ${receipt_number}`);
    const day = dayOf(booked_at, timeZone);
    const entryDay = dayOf(occurred_at, timeZone);
    const dateText = day === entryDay ? '' : `dated ${dayText(entryDay)}`;
    return { day, title: plainText(`${TITLES[kind]} ${reference} ${dateText}`), cents };
  });
}

async function readDailyLines(
  { db }: StatementDeps,
  { id, timeZone }: StatementOrg,
  month: Month,
  span: TimeSpan,
): Promise<Line[]> {
  const days = daysOfMonth(month);
  const starts = days.map((day) => startOfDay(day, timeZone));
  const sums = await sumProviderDays(db.kysely, id, span, starts);
  return sums.map(({ dayNumber, kind, cents, entries }) => ({
    day: days[dayNumber - 1] ?? firstDayOfMonth(month),
    title: plainText(entries === 1 ? TITLES[kind] : `${TITLES[kind]} ${entries} total`),
    cents,
  }));
}

function daysOfMonth(month: Month): Day[] {
  const days: Day[] = [];
  const end = firstDayOfMonth(addMonths(month));
  for (let day = firstDayOfMonth(month); day < end; day = addDays(day, 1)) days.push(day);
  return days;
}

function plainText(text: string): string {
  return text.replaceAll(/[^A-Za-z0-9]+/g, ' ').trim();
}

/** Formats a day as "03/14/2026". */
function usDate(day: Day): string {
  return `${day.slice(5, 7)}/${day.slice(8)}/${day.slice(0, 4)}`;
}
