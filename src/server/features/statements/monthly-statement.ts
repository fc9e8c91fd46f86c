import type { MonthlyStatement } from '#contract/schemas/books.ts';
import { ENTRY_TITLES } from '#domain/books.ts';
import { dayOf, dayText, type TimeZone } from '#domain/days.ts';
import { Failure } from '#domain/failures.ts';
import { formatCents, formatCentsForFile, toDollars } from '#domain/money.ts';
import {
  ACCOUNT_TITLES,
  type AccountMonth,
  createStatement,
  MONEY_ACCOUNTS,
  MOVEMENT_TITLES,
  MOVEMENTS,
  type Month,
  type MonthStatement,
  monthText,
} from '#domain/statement.ts';
import type { AppDeps } from '#server/deps.ts';
import type { OrgFacts } from '#server/entities/find-org.ts';
import { closingDay, type MonthRange, readMonths, spanOfMonth } from '#server/features/ledger/months.ts';
import { type PdfPart, writePdf } from '#server/gateways/pdf/write-pdf.ts';
import { FileResponse } from '#server/http/call-route.ts';
import { csvFile } from '#server/http/csv-file.ts';
import {
  type ArrivedPayout,
  type LateEntry,
  lateEntries,
  monthSums,
  payoutsOfMonth,
  type TimeSpan,
} from './statements.store.ts';

export type StatementDeps = Pick<AppDeps, 'db' | 'now' | 'parent' | 'livemode'>;
export type StatementOrg = Pick<OrgFacts, 'id' | 'name' | 'timeZone'>;

/** @returns the month's time span; Failure month-not-found for a future month or a month before the books begin */
export async function findSpan(
  { db, now }: StatementDeps,
  org: StatementOrg,
  month: Month,
): Promise<TimeSpan | Failure> {
  return spanWithin(await readMonths(db.kysely, org, now()), month, org.timeZone);
}

function spanWithin({ first, last }: MonthRange, month: Month, timeZone: TimeZone): TimeSpan | Failure {
  return month < first || month > last ? new Failure('month-not-found') : spanOfMonth(month, timeZone);
}

/** @param requestedMonth defaults to the current month @returns Failure month-not-found */
async function readStatement(deps: StatementDeps, org: StatementOrg, requestedMonth: Month | undefined) {
  const { kysely } = deps.db;
  const months = await readMonths(kysely, org, deps.now());
  const month = requestedMonth ?? months.last;
  const span = spanWithin(months, month, org.timeZone);
  if (span instanceof Failure) return span;
  const statement = createStatement(await monthSums(kysely, org.id, span));
  return { months, month, span, statement, closedOn: await closingDay(kysely, org, month) };
}

/** Reads the opening balance, movements, and closing balance of a month (decisions §3). @returns Failure month-not-found */
export async function readMonth(
  deps: StatementDeps,
  org: StatementOrg,
  requestedMonth: Month | undefined,
): Promise<MonthlyStatement | Failure> {
  const result = await readStatement(deps, org, requestedMonth);
  if (result instanceof Failure) return result;
  const { month, months, span, statement, closedOn } = result;
  const { provider, bank, disputed, all } = statement;
  const lateItems = await lateEntries(deps.db.kysely, org.id, span);
  return {
    month,
    firstMonth: months.first,
    lastMonth: months.last,
    provider: presentMonth(provider),
    bank: presentMonth(bank),
    disputed: presentMonth(disputed),
    all: presentMonth(all),
    closedOn: closedOn ?? null,
    late: lateItems.map(({ id, kind, booked_at, occurred_at, cents }) => ({
      id,
      kind,
      bookedOn: dayOf(booked_at, org.timeZone),
      datedOn: dayOf(occurred_at, org.timeZone),
      amount: toDollars(cents),
    })),
  };
}

function presentMonth(month: AccountMonth): MonthlyStatement['all'] {
  return {
    opening: toDollars(month.opening),
    gifts: toDollars(month.gifts),
    fees: toDollars(month.fees),
    refunds: toDollars(month.refunds),
    disputes: toDollars(month.disputes),
    payouts: toDollars(month.payouts),
    grants: toDollars(month.grants),
    closing: toDollars(month.closing),
  };
}

const ROWS = ['opening', ...MOVEMENTS, 'closing'] as const;
const ROW_TITLES = { ...MOVEMENT_TITLES, opening: 'Opening balance', closing: 'Closing balance' } as const;
const COLUMNS = [...MONEY_ACCOUNTS, 'all'] as const;
const COLUMN_TITLES = { ...ACCOUNT_TITLES, all: 'Total' } as const;

