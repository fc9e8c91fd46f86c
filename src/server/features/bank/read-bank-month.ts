import type { Kysely } from 'kysely';
import type {
  ActionStamp,
  BankCheck,
  BankLine,
  BankMonth,
  BouncedCheckLine,
  DepositLine,
  PayoutLine,
} from '#contract/schemas/bank.ts';
import { type Day, dayOf, type TimeZone } from '#domain/days.ts';
import { Failure } from '#domain/failures.ts';
import type { OrgId } from '#domain/ids.ts';
import { toDollars } from '#domain/money.ts';
import { findClosing, firstClosedMonth, lastClosedMonth, oldestOpenMonth } from '#domain/month-closing.ts';
import { makeDisplaySafe } from '#domain/names.ts';
import { addMonths, firstDayOfMonth, type Month } from '#domain/statement.ts';
import type { Tables } from '#server/db/tables.ts';
import type { AppDeps } from '#server/deps.ts';
import type { OrgWithTimeZone } from '#server/entities/find-org.ts';
import {
  type AuthoredRow,
  listMonthChanges,
  type MonthChangeRow,
  type MonthRange,
  readMonths,
  toPeriodSpan,
} from '#server/features/ledger/months.ts';
import { findArrival, findLastArrival, readPayouts } from '#server/features/payouts/read-payouts.ts';
import {
  areBooksReconciledUntil,
  type CheckRow,
  findBounceTime,
  findDepositDay,
  type LineKind,
  listBouncedChecks,
  listDepositedChecks,
  listDeposits,
  listMarks,
  listUndepositedChecks,
} from './bank.store.ts';

export type BankDeps = Pick<AppDeps, 'now' | 'livemode'>;

/**
 * Reads the lines of a month's bank statement, and the remaining steps before the month can be closed.
 *
 * @param request month defaults to the line's month, the oldest month that can be closed, or the current month
 * @returns Failure month-not-found
 */
export async function readBankMonth(
  db: Kysely<Tables>,
  deps: BankDeps,
  org: OrgWithTimeZone,
  request: { readonly month?: Month | undefined; readonly line?: string | undefined } = {},
): Promise<BankMonth | Failure> {
  const months = await readMonths(db, org, deps.now());
  const changes = await listMonthChanges(db, org.id);
  const lineMonth = request.line === undefined ? undefined : await findMonthOfLine(db, org, request.line);
  const month = request.month ?? lineMonth ?? getDefaultMonth(months, lastClosedMonth(changes));
  const arrivalMonth = (await findLastArrival(db, org.id))?.slice(0, 7) ?? months.last;
  const lastMonth = arrivalMonth > months.last ? arrivalMonth : months.last;
  if (month < months.first || month > lastMonth) return new Failure('month-not-found');
  const { until } = toPeriodSpan(month, org.timeZone);
  const closedMonth = lastClosedMonth(changes);
  // A check of a closed month has no deposit if a deposit in a later month was undone.
  const checksFrom = toPeriodSpan(firstClosedMonth(changes) ?? month, org.timeZone).from;
  const isClosedMonth = closedMonth !== undefined && month <= closedMonth;
  const checks = isClosedMonth ? [] : await listUndepositedChecks(db, org.id, { from: checksFrom, until });
  const isOver = until.getTime() <= deps.now().getTime();
  return {
    month,
    firstMonth: months.first,
    lastMonth,
    isOver,
    lines: await readLines(db, org, month),
    checks: checks.map((check) => presentCheck(check, org.timeZone)),
    matchesProvider: isOver && (await areBooksReconciledUntil(db, { orgId: org.id, livemode: deps.livemode }, until)),
    openMonth: closedMonth !== undefined && month > addMonths(closedMonth) ? addMonths(closedMonth) : null,
    ...presentChanges(changes, month, org.timeZone),
  };
}

async function findMonthOfLine(db: Kysely<Tables>, org: OrgWithTimeZone, id: string): Promise<Month | undefined> {
  const day =
    (await findLineDay(db, org, 'payout', id)) ??
    (await findLineDay(db, org, 'deposit', id)) ??
    (await findLineDay(db, org, 'bounced-check', id));
  return day?.slice(0, 7);
}

/** Finds the day of a payout's arrival, a deposit, or the reversal of a deposited check that bounced. */
export async function findLineDay(
  db: Kysely<Tables>,
  { id: orgId, timeZone }: OrgWithTimeZone,
  kind: LineKind,
  id: string,
): Promise<Day | undefined> {
  if (kind === 'payout') return findArrival(db, { orgId, payoutId: id });
  if (kind === 'deposit') return findDepositDay(db, orgId, id);
  const time = await findBounceTime(db, orgId, id);
  return time && dayOf(time, timeZone);
}

