import { addMonths, type Month } from './statement.ts';

export type MonthChange = { readonly month: Month; readonly action: 'closed' | 'reopened' };

/**
 * Lists the closings in effect, by month. Closing a month also closes all earlier ones.
 *
 * @param changes in the order in which they were made
 */
export function listCurrentClosings<Change extends MonthChange>(changes: readonly Change[]): Change[] {
  const lastChanges = new Map(changes.map((change) => [change.month, change]));
  return [...lastChanges.values()]
    .filter(({ action }) => action === 'closed')
    .toSorted((a, b) => (a.month < b.month ? -1 : 1));
}

/** Finds the closing of a month, which may be the closing of a later month. */
export function findClosing<Change extends MonthChange>(changes: readonly Change[], month: Month): Change | undefined {
  return listCurrentClosings(changes).find((closing) => closing.month >= month);
}

/** The first month that was closed by its own closing. Earlier checks may have been deposited without a record. */
export function firstClosedMonth(changes: readonly MonthChange[]): Month | undefined {
  return listCurrentClosings(changes)[0]?.month;
}

export function lastClosedMonth(changes: readonly MonthChange[]): Month | undefined {
  return listCurrentClosings(changes).at(-1)?.month;
}

/** The oldest month that isn't closed. Months before the first closing don't have to be closed one by one. */
export function oldestOpenMonth(closedMonth: Month | undefined, currentMonth: Month): Month {
  return closedMonth === undefined ? addMonths(currentMonth, -1) : addMonths(closedMonth);
}

/** The conditions for closing a month. */
export type ClosableMonth = {
  /** True if the month is over and the books agree with the card processor. */
  readonly matchesProvider: boolean;
  /** `seen` is null for a line that isn't checked off against the bank's statement yet. */
  readonly lines: readonly { readonly seen: object | null; readonly status?: string }[];
  /** Received checks that are in no deposit. */
  readonly checks: readonly unknown[];
  /** An earlier month that has to be closed first. */
  readonly openMonth: Month | null;
};

/** Lines still to be checked off against the bank's statement, which may omit a payout that the bank returned. */
export function listUnseenLines<Line extends ClosableMonth['lines'][number]>(lines: readonly Line[]): Line[] {
  return lines.filter(({ seen, status }) => seen === null && status !== 'failed');
}

export function isReadyToClose({ matchesProvider, lines, checks, openMonth }: ClosableMonth): boolean {
  return matchesProvider && listUnseenLines(lines).length === 0 && checks.length === 0 && openMonth === null;
}
