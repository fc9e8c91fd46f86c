import { DAY_MS, type Day, dayOf, startOf } from './days.ts';

/** How far back an overview looks. */
export type Period = 'month' | 'quarter' | 'year' | 'all';
export const PERIODS: readonly Period[] = ['month', 'quarter', 'year', 'all'];

/** What one column of its chart stands for. */
export type Step = 'day' | 'week' | 'month' | 'year';

/** A period of time in equal steps: the first day of each, the oldest first. */
export type Stretch = { readonly step: Step; readonly starts: readonly Day[] };

const DAYS_OF_MONTH = 30;
const WEEKS_OF_QUARTER = 13;
const MONTHS_OF_YEAR = 12;
/** A longer history is shown by years. */
const MOST_MONTHS = 36;

/**
 * The days, weeks, months or years that an overview shows, the one under way among them.
 * @param first when the oldest entry happened, where there is one
 */
export function stretchOf(period: Period, now: Date, first: Date | undefined): Stretch {
  if (period === 'month') return back('day', now, DAYS_OF_MONTH);
  if (period === 'quarter') return back('week', now, WEEKS_OF_QUARTER);
  if (period === 'year' || first === undefined) return back('month', now, MONTHS_OF_YEAR);
  const months = (now.getUTCFullYear() - first.getUTCFullYear()) * 12 + now.getUTCMonth() - first.getUTCMonth() + 1;
  if (months <= MOST_MONTHS) return back('month', now, Math.max(months, MONTHS_OF_YEAR));
  return back('year', now, now.getUTCFullYear() - first.getUTCFullYear() + 1);
}

function back(step: Step, now: Date, count: number): Stretch {
  const starts = Array.from({ length: Math.max(1, count) }, (_, index) => stepBefore(step, now, count - 1 - index));
  return { step, starts };
}

/** The first day of the step that is so many before the one under way. Weeks begin on Mondays. */
function stepBefore(step: Step, now: Date, before: number): Day {
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()];
  if (step === 'year') return dayOf(new Date(Date.UTC(year - before, 0, 1)));
  if (step === 'month') return dayOf(new Date(Date.UTC(year, month - before, 1)));
  const today = startOf(dayOf(now)).getTime();
  if (step === 'day') return dayOf(new Date(today - before * DAY_MS));
  const sinceMonday = (now.getUTCDay() + 6) % 7;
  return dayOf(new Date(today - (sinceMonday + before * 7) * DAY_MS));
}
