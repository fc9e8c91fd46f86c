import { DAY_MS, type Day, dayOf, startOf } from './days.ts';

/** How far back an overview looks. */
export type Period = 'month' | 'quarter' | 'year' | 'all';
export const PERIODS: readonly Period[] = ['month', 'quarter', 'year', 'all'];

/** What one column of the chart covers. */
export type Step = 'day' | 'week' | 'month' | 'year';

/** A period in equal steps: the first day of each, oldest first. */
export type Timeline = { readonly step: Step; readonly starts: readonly Day[] };

const DAYS_OF_MONTH = 30;
const WEEKS_OF_QUARTER = 13;
const MONTHS_OF_YEAR = 12;
/** A longer history is charted by year. */
const MOST_MONTHS = 36;

/**
 * The steps of an overview's chart, up to and including the current one.
 * @param first the time of the oldest ledger entry
 */
export function timelineOf(period: Period, now: Date, first: Date | undefined): Timeline {
  if (period === 'month') return back('day', now, DAYS_OF_MONTH);
  if (period === 'quarter') return back('week', now, WEEKS_OF_QUARTER);
  if (period === 'year' || first === undefined) return back('month', now, MONTHS_OF_YEAR);
  const months = (now.getUTCFullYear() - first.getUTCFullYear()) * 12 + now.getUTCMonth() - first.getUTCMonth() + 1;
  if (months <= MOST_MONTHS) return back('month', now, Math.max(months, MONTHS_OF_YEAR));
  return back('year', now, now.getUTCFullYear() - first.getUTCFullYear() + 1);
}

function back(step: Step, now: Date, count: number): Timeline {
  const starts = Array.from({ length: Math.max(1, count) }, (_, index) => stepBefore(step, now, count - 1 - index));
  return { step, starts };
}

/** The first day of the step `before` steps ago. Weeks start on Mondays. */
function stepBefore(step: Step, now: Date, before: number): Day {
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()];
  if (step === 'year') return dayOf(new Date(Date.UTC(year - before, 0, 1)), 'UTC');
  if (step === 'month') return dayOf(new Date(Date.UTC(year, month - before, 1)), 'UTC');
  const today = startOf(dayOf(now, 'UTC'), 'UTC').getTime();
  if (step === 'day') return dayOf(new Date(today - before * DAY_MS), 'UTC');
  const sinceMonday = (now.getUTCDay() + 6) % 7;
  return dayOf(new Date(today - (sinceMonday + before * 7) * DAY_MS), 'UTC');
}
