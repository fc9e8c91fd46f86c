import type { PublicPounds } from '#contract/schemas/grants.ts';
import { formatWhole } from '#domain/money.ts';
import { m } from '#messages';
import { ChartFigure, ColumnChart, type PatternName } from '#web/ui/column-chart.tsx';
import { NumberTable } from '#web/ui/number-table.tsx';

type Year = PublicPounds['years'][number];
type Column = {
  readonly label: string;
  readonly field: Exclude<keyof Year, 'year'>;
  /** Fill in the chart: solid for backed or saved pounds, striped for pounds to come, crossed for missing pounds. */
  readonly pattern?: PatternName;
};

const SOLD_COLUMNS: readonly Column[] = [
  { label: m.poundsSold(), field: 'soldPounds' },
  { label: m.poundsBacked(), field: 'backedPounds', pattern: 'pounds' },
  { label: m.poundsWaiting(), field: 'unallocatedPounds', pattern: 'renewal' },
  { label: m.poundsMissing(), field: 'shortfallPounds', pattern: 'returns' },
];
const SAVED_COLUMNS: readonly Column[] = [
  { label: m.poundsGrantedThen(), field: 'grantedPounds' },
  { label: m.poundsSaved(), field: 'deliveredPounds', pattern: 'pounds' },
  { label: m.poundsToCome(), field: 'remainingPounds', pattern: 'renewal' },
];

/** The pounds that were sold in each year and, once there are grants, the pounds that homes save. */
export function PoundsByYear({ pounds: { years, totals, grants } }: { pounds: PublicPounds }) {
  const { unfinishedPounds, remainingPounds } = totals;
  return (
    <>
      <ChartAndTable
        title={m.poundsChartSold()}
        years={years}
        columns={SOLD_COLUMNS.filter(({ field }) => totals[field] > 0)}
        totals={totals}
      />
      {grants > 0 && (
        <>
          <ChartAndTable
            title={m.poundsChartSaved()}
            years={years}
            columns={SAVED_COLUMNS}
            totals={{ ...totals, remainingPounds: remainingPounds + (unfinishedPounds ?? 0) }}
            unfinishedPounds={unfinishedPounds ?? 0}
          />
          <p>{m.poundsGrantYears()}</p>
        </>
      )}
      {unfinishedPounds === null && <p>{m.poundsFewHomes()}</p>}
    </>
  );
}

type ChartAndTableProps = {
  title: string;
  years: readonly Year[];
  columns: readonly Column[];
  totals: Omit<PublicPounds['totals'], 'unfinishedPounds'>;
  /** Pounds that will be saved in years that aren't known yet. */
  unfinishedPounds?: number;
};

function ChartAndTable({ title, years, columns, totals, unfinishedPounds = 0 }: ChartAndTableProps) {
  return (
    <>
      <YearsChart title={title} years={years} columns={columns} totals={totals} unfinishedPounds={unfinishedPounds} />
      <NumberTable label={title}>
        <thead>
          <tr>
            <th scope="col">{m.poundsYear()}</th>
            {columns.map(({ label }) => (
              <th key={label} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {years
            .filter((year) => columns.some(({ field }) => getPounds(year, field) > 0))
            .map((year) => (
              <tr key={year.year}>
                <th scope="row">{year.year}</th>
                {columns.map(({ field }) => (
                  <td key={field}>{formatPounds(year[field])}</td>
                ))}
              </tr>
            ))}
          {unfinishedPounds > 0 && (
            <tr>
              <th scope="row">{m.poundsNotDone()}</th>
              <td colSpan={columns.length}>{formatWhole(unfinishedPounds)}</td>
            </tr>
          )}
          <tr>
            <th scope="row">{m.poundsAllYears()}</th>
            {columns.map(({ field }) => (
              <td key={field}>{formatWhole(totals[field])}</td>
            ))}
          </tr>
        </tbody>
      </NumberTable>
    </>
  );
}

/** Counts hidden pounds as 0. */
function getPounds(year: Year, field: Column['field']): number {
  return year[field] ?? 0;
}

function formatPounds(pounds: number | null): string {
  return pounds === null ? m.poundsNotShown() : formatWhole(pounds);
}

function YearsChart({ title, years, columns, totals, unfinishedPounds = 0 }: ChartAndTableProps) {
  const parts = columns.flatMap(({ label, field, pattern }) =>
    pattern && years.some((year) => getPounds(year, field) > 0) ? [{ key: pattern, label, field }] : [],
  );
  const sumParts = (year: Year) => parts.reduce((sum, { field }) => sum + getPounds(year, field), 0);
  const hasPounds = (year: Year) => sumParts(year) > 0;
  const yearRange = years.slice(years.findIndex(hasPounds), years.findLastIndex(hasPounds) + 1);
  const [firstYear, lastYear] = [yearRange[0], yearRange.at(-1)];
  if (!firstYear || !lastYear) return null;
  const total = formatWhole(parts.reduce((sum, { field }) => sum + totals[field], 0));
  const summary = m.poundsChartSummary({ title, first: String(firstYear.year), last: String(lastYear.year), total });
  const unfinished = formatWhole(unfinishedPounds);
  return (
    <ChartFigure title={title} headingLevel={3} legend={parts}>
      <ColumnChart<PatternName>
        // The total includes pounds in years that aren't known yet, as in the table.
        summary={unfinishedPounds > 0 ? `${summary} ${m.poundsNotDoneYet({ unfinished })}` : summary}
        label={m.poundsChartColumns({ title })}
        hint={m.poundsChartHint()}
        columns={yearRange.map((year) => ({
          name: String(year.year),
          shortName: String(year.year),
          parts: parts.map(({ key, field }) => ({ key, value: getPounds(year, field) })),
          valuesText: `${year.year}: ${parts.map(({ label, field }) => `${label} ${formatPounds(year[field])}`).join(', ')}`,
        }))}
        format={formatWhole}
      />
    </ChartFigure>
  );
}
