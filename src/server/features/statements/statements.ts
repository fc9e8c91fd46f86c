import type { Kysely } from 'kysely';
import type { Statement } from '#contract/schemas/books.ts';
import { ENTRY_TITLES } from '#domain/books.ts';
import { addDays, dayOf, dayText, type TimeZone } from '#domain/days.ts';
import { Failure } from '#domain/failures.ts';
import { type Cents, formatCents, formatCentsForFile, formatWhole, toDollars } from '#domain/money.ts';
import { firstClosedMonth } from '#domain/month-closing.ts';
import {
  ACCOUNT_TITLES,
  type AccountStatement,
  addMonths,
  COUNT_TITLES,
  createStatement,
  firstDayOfMonth,
  formatPeriod,
  getPeriodMonths,
  isMonth,
  MONEY_ACCOUNTS,
  STATEMENT_ROW_TITLES,
  STATEMENT_ROWS,
  type StatementAccounts,
  type StatementPeriod,
  UNDEPOSITED_TITLE,
} from '#domain/statement.ts';
import type { Tables } from '#server/db/tables.ts';
import type { AppDeps } from '#server/deps.ts';
import type { OrgFacts } from '#server/entities/find-org.ts';
import {
  findClosingDay,
  listMonthChanges,
  type MonthRange,
  readMonths,
  toPeriodSpan,
} from '#server/features/ledger/months.ts';
import { type PdfPart, writePdf } from '#server/gateways/pdf/write-pdf.ts';
import { FileResponse } from '#server/http/call-route.ts';
import { createCsvFile } from '#server/http/csv-file.ts';
import {
  type ArrivedPayout,
  type LateEntry,
  listArrivedPayouts,
  listLateEntries,
  readPeriodCounts,
  readPeriodSums,
  sumUndepositedChecks,
  type TimeSpan,
} from './statements.store.ts';

export type StatementDeps = Pick<AppDeps, 'db' | 'now' | 'parent' | 'livemode'>;
export type StatementOrg = Pick<OrgFacts, 'id' | 'name' | 'timeZone'>;

/** @returns the period's time span; Failure month-not-found for the future or the time before the books begin */
export async function findPeriodSpan(
  { db, now }: StatementDeps,
  org: StatementOrg,
  period: StatementPeriod,
): Promise<TimeSpan | Failure> {
  return getPeriodSpan(await readMonths(db.kysely, org, now()), period, org.timeZone);
}

function getPeriodSpan(months: MonthRange, period: StatementPeriod, timeZone: TimeZone): TimeSpan | Failure {
  const { first, last } = getPeriodMonths(period);
  if (last < months.first || first > months.last) return new Failure('month-not-found');
  return toPeriodSpan(period, timeZone);
}

/** @param requestedPeriod defaults to the current month @returns Failure month-not-found */
async function sumPeriod(deps: StatementDeps, org: StatementOrg, requestedPeriod: StatementPeriod | undefined) {
  const { kysely } = deps.db;
  const months = await readMonths(kysely, org, deps.now());
  const period = requestedPeriod ?? months.last;
  const span = getPeriodSpan(months, period, org.timeZone);
  if (span instanceof Failure) return span;
  return {
    months,
    period,
    span,
    accounts: createStatement(await readPeriodSums(kysely, org.id, span)),
    counts: await readPeriodCounts(kysely, org.id, span),
    undeposited: await sumUndeposited(kysely, org, period, span),
    closedOn: await findClosingDay(kysely, org, getPeriodMonths(period).last),
  };
}

async function sumUndeposited(
  db: Kysely<Tables>,
  { id, timeZone }: StatementOrg,
  period: StatementPeriod,
  { until }: TimeSpan,
): Promise<Cents> {
  const firstMonth = firstClosedMonth(await listMonthChanges(db, id));
  const depositsFrom = firstMonth === undefined ? undefined : toPeriodSpan(firstMonth, timeZone).from;
  const lastDay = addDays(firstDayOfMonth(addMonths(getPeriodMonths(period).last)), -1);
  return sumUndepositedChecks(db, id, { until, lastDay, depositsFrom });
}

/**
 * Reads the opening balance, movements, and closing balance of a month or year (decisions §3).
 * @returns Failure month-not-found
 */
