import type { MonthlyStatement } from '#contract/schemas/books.ts';
import { ENTRY_TITLES } from '#domain/books.ts';
import { dayOf, dayText, type TimeZone } from '#domain/days.ts';
import { Failure } from '#domain/failures.ts';
import { formatCents, formatCentsForFile, toDollars } from '#domain/money.ts';
import {
  ACCOUNT_TITLES,
  type AccountMonth,
  createStatement,
  formatMonth,
  MONEY_ACCOUNTS,
  MOVEMENT_TITLES,
  MOVEMENTS,
  type Month,
  type MonthStatement,
} from '#domain/statement.ts';
import type { AppDeps } from '#server/deps.ts';
import type { OrgFacts } from '#server/entities/find-org.ts';
import { findClosingDay, type MonthRange, readMonths, toMonthSpan } from '#server/features/ledger/months.ts';
import { type PdfPart, writePdf } from '#server/gateways/pdf/write-pdf.ts';
import { FileResponse } from '#server/http/call-route.ts';
import { createCsvFile } from '#server/http/csv-file.ts';
import {
  type ArrivedPayout,
  type LateEntry,
  listArrivedPayouts,
  listLateEntries,
  readMonthSums,
  type TimeSpan,
} from './statements.store.ts';

export type StatementDeps = Pick<AppDeps, 'db' | 'now' | 'parent' | 'livemode'>;
export type StatementOrg = Pick<OrgFacts, 'id' | 'name' | 'timeZone'>;

/** @returns the month's time span; Failure month-not-found for a future month or a month before the books begin */
export async function findMonthSpan(
  { db, now }: StatementDeps,
  org: StatementOrg,
  month: Month,
): Promise<TimeSpan | Failure> {
  return getMonthSpan(await readMonths(db.kysely, org, now()), month, org.timeZone);
}

function getMonthSpan({ first, last }: MonthRange, month: Month, timeZone: TimeZone): TimeSpan | Failure {
  return month < first || month > last ? new Failure('month-not-found') : toMonthSpan(month, timeZone);
}

/** @param requestedMonth defaults to the current month @returns Failure month-not-found */
async function readStatement(deps: StatementDeps, org: StatementOrg, requestedMonth: Month | undefined) {
  const { kysely } = deps.db;
  const months = await readMonths(kysely, org, deps.now());
  const month = requestedMonth ?? months.last;
  const span = getMonthSpan(months, month, org.timeZone);
  if (span instanceof Failure) return span;
  const statement = createStatement(await readMonthSums(kysely, org.id, span));
  return { months, month, span, statement, closedOn: await findClosingDay(kysely, org, month) };
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
  const lateEntries = await listLateEntries(deps.db.kysely, org.id, span);
  return {
    month,
    firstMonth: months.first,
    lastMonth: months.last,
    provider: presentMonth(provider),
    bank: presentMonth(bank),
    disputed: presentMonth(disputed),
    all: presentMonth(all),
    closedOn: closedOn ?? null,
    lateEntries: lateEntries.map(({ id, kind, booked_at, occurred_at, cents }) => ({
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
export async function createMonthTable(
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
  return createCsvFile(`statement_${month}.csv`, [
    [formatMonth(month), ...COLUMNS.map((column) => COLUMN_TITLES[column])],
    ...rows,
  ]);
}

/** Formats a time zone as "Eastern Time". */
function formatTimeZone(timeZone: TimeZone, time: Date): string {
  const parts = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longGeneric' }).formatToParts(time);
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? timeZone;
}

/** @returns Failure month-not-found */
export async function createMonthPdf(
  deps: StatementDeps,
  org: StatementOrg,
  month: Month,
): Promise<FileResponse | Failure> {
  const result = await readStatement(deps, org, month);
  if (result instanceof Failure) return result;
  const { span, statement, closedOn } = result;
  const { parent, livemode, now } = deps;
  const payouts = await listArrivedPayouts(deps.db.kysely, org.id, span);
  const lateEntries = await listLateEntries(deps.db.kysely, org.id, span);
  const isOver = span.until.getTime() <= now().getTime();
  const parts: PdfPart[] = [
    { kind: 'title', text: `Statement for ${formatMonth(month)}` },
    ...(livemode ? [] : [{ kind: 'highlight', text: 'Test payments: no money moved.' } as const]),
    {
      kind: 'facts',
      rows: [
        ['Fund', org.name],
        [
          'Month',
          `${formatMonth(month)}, ${formatTimeZone(org.timeZone, span.from)}${isOver ? '' : ', not yet complete'}`,
        ],
        ['Status', closedOn === undefined ? 'Not closed yet' : `Closed on ${dayText(closedOn)}`],
        ['Prepared on', dayText(dayOf(now(), org.timeZone))],
      ],
    },
    ...COLUMNS.flatMap((column) => createAccountParts(column, statement)),
    ...createPayoutParts(payouts, org),
    ...createLateEntryParts(lateEntries, org),
  ];
  const content = await writePdf({
    title: `Statement for ${formatMonth(month)}`,
    brand: org.name,
    parts,
    footer: [`${parent.name}, EIN ${parent.ein}`, parent.address, parent.contactEmail],
    createdAt: now(),
  });
  return new FileResponse({ content, type: 'application/pdf', name: `statement_${month}.pdf` });
}

/** Omits rows without movements. */
function createAccountParts(column: (typeof COLUMNS)[number], statement: MonthStatement): PdfPart[] {
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

function createPayoutParts(payouts: readonly ArrivedPayout[], { timeZone }: StatementOrg): PdfPart[] {
  if (payouts.length === 0) return [];
  const rows = payouts.map(({ id, booked_at, cents }) => [dayText(dayOf(booked_at, timeZone)), id, formatCents(cents)]);
  return [
    { kind: 'heading', text: 'Payouts to this fund' },
    { kind: 'table', headings: ['Arrived on', 'Payout', 'Amount'], rows },
  ];
}

function createLateEntryParts(lateEntries: readonly LateEntry[], { timeZone }: StatementOrg): PdfPart[] {
  if (lateEntries.length === 0) return [];
  const formatDate = (time: Date) => dayText(dayOf(time, timeZone));
  const rows = lateEntries.map(({ kind, booked_at, occurred_at, cents }) => [
    formatDate(booked_at),
    `${ENTRY_TITLES[kind]}, dated ${formatDate(occurred_at)}`,
    formatCents(cents),
  ]);
  return [
    { kind: 'heading', text: 'Dated in a closed month' },
    { kind: 'table', headings: ['Booked on', 'Entry', 'Amount'], rows },
  ];
}
