import { addDays, type Day, isDay } from './days.ts';

/** Period of an overview. */
export const PERIODS = ['month', 'quarter', 'year', 'all'] as const;
export type Period = (typeof PERIODS)[number];

/** Period that one column of the chart covers. */
export const STEPS = ['day', 'week', 'month', 'year'] as const;
export type Step = (typeof STEPS)[number];

/** A period in equal steps: the first day of each, oldest first. */
export type Timeline = { readonly step: Step; readonly periodStarts: readonly Day[] };

const DAYS_PER_MONTH = 30;
const WEEKS_PER_QUARTER = 13;
const MONTHS_PER_YEAR = 12;
/** A longer history is charted by year. */
const MAX_MONTHS = 36;

/**
 * Creates the steps of an overview's chart, through the current one.
 * @param oldestDay the day of the oldest ledger entry
 */
export function createTimeline(period: Period, today: Day, oldestDay: Day | undefined): Timeline {
  if (period === 'month') return createSteps('day', today, DAYS_PER_MONTH);
  if (period === 'quarter') return createSteps('week', today, WEEKS_PER_QUARTER);
  if (period === 'year' || oldestDay === undefined) return createSteps('month', today, MONTHS_PER_YEAR);
  const months = monthNumber(today) - monthNumber(oldestDay) + 1;
  if (months <= MAX_MONTHS) return createSteps('month', today, Math.max(months, MONTHS_PER_YEAR));
  return createSteps('year', today, getYear(today) - getYear(oldestDay) + 1);
}

type DayRange = { readonly from: Day; readonly to: Day };

/** Month to date, and the same days a year ago; in a leap year, February 29 is compared with February 28. */
export function getMonthsToDate(today: Day): { readonly thisMonth: DayRange; readonly lastYear: DayRange } {
  const firstDay = `${today.slice(0, 8)}01`;
  const yearAgo = (day: Day) => `${getYear(day) - 1}${day.slice(4)}`;
  const sameDayLastYear = yearAgo(today);
  return {
    thisMonth: { from: firstDay, to: today },
    lastYear: { from: yearAgo(firstDay), to: isDay(sameDayLastYear) ? sameDayLastYear : yearAgo(addDays(today, -1)) },
  };
}

function createSteps(step: Step, today: Day, count: number): Timeline {
  const periodStarts = Array.from({ length: Math.max(1, count) }, (_, index) =>
    startOfStep(step, today, count - 1 - index),
  );
  return { step, periodStarts };
}

/** The first day of the step `count` steps ago. Weeks start on Mondays. */
function startOfStep(step: Step, today: Day, count: number): Day {
  if (step === 'year') return `${getYear(today) - count}-01-01`;
  if (step === 'month') return firstOfMonth(monthNumber(today) - count);
  if (step === 'day') return addDays(today, -count);
  const daysSinceMonday = (new Date(today).getUTCDay() + 6) % 7;
  return addDays(today, -(daysSinceMonday + count * 7));
}

function getYear(day: Day): number {
  return Number(day.slice(0, 4));
}

/** Months since the year 0. */
function monthNumber(day: Day): number {
  return getYear(day) * 12 + Number(day.slice(5, 7)) - 1;
}

function firstOfMonth(month: number): Day {
  return `${Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}-01`;
}
