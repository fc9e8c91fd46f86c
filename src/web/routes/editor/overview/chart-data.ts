import type { Overview } from '#contract/schemas/treasury.ts';
import { add, decimal, toNumber } from '#domain/decimal.ts';

/** Chart series: payment methods, refunds, and adjustments. */
export type Series = 'card' | 'renewal' | 'check' | 'returned' | 'adjustment';

const SERIES: readonly { readonly key: Series; readonly label: string }[] = [
  { key: 'card', label: 'By card' },
  { key: 'renewal', label: 'Renewals' },
  { key: 'check', label: 'Checks' },
  { key: 'adjustment', label: 'Adjustments' },
  { key: 'returned', label: 'Refunds and disputes' },
];

type Kinds = Overview['columns'][number]['kinds'];
type Kind = keyof Kinds;

const KINDS: Readonly<Record<Series, readonly Kind[]>> = {
  card: ['payment'],
  renewal: ['renewal'],
  check: ['check'],
  adjustment: ['adjustment'],
  returned: ['refund', 'dispute', 'reversal'],
};

/** Dollars, pounds, or the number of ledger entries. */
export type Measure = 'amount' | 'carbon' | 'entries';

export function getSeriesValue(kinds: Kinds, series: Series, measure: Measure): number {
  return sum(KINDS[series].map((kind) => kinds[kind]?.[measure] ?? 0));
}

export function sumColumn(kinds: Kinds, measure: Measure): number {
  return sum(SERIES.map(({ key }) => getSeriesValue(kinds, key, measure)));
}

type OverviewTotals = {
  /** Dollars, less refunds and disputes. */
  readonly amount: number;
  /** Pounds. */
  readonly carbon: number;
  /** The number of gifts: by card, renewal, or check. */
  readonly gifts: number;
};

export function calculateTotals({ columns }: Pick<Overview, 'columns'>): OverviewTotals {
  const sumColumns = (getValue: (kinds: Kinds) => number) => sum(columns.map(({ kinds }) => getValue(kinds)));
  return {
    amount: sumColumns((kinds) => sumColumn(kinds, 'amount')),
    carbon: sumColumns((kinds) => sumColumn(kinds, 'carbon')),
    gifts: sumColumns((kinds) =>
      sum((['card', 'renewal', 'check'] as const).map((key) => getSeriesValue(kinds, key, 'entries'))),
    ),
  };
}

/** The series that have entries in this period. */
export function findSeries({ columns }: Pick<Overview, 'columns'>): typeof SERIES {
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
