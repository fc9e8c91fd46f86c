import type { EveryPound } from '#contract/schemas/grants.ts';
import type { FileResponse } from '#server/http/call-route.ts';
import { csvFile } from '#server/http/csv-file.ts';

const POUNDS = ['sold', 'backed', 'behind', 'waiting', 'granted', 'delivered', 'toCome', 'notDone'] as const;
const HEADINGS = [
  'Row',
  'Year or measure',
  'Sold (lb)',
  'Assigned to a home (lb)',
  'Behind (lb)',
  'Waiting (lb)',
  'Granted (lb)',
  'Delivered (lb)',
  'Still to come (lb)',
  'Work not done (lb)',
  'Paid ($)',
  'Grants',
];

type Pounds = { readonly [Name in (typeof POUNDS)[number]]?: number };

/** The "Every pound" page of an organization as CSV: a row for each year, a row for each measure, and a total. */
export function poundsFile({ asOf, years, measures, totals, money, grants }: EveryPound): FileResponse {
  const row = (kind: string, label: string, pounds: Pounds, paid: number | null, count?: number) => [
    kind,
    label,
    ...POUNDS.map((name) => text(pounds[name], 4)),
    text(paid ?? undefined, 2),
    text(count, 0),
  ];
  return csvFile(`every-pound_${asOf}.csv`, [
    HEADINGS,
    ...years.map(({ year, ...pounds }) => row('Year', String(year), pounds, null)),
    ...measures.map((each) => row('Measure', each.measure, { granted: each.pounds }, each.paid, each.grants)),
    row('All', asOf, totals, money.paid, grants),
  ]);
}

function text(amount: number | undefined, places: number): string | null {
  return amount === undefined ? null : amount.toFixed(places);
}