export async function readStatement(
  deps: StatementDeps,
  org: StatementOrg,
  requestedPeriod: StatementPeriod | undefined,
): Promise<Statement | Failure> {
  const result = await sumPeriod(deps, org, requestedPeriod);
  if (result instanceof Failure) return result;
  const { period, months, span, accounts, counts, undeposited, closedOn } = result;
  const { provider, bank, disputed, all } = accounts;
  const lateEntries = await listLateEntries(deps.db.kysely, org.id, span);
  return {
    period,
    firstMonth: months.first,
    lastMonth: months.last,
    provider: presentAccount(provider),
    bank: presentAccount(bank),
    disputed: presentAccount(disputed),
    all: presentAccount(all),
    undeposited: toDollars(undeposited),
    given: toDollars(counts.given_cents),
    donors: counts.donors,
    grantsPaid: counts.grants,
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

function presentAccount(account: AccountStatement): Statement['all'] {
  return {
    opening: toDollars(account.opening),
    gifts: toDollars(account.gifts),
    fees: toDollars(account.fees),
    refunds: toDollars(account.refunds),
    disputes: toDollars(account.disputes),
    payouts: toDollars(account.payouts),
    grants: toDollars(account.grants),
    closing: toDollars(account.closing),
  };
}

const COLUMNS = [...MONEY_ACCOUNTS, 'all'] as const;
const COLUMN_TITLES = { ...ACCOUNT_TITLES, all: 'Total' } as const;

/** @returns Failure month-not-found */
export async function createStatementTable(
  deps: StatementDeps,
  org: StatementOrg,
  period: StatementPeriod,
): Promise<FileResponse | Failure> {
  const result = await sumPeriod(deps, org, period);
  if (result instanceof Failure) return result;
  const { accounts, counts, undeposited } = result;
  const rows = STATEMENT_ROWS.map((row) => [
    STATEMENT_ROW_TITLES[row],
    ...COLUMNS.map((column) => formatCentsForFile(accounts[column][row])),
  ]);
  return createCsvFile(`statement_${period}.csv`, [
    [formatPeriod(period), ...COLUMNS.map((column) => COLUMN_TITLES[column])],
    ...rows,
    [UNDEPOSITED_TITLE, '', formatCentsForFile(undeposited), '', ''],
    [COUNT_TITLES.given, '', '', '', formatCentsForFile(counts.given_cents)],
    [COUNT_TITLES.donors, '', '', '', String(counts.donors)],
    [COUNT_TITLES.grants, '', '', '', String(counts.grants)],
  ]);
}

/** Formats a time zone as "Eastern Time". */
function formatTimeZone(timeZone: TimeZone, time: Date): string {
  const parts = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longGeneric' }).formatToParts(time);
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? timeZone;
}

/** @returns Failure month-not-found */
export async function createStatementPdf(
  deps: StatementDeps,
  org: StatementOrg,
  period: StatementPeriod,
): Promise<FileResponse | Failure> {
  const result = await sumPeriod(deps, org, period);
  if (result instanceof Failure) return result;
  const { span, accounts, counts, undeposited, closedOn } = result;
  const { parent, livemode, now } = deps;
  const payouts = await listArrivedPayouts(deps.db.kysely, org.id, span);
  const lateEntries = await listLateEntries(deps.db.kysely, org.id, span);
  const isOver = span.until.getTime() <= now().getTime();
  const parts: PdfPart[] = [
    { kind: 'title', text: `Statement for ${formatPeriod(period)}` },
    ...(livemode ? [] : [{ kind: 'highlight', text: 'Test payments: no money moved.' } as const]),
    {
      kind: 'details',
      rows: [
        ['Fund', org.name],
        [
          isMonth(period) ? 'Month' : 'Year',
          `${formatPeriod(period)}, ${formatTimeZone(org.timeZone, span.from)}${isOver ? '' : ', not yet complete'}`,
        ],
        ['Status', closedOn === undefined ? 'Not closed yet' : `Closed on ${dayText(closedOn)}`],
        ['Prepared on', dayText(dayOf(now(), org.timeZone))],
        [COUNT_TITLES.given, formatCents(counts.given_cents)],
        [COUNT_TITLES.donors, formatWhole(counts.donors)],
        [COUNT_TITLES.grants, formatWhole(counts.grants)],
      ],
    },
    ...COLUMNS.flatMap((column) => createAccountParts(column, accounts, column === 'bank' ? undeposited : 0)),
    ...createLateEntryParts(lateEntries, org),
    // Last, because a year has many payouts.
    ...createPayoutParts(payouts, org),
  ];
  const content = await writePdf({
    title: `Statement for ${formatPeriod(period)}`,
    brand: org.name,
    parts,
    footer: [`${parent.name}, EIN ${parent.ein}`, parent.address, parent.contactEmail],
    createdAt: now(),
  });
  return new FileResponse({ content, type: 'application/pdf', name: `statement_${period}.pdf` });
}

/** Omits rows without movements. */
function createAccountParts(
  column: (typeof COLUMNS)[number],
  accounts: StatementAccounts,
  undeposited: Cents,
): PdfPart[] {
  const account = accounts[column];
  const rows = STATEMENT_ROWS.filter((row) => row === 'opening' || (row !== 'closing' && account[row] !== 0));
  if (column === 'disputed' && rows.length === 1 && account.opening === 0) return [];
  return [
    { kind: 'heading', text: COLUMN_TITLES[column] },
    {
      kind: 'table',
      headings: ['Movement', 'Amount'],
      rows: rows.map((row) => [STATEMENT_ROW_TITLES[row], formatCents(account[row])]),
      total: [STATEMENT_ROW_TITLES.closing, formatCents(account.closing)],
    },
    ...(undeposited === 0
      ? []
      : [{ kind: 'text', text: `${UNDEPOSITED_TITLE}: ${formatCents(undeposited)}` } as const]),
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
