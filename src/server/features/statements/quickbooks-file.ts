import { ENTRY_TITLES } from '#domain/books.ts';
import { addDays, type Day, dayOf, dayText, startOf } from '#domain/days.ts';
import { Failure } from '#domain/failures.ts';
import { plainCents } from '#domain/money.ts';
import { firstDayOf, type Month, nextMonth } from '#domain/statement.ts';
import type { FileAnswer } from '#server/http/call-route.ts';
import { csvFile } from '#server/http/csv-file.ts';
import { type StatementDeps, type StatementOrg, spanOf } from './monthly-statement.ts';
import { type LineKind, providerDays, providerLines, type Span } from './statements.store.ts';

/** QuickBooks Online imports at most 1,000 lines with the heading. */
const MOST_LINES = 999;

/**
 * What moved in the account at the card processor in a month, in the three columns in which QuickBooks Online imports a
 * bank's transactions: dates as MM/DD/YYYY, amounts without symbols and never zero, descriptions of letters and digits.
 * If these are more lines than it takes, there is one for each day and kind.
 * @returns Failure month-not-found
 */
export async function quickBooksFile(
  deps: StatementDeps,
  org: StatementOrg,
  month: Month,
): Promise<FileAnswer | Failure> {
  const span = await spanOf(deps, org, month);
  if (span instanceof Failure) return span;
  const single = await singleLines(deps, org, span);
  const lines = single.length <= MOST_LINES ? single : await dailyLines(deps, org, month, span);
  const rows = lines
    .filter(({ cents }) => cents !== 0)
    .map(({ day, title, cents }) => [usDate(day), title, plainCents(cents)]);
  return csvFile(`quickbooks_${month}.csv`, [['Date', 'Description', 'Amount'], ...rows]);
}

const TITLES: Readonly<Record<LineKind, string>> = { ...ENTRY_TITLES, 'account-fee': 'Card processor account fee' };

type Line = { readonly day: Day; readonly title: string; readonly cents: number };

async function singleLines({ db }: StatementDeps, { id, timeZone }: StatementOrg, span: Span): Promise<Line[]> {
  const lines = await providerLines(db.kysely, id, span, MOST_LINES + 1);
  return lines.map(({ booked_at, occurred_at, kind, cents, receipt_number, payout_id }) => {
    const more = payout_id ?? (receipt_number === null ? '' : `receipt ${receipt_number}`);
    const [day, ownDay] = [dayOf(booked_at, timeZone), dayOf(occurred_at, timeZone)];
    const dated = day === ownDay ? '' : `dated ${dayText(ownDay)}`;
    return { day, title: plain(`${TITLES[kind]} ${more} ${dated}`), cents };
  });
}

async function dailyLines(
  { db }: StatementDeps,
  { id, timeZone }: StatementOrg,
  month: Month,
  span: Span,
): Promise<Line[]> {
  const days = daysOf(month);
  const starts = days.map((day) => startOf(day, timeZone));
  const sums = await providerDays(db.kysely, id, span, starts);
  return sums.map(({ place, kind, cents, entries }) => ({
    day: days[place - 1] ?? firstDayOf(month),
    title: plain(entries === 1 ? TITLES[kind] : `${TITLES[kind]} ${entries} in all`),
    cents,
  }));
}

function daysOf(month: Month): Day[] {
  const days: Day[] = [];
  const end = firstDayOf(nextMonth(month));
  for (let day = firstDayOf(month); day < end; day = addDays(day, 1)) days.push(day);
  return days;
}

function plain(text: string): string {
  return text.replaceAll(/[^A-Za-z0-9]+/g, ' ').trim();
}

/** "03/14/2026". */
function usDate(day: Day): string {
  return `${day.slice(5, 7)}/${day.slice(8)}/${day.slice(0, 4)}`;
}
