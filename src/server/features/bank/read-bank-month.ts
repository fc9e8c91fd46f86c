import type { Kysely } from 'kysely';
import type { BankCheck, BankLine, BankMonth, DepositLine, PayoutLine, Signature } from '#contract/schemas/bank.ts';
import { type Day, dayOf, type TimeZone } from '#domain/days.ts';
import { Failure } from '#domain/failures.ts';
import type { OrgId } from '#domain/ids.ts';
import { toDollars } from '#domain/money.ts';
import { closingOfMonth, lastClosedMonth, oldestOpenMonth } from '#domain/month-closing.ts';
import { displaySafeName } from '#domain/names.ts';
import { addMonths, firstDayOfMonth, type Month } from '#domain/statement.ts';
import type { Tables } from '#server/db/tables.ts';
import type { AppDeps } from '#server/deps.ts';
import type { OrgWithDays } from '#server/entities/find-org.ts';
import {
  type MonthChangeRow,
  type MonthRange,
  monthChanges,
  readMonths,
  type SignedRow,
  spanOfMonth,
} from '#server/features/ledger/months.ts';
import { findArrival, lastArrival, readPayouts } from '#server/features/payouts/read-payouts.ts';
import {
  agreesUntil,
  type CheckRow,
  checksOfDeposits,
  depositDay,
  depositsBetween,
  listMarks,
  undepositedChecks,
} from './bank.store.ts';

export type BankDeps = Pick<AppDeps, 'now' | 'livemode'>;

/**
 * Reads a month's payouts and deposits, and the remaining steps before it can be closed.
 *
 * @param request month defaults to the line's month, the oldest month that can be closed, or the current month
 * @returns Failure month-not-found
 */
export async function readBankMonth(
  db: Kysely<Tables>,
  deps: BankDeps,
  org: OrgWithDays,
  request: { readonly month?: Month | undefined; readonly line?: string | undefined } = {},
): Promise<BankMonth | Failure> {
  const months = await readMonths(db, org, deps.now());
  const changes = await monthChanges(db, org.id);
  const lineMonth = request.line === undefined ? undefined : await monthOfLine(db, org.id, request.line);
  const month = request.month ?? lineMonth ?? shownMonth(months, lastClosedMonth(changes));
  const arrivalMonth = (await lastArrival(db, org.id))?.slice(0, 7) ?? months.last;
  const lastMonth = arrivalMonth > months.last ? arrivalMonth : months.last;
  if (month < months.first || month > lastMonth) return new Failure('month-not-found');
  const { from, until } = spanOfMonth(month, org.timeZone);
  const closedMonth = lastClosedMonth(changes);
  const openFrom = closedMonth === undefined ? from : spanOfMonth(closedMonth, org.timeZone).until;
  const checks = openFrom < until ? await undepositedChecks(db, org.id, { from: openFrom, until }) : [];
  const isOver = until.getTime() <= deps.now().getTime();
  return {
    month,
    firstMonth: months.first,
    lastMonth,
    isOver,
    lines: await readLines(db, org, month),
    checks: checks.map((check) => presentCheck(check, org.timeZone)),
    agrees: isOver && (await agreesUntil(db, { orgId: org.id, livemode: deps.livemode }, until)),
    openMonth: closedMonth !== undefined && month > addMonths(closedMonth) ? addMonths(closedMonth) : null,
    ...presentChanges(changes, month, org.timeZone),
  };
}

async function monthOfLine(db: Kysely<Tables>, orgId: OrgId, id: string): Promise<Month | undefined> {
  const day = (await findArrival(db, { orgId, payoutId: id })) ?? (await depositDay(db, orgId, id));
  return day?.slice(0, 7);
}

function shownMonth({ first, last }: MonthRange, closedMonth: Month | undefined): Month {
  const month = oldestOpenMonth(closedMonth, last);
  return month < first || month > last ? last : month;
}

async function readLines(db: Kysely<Tables>, { id: orgId, timeZone }: OrgWithDays, month: Month): Promise<BankLine[]> {
  const days = { from: firstDayOfMonth(month), until: firstDayOfMonth(addMonths(month)) };
  const payouts = await readPayouts(db, orgId, days);
  const deposits = await depositsBetween(db, orgId, days);
  const ids = [...payouts, ...deposits].map(({ id }) => id);
  const marks = new Map((await listMarks(db, orgId, ids)).map((mark) => [`${mark.kind} ${mark.subject}`, mark]));
  const signatureOf = (line: string) => presentSignature(marks.get(line), timeZone);
  const allChecks = await checksOfDeposits(
    db,
    deposits.map(({ id }) => id),
  );
  const checks = Map.groupBy(allChecks, ({ deposit_id }) => deposit_id);
  const payoutLines = payouts.map(
    (payout): PayoutLine => ({ ...payout, kind: 'payout', seen: signatureOf(`payout ${payout.id}`) }),
  );
  const depositLines = deposits.map((deposit): DepositLine => {
    const { id, deposited_on: depositedOn } = deposit;
    const contents = checks.get(id) ?? [];
    return {
      kind: 'deposit',
      id,
      depositedOn,
      amount: toDollars(contents.reduce((sum, { cents }) => sum + cents, 0)),
      checks: contents.map((check) => presentCheck(check, timeZone)),
      created: toSignature(deposit, timeZone),
      seen: signatureOf(`deposit ${id}`),
    };
  });
  // A deposit without checks belongs to another payment mode.
  const lines = [...payoutLines, ...depositLines.filter((deposit) => deposit.checks.length > 0)];
  return lines.toSorted((a, b) => (dayOfLine(a) < dayOfLine(b) ? -1 : 1));
}

function dayOfLine(line: BankLine): Day {
  return line.kind === 'payout' ? line.arrivesOn : line.depositedOn;
}

type ChangedParts = Pick<BankMonth, 'closing' | 'canReopen' | 'reopening'>;

function presentChanges(changes: readonly MonthChangeRow[], month: Month, timeZone: TimeZone): ChangedParts {
  const closing = closingOfMonth(changes, month);
  const lastChange = changes.findLast((change) => change.month === month);
  return {
    closing: closing ? { ...toSignature(closing, timeZone), month: closing.month } : null,
    canReopen: month === lastClosedMonth(changes),
    reopening:
      closing === undefined && lastChange?.action === 'reopened'
        ? { ...toSignature(lastChange, timeZone), reason: lastChange.reason ?? '' }
        : null,
  };
}

/** @returns whether a day is in a closed month */
export async function isClosed(db: Kysely<Tables>, orgId: OrgId, day: Day): Promise<boolean> {
  return closingOfMonth(await monthChanges(db, orgId), day.slice(0, 7)) !== undefined;
}

export function presentSignature(row: SignedRow | undefined, timeZone: TimeZone): Signature | null {
  return row ? toSignature(row, timeZone) : null;
}

function toSignature({ created_at, author }: SignedRow, timeZone: TimeZone): Signature {
  return { on: dayOf(created_at, timeZone), by: author && displaySafeName(author) };
}

function presentCheck(row: CheckRow, timeZone: TimeZone): BankCheck {
  return {
    entryid: row.entry_id,
    pledgeid: row.pledge_id,
    name: row.name && displaySafeName(row.name),
    checkNumber: row.check_number,
    receivedOn: dayOf(row.occurred_at, timeZone),
    amount: toDollars(row.cents),
  };
}
