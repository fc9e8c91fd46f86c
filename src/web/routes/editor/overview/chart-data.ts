import type { Overview } from '#contract/schemas/treasury.ts';
import type { Day } from '#domain/days.ts';
import { add, decimal, toNumber } from '#domain/decimal.ts';
import { formatWhole } from '#domain/money.ts';

/** Chart series: payment methods, refunds, and adjustments. */
export type Series = 'card' | 'renewal' | 'check' | 'returns' | 'adjustment';

const SERIES: readonly { readonly key: Series; readonly label: string }[] = [
  { key: 'card', label: 'By card' },
  { key: 'renewal', label: 'Renewals' },
  { key: 'check', label: 'Checks' },
  { key: 'adjustment', label: 'Adjustments' },
  { key: 'returns', label: 'Refunds and disputes' },
];

type Kinds = Overview['columns'][number]['kinds'];
type Kind = keyof Kinds;

const KINDS: Readonly<Record<Series, readonly Kind[]>> = {
  card: ['payment'],
  renewal: ['renewal'],
  check: ['check'],
  adjustment: ['adjustment'],
  returns: ['refund', 'dispute', 'reversal'],
};

/** Dollars, pounds, or the number of ledger entries. */
type Measure = 'amount' | 'carbon' | 'entries';

export function getSeriesValue(kinds: Kinds, series: Series, measure: Measure): number {
  return sum(KINDS[series].map((kind) => kinds[kind]?.[measure] ?? 0));
}

export function sumColumn(kinds: Kinds, measure: Measure): number {
  return sum(SERIES.map(({ key }) => getSeriesValue(kinds, key, measure)));
}

/** Dollars in all columns, less refunds and disputes. */
export function sumOverview({ columns }: Pick<Overview, 'columns'>): number {
  return sum(columns.map(({ kinds }) => sumColumn(kinds, 'amount')));
}

/** "Up 12% from the same days last year" */
export function compareWithLastYear({ amount, lastYear }: Overview['month']): string {
  if (lastYear <= 0) return amount === 0 ? 'No gifts this month yet' : 'No gifts on the same days last year';
  const percent = Math.round((amount / lastYear - 1) * 100);
  if (amount === lastYear) return 'Same as on these days last year';
  if (percent === 0) return 'About the same as on these days last year';
  return `${percent > 0 ? 'Up' : 'Down'} ${formatWhole(Math.abs(percent))}% from the same days last year`;
}

/** "March" */
export function formatMonthName(day: Day): string {
  return new Intl.DateTimeFormat('en-US', { month: 'long', timeZone: 'UTC' }).format(new Date(`${day}T00:00:00Z`));
}

/** The series that have entries in this period. */
export function listSeriesWithEntries({ columns }: Pick<Overview, 'columns'>): typeof SERIES {
  return SERIES.filter(({ key }) => columns.some(({ kinds }) => getSeriesValue(kinds, key, 'entries') > 0));
}

/** "Mar 14", "Week of Mar 9", "March 2026", "2026": a column's period. */
export function formatColumnName(start: string, step: Overview['step'], short = false): string {
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('en-US', { ...options, timeZone: 'UTC' }).format(new Date(`${start}T00:00:00Z`));
  if (step === 'year') return format({ year: 'numeric' });
  if (step === 'month') return short ? formatShortMonth(start) : format({ month: 'long', year: 'numeric' });
  const day = format({ month: 'short', day: 'numeric' });
  return step === 'week' && !short ? `Week of ${day}` : day;
}

/** "Mar". January includes the year: "Jan ’26". */
function formatShortMonth(start: string): string {
  const month = new Intl.DateTimeFormat('en-US', { month: 'short', timeZone: 'UTC' }).format(new Date(start));
  return start.slice(5, 7) === '01' ? `${month} ’${start.slice(2, 4)}` : month;
}

/** Adds decimals exactly, since binary fractions would round cents. */
function sum(values: readonly number[]): number {
  return toNumber(values.map((value) => decimal(value)).reduce(add, decimal(0)));
}
