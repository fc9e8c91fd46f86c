import { addDays, type Day, isDay } from './days.ts';

/** Period of an overview. */
export const PERIODS = ['month', 'quarter', 'year', 'all'] as const;
export type Period = (typeof PERIODS)[number];

/** Period of one column in the chart. */
export const STEPS = ['day', 'week', 'month', 'year'] as const;
export type Step = (typeof STEPS)[number];

/** A period in equal steps: the first day of each, oldest first. */
export type Timeline = { readonly step: Step; readonly periodStarts: readonly Day[] };

const DAYS_OF_MONTH = 30;
const WEEKS_OF_QUARTER = 13;
const MONTHS_OF_YEAR = 12;
/** A longer history is charted by year. */
const MAX_MONTHS = 36;

/**
 * Creates the steps of an overview's chart, up to and including the current one.
 * @param oldestDay the day of the oldest ledger entry
 */
export function createTimeline(period: Period, today: Day, first: Day | undefined): Timeline {
  if (period === 'month') return createSteps('day', today, DAYS_OF_MONTH);
  if (period === 'quarter') return createSteps('week', today, WEEKS_OF_QUARTER);
  if (period === 'year' || first === undefined) return createSteps('month', today, MONTHS_OF_YEAR);
  const months = monthNumber(today) - monthNumber(first) + 1;
  if (months <= MAX_MONTHS) return createSteps('month', today, Math.max(months, MONTHS_OF_YEAR));
  return createSteps('year', today, yearOf(today) - yearOf(first) + 1);
}

type DaySpan = { readonly from: Day; readonly to: Day };

/** Month to date, and the same days a year ago; in a leap year, February 29 is compared with February 28. */
export function monthsToDate(today: Day): { readonly thisMonth: DaySpan; readonly lastYear: DaySpan } {
  const first = `${today.slice(0, 8)}01`;
  const yearAgo = (day: Day) => `${yearOf(day) - 1}${day.slice(4)}`;
  const sameDay = yearAgo(today);
  return {
    thisMonth: { from: first, to: today },
    lastYear: { from: yearAgo(first), to: isDay(sameDay) ? sameDay : yearAgo(addDays(today, -1)) },
  };
}

function createSteps(step: Step, today: Day, count: number): Timeline {
  const periodStarts = Array.from({ length: Math.max(1, count) }, (_, index) =>
    stepBefore(step, today, count - 1 - index),
  );
  return { step, periodStarts };
}

/** The first day of the step `count` steps ago. Weeks start on Mondays. */
function stepBefore(step: Step, today: Day, count: number): Day {
  if (step === 'year') return `${yearOf(today) - count}-01-01`;
  if (step === 'month') return firstOfMonth(monthNumber(today) - count);
  if (step === 'day') return addDays(today, -count);
  const sinceMonday = (new Date(today).getUTCDay() + 6) % 7;
  return addDays(today, -(sinceMonday + count * 7));
}

function yearOf(day: Day): number {
  return Number(day.slice(0, 4));
}

/** Months since the year 0. */
function monthNumber(day: Day): number {
  return yearOf(day) * 12 + Number(day.slice(5, 7)) - 1;
}

function firstOfMonth(month: number): Day {
  return `${Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}-01`;
}
