import type { PublicPounds } from '#contract/schemas/grants.ts';
import type { FileResponse } from '#server/http/call-route.ts';
import { createCsvFile } from '#server/http/csv-file.ts';

const POUNDS_COLUMNS = [
  'soldPounds',
  'backedPounds',
  'shortfallPounds',
  'unallocatedPounds',
  'grantedPounds',
  'deliveredPounds',
  'remainingPounds',
  'unfinishedPounds',
] as const;
const HEADINGS = [
  'Row',
  'Year or measure',
  'Sold (lb)',
  'Assigned to a home (lb)',
  'Behind (lb)',
  'Not yet assigned (lb)',
  'Granted (lb)',
  'Delivered (lb)',
  'Still to come (lb)',
  'Work not done (lb)',
  'Paid ($)',
  'Grants',
];

type Pounds = { readonly [Name in (typeof POUNDS_COLUMNS)[number]]?: number | null };

/** Exports "Where every pound goes" as CSV: a row for each year, a row for each measure, and a total. */
export function createPoundsFile({ asOf, years, measures, totals, money, grants }: PublicPounds): FileResponse {
  const row = (kind: string, label: string, pounds: Pounds, paid: number | null, count?: number) => [
    kind,
    label,
    ...POUNDS_COLUMNS.map((name) => formatAmount(pounds[name], 4)),
    formatAmount(paid, 2),
    formatAmount(count, 0),
  ];
  return createCsvFile(`every-pound_${asOf}.csv`, [
    HEADINGS,
    ...years.map(({ year, ...pounds }) => row('Year', String(year), pounds, null)),
    ...measures.map((group) =>
      row('Measure', group.measure, { grantedPounds: group.pounds }, group.paid, group.grants),
    ),
    row('All', asOf, totals, money.paid, grants),
  ]);
}

function formatAmount(amount: number | null | undefined, places: number): string | null {
  return amount?.toFixed(places) ?? null;
}