/** @returns Failure month-not-found */
export async function monthTable(
  deps: StatementDeps,
  org: StatementOrg,
  month: Month,
): Promise<FileResponse | Failure> {
  const result = await readStatement(deps, org, month);
  if (result instanceof Failure) return result;
  const { statement } = result;
  const rows = ROWS.map((row) => [
    ROW_TITLES[row],
    ...COLUMNS.map((column) => formatCentsForFile(statement[column][row])),
  ]);
  return csvFile(`statement_${month}.csv`, [
    [monthText(month), ...COLUMNS.map((column) => COLUMN_TITLES[column])],
    ...rows,
  ]);
}

/** Formats a time zone as "Eastern Time". */
function timeZoneText(timeZone: TimeZone, at: Date): string {
  const parts = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longGeneric' }).formatToParts(at);
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? timeZone;
}

/** @returns Failure month-not-found */
export async function monthPdf(deps: StatementDeps, org: StatementOrg, month: Month): Promise<FileResponse | Failure> {
  const result = await readStatement(deps, org, month);
  if (result instanceof Failure) return result;
  const { span, statement, closedOn } = result;
  const { parent, livemode, now } = deps;
  const payouts = await payoutsOfMonth(deps.db.kysely, org.id, span);
  const lateItems = await lateEntries(deps.db.kysely, org.id, span);
  const isOver = span.until.getTime() <= now().getTime();
  const parts: PdfPart[] = [
    { kind: 'title', text: `Statement for ${monthText(month)}` },
    ...(livemode ? [] : [{ kind: 'mark', text: 'Test payments: no money moved.' } as const]),
    {
      kind: 'facts',
      rows: [
        ['Fund', org.name],
        ['Month', `${monthText(month)}, ${timeZoneText(org.timeZone, span.from)}${isOver ? '' : ', not yet complete'}`],
        ['Status', closedOn === undefined ? 'Not closed yet' : `Closed on ${dayText(closedOn)}`],
        ['Prepared on', dayText(dayOf(now(), org.timeZone))],
      ],
    },
    ...COLUMNS.flatMap((column) => accountParts(column, statement)),
    ...payoutParts(payouts, org),
    ...lateParts(lateItems, org),
  ];
  const content = await writePdf({
    title: `Statement for ${monthText(month)}`,
    brand: org.name,
    parts,
    footer: [`${parent.name}, EIN ${parent.ein}`, parent.address, parent.contactEmail],
    createdAt: now(),
  });
  return new FileResponse({ content, type: 'application/pdf', name: `statement_${month}.pdf` });
}

/** Omits rows without movements. */
function accountParts(column: (typeof COLUMNS)[number], statement: MonthStatement): PdfPart[] {
  const account = statement[column];
  const rows = ROWS.filter((row) => row === 'opening' || (row !== 'closing' && account[row] !== 0));
  if (column === 'disputed' && rows.length === 1 && account.opening === 0) return [];
  return [
    { kind: 'heading', text: COLUMN_TITLES[column] },
    {
      kind: 'table',
      headings: ['Movement', 'Amount'],
      rows: rows.map((row) => [ROW_TITLES[row], formatCents(account[row])]),
      total: [ROW_TITLES.closing, formatCents(account.closing)],
    },
  ];
}

function payoutParts(payouts: readonly ArrivedPayout[], { timeZone }: StatementOrg): PdfPart[] {
  if (payouts.length === 0) return [];
  const rows = payouts.map(({ id, booked_at, cents }) => [dayText(dayOf(booked_at, timeZone)), id, formatCents(cents)]);
  return [
    { kind: 'heading', text: 'Payouts of this fund’s money' },
    { kind: 'table', headings: ['Arrived on', 'Payout', 'Amount'], rows },
  ];
}

function lateParts(late: readonly LateEntry[], { timeZone }: StatementOrg): PdfPart[] {
  if (late.length === 0) return [];
  const dateText = (time: Date) => dayText(dayOf(time, timeZone));
  const rows = late.map(({ kind, booked_at, occurred_at, cents }) => [
    dateText(booked_at),
    `${ENTRY_TITLES[kind]}, dated ${dateText(occurred_at)}`,
    formatCents(cents),
  ]);
  return [
    { kind: 'heading', text: 'Dated in a closed month' },
    { kind: 'table', headings: ['Booked on', 'Entry', 'Amount'], rows },
  ];
}