function getDefaultMonth({ first, last }: MonthRange, closedMonth: Month | undefined): Month {
  const month = oldestOpenMonth(closedMonth, last);
  return month < first || month > last ? last : month;
}

async function readLines(
  db: Kysely<Tables>,
  { id: orgId, timeZone }: OrgWithTimeZone,
  month: Month,
): Promise<BankLine[]> {
  const days = { from: firstDayOfMonth(month), until: firstDayOfMonth(addMonths(month)) };
  const payouts = await readPayouts(db, orgId, days);
  const deposits = await listDeposits(db, orgId, days);
  const bouncedChecks = await listBouncedChecks(db, orgId, toPeriodSpan(month, timeZone));
  const ids = [...[...payouts, ...deposits].map(({ id }) => id), ...bouncedChecks.map((check) => check.reversal_id)];
  const marks = new Map((await listMarks(db, orgId, ids)).map((mark) => [`${mark.kind} ${mark.subject}`, mark]));
  const getStamp = (line: string) => presentStamp(marks.get(line), timeZone);
  const allChecks = await listDepositedChecks(
    db,
    deposits.map(({ id }) => id),
  );
  const checks = Map.groupBy(allChecks, ({ deposit_id }) => deposit_id);
  const payoutLines = payouts.map(
    (payout): PayoutLine => ({ ...payout, kind: 'payout', seen: getStamp(`payout ${payout.id}`) }),
  );
  const depositLines = deposits.map((deposit): DepositLine => {
    const { id, deposited_on: depositedOn } = deposit;
    const depositChecks = checks.get(id) ?? [];
    return {
      kind: 'deposit',
      id,
      depositedOn,
      amount: toDollars(depositChecks.reduce((sum, { cents }) => sum + cents, 0)),
      checks: depositChecks.map((check) => presentCheck(check, timeZone)),
      created: toStamp(deposit, timeZone),
      seen: getStamp(`deposit ${id}`),
    };
  });
  const bouncedLines = bouncedChecks.map(
    (check): BouncedCheckLine => ({
      kind: 'bounced-check',
      id: check.reversal_id,
      recordedOn: dayOf(check.booked_at, timeZone),
      amount: toDollars(-check.cents),
      check: presentCheck(check, timeZone),
      seen: getStamp(`bounced-check ${check.reversal_id}`),
    }),
  );
  // A deposit without checks belongs to another payment mode.
  const lines = [...payoutLines, ...depositLines.filter((deposit) => deposit.checks.length > 0), ...bouncedLines];
  return lines.toSorted((a, b) => getLineDay(a).localeCompare(getLineDay(b)));
}

function getLineDay(line: BankLine): Day {
  if (line.kind === 'bounced-check') return line.recordedOn;
  return line.kind === 'payout' ? line.arrivesOn : line.depositedOn;
}

type ClosingState = Pick<BankMonth, 'closing' | 'canReopen' | 'reopening'>;

function presentChanges(changes: readonly MonthChangeRow[], month: Month, timeZone: TimeZone): ClosingState {
  const closing = findClosing(changes, month);
  const lastChange = changes.findLast((change) => change.month === month);
  return {
    closing: closing ? { ...toStamp(closing, timeZone), month: closing.month } : null,
    canReopen: month === lastClosedMonth(changes),
    reopening:
      closing === undefined && lastChange?.action === 'reopened'
        ? { ...toStamp(lastChange, timeZone), reason: lastChange.reason ?? '' }
        : null,
  };
}

/** @returns whether a day is in a closed month */
export async function isClosed(db: Kysely<Tables>, orgId: OrgId, day: Day): Promise<boolean> {
  return findClosing(await listMonthChanges(db, orgId), day.slice(0, 7)) !== undefined;
}

export function presentStamp(row: AuthoredRow | undefined, timeZone: TimeZone): ActionStamp | null {
  return row ? toStamp(row, timeZone) : null;
}

function toStamp({ created_at, author }: AuthoredRow, timeZone: TimeZone): ActionStamp {
  return { on: dayOf(created_at, timeZone), by: author && makeDisplaySafe(author) };
}

function presentCheck(row: CheckRow, timeZone: TimeZone): BankCheck {
  return {
    entryid: row.entry_id,
    pledgeid: row.pledge_id,
    name: row.name && makeDisplaySafe(row.name),
    checkNumber: row.check_number,
    receivedOn: dayOf(row.occurred_at, timeZone),
    amount: toDollars(row.cents),
  };
}
