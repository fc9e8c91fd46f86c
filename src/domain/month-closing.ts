import { addMonths, type Month } from './statement.ts';

/** A treasurer closed or reopened a month. */
export type MonthChange = { readonly month: Month; readonly action: 'closed' | 'reopened' };

/**
 * Lists the closings in force, by month. Closing a month also closes all earlier ones.
 *
 * @param changes in the order in which they were made
 */
export function currentClosings<Change extends MonthChange>(changes: readonly Change[]): Change[] {
  const lastChanges = new Map(changes.map((change) => [change.month, change]));
  return [...lastChanges.values()]
    .filter(({ action }) => action === 'closed')
    .toSorted((a, b) => (a.month < b.month ? -1 : 1));
}

/** The closing of a month, or of the later month that closed it too. */
export function closingOfMonth<Change extends MonthChange>(
  changes: readonly Change[],
  month: Month,
): Change | undefined {
  return currentClosings(changes).find((closing) => closing.month >= month);
}

export function lastClosedMonth(changes: readonly MonthChange[]): Month | undefined {
  return currentClosings(changes).at(-1)?.month;
}

/** The oldest month that isn't closed. Months before the first closing don't have to be closed one by one. */
export function oldestOpenMonth(closedMonth: Month | undefined, currentMonth: Month): Month {
  return closedMonth === undefined ? addMonths(currentMonth, -1) : addMonths(closedMonth);
}

/** A month's lines of the bank's statement, and its other facts that decide whether it can be closed. */
export type ClosableMonth = {
  /** True if the month is over and the books agree with the card processor. */
  readonly agrees: boolean;
  /** `seen` is null for a payout or deposit that no one saw on the bank's statement. */
  readonly lines: readonly { readonly seen: object | null; readonly status?: string }[];
  /** Received checks that are in no deposit. */
  readonly checks: readonly unknown[];
  /** An earlier month that has to be closed first. */
  readonly openMonth: Month | null;
};

/** Payouts and deposits that must be seen on the bank's statement. A payout that the bank returned may be missing there. */
export function linesToSee<Line extends ClosableMonth['lines'][number]>(lines: readonly Line[]): Line[] {
  return lines.filter(({ seen, status }) => seen === null && status !== 'failed');
}

export function isReadyToClose({ agrees, lines, checks, openMonth }: ClosableMonth): boolean {
  return agrees && linesToSee(lines).length === 0 && checks.length === 0 && openMonth === null;
}
