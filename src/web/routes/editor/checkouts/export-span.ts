import { type Day, dayOf } from '#domain/days.ts';

/** The days that a treasurer asks for most, and those that one chooses. */
export type ExportSpan = 'this-year' | 'last-year' | 'everything' | 'own';

export const SPANS: readonly { readonly value: ExportSpan; readonly label: string }[] = [
  { value: 'this-year', label: 'This year' },
  { value: 'last-year', label: 'Last year' },
  { value: 'everything', label: 'Everything' },
  { value: 'own', label: 'Other days' },
];

/** The first and the last day of a span; without one where it has no end. */
export function spanOf(
  span: Exclude<ExportSpan, 'own'>,
  now: Date,
): { readonly from: Day | undefined; readonly to: Day | undefined } {
  if (span === 'everything') return { from: undefined, to: undefined };
  const year = Number(dayOf(now).slice(0, 4)) - (span === 'last-year' ? 1 : 0);
  return { from: `${year}-01-01`, to: `${year}-12-31` };
}

/** "ledger_2026-01-01_2026-12-31.csv", as the server calls it. */
export function exportName({ from, to }: { readonly from: Day | undefined; readonly to: Day | undefined }): string {
  return `${['ledger', from ?? 'beginning', to ?? 'today'].join('_')}.csv`;
}
