import { useSuspenseQuery } from '@tanstack/react-query';
import { pagePath } from '#contract/pages.ts';
import type { Overview } from '#contract/schemas/treasury.ts';
import { formatDollars, formatPounds, formatWhole, formatWholeDollars } from '#domain/money.ts';
import { PERIODS, type Period } from '#domain/overview.ts';
import { useAllowedQuery } from '#web/api/queries.ts';
import { Link } from '#web/navigation/link.tsx';
import { useCan } from '#web/session/actor.ts';
import { useApi } from '#web/session/app-context.ts';
import type { OrgPageProps } from '#web/site/page.ts';
import { ChartFigure, ColumnChart } from '#web/ui/column-chart.tsx';
import { EmptyNote } from '#web/ui/list-parts.tsx';
import { NumberTable } from '#web/ui/number-table.tsx';
import { SegmentLinks } from '#web/ui/segment-links.tsx';
import { EditorPage } from '../editor-frame.tsx';
import {
  calculateTotals,
  findSeries,
  formatColumnName,
  getSeriesValue,
  type Measure,
  type Series,
  sumColumn,
} from './chart-data.ts';
import { FirstSteps } from './first-steps.tsx';
import styles from './overview.module.css';
import { RecentGifts } from './recent-gifts.tsx';
import { firstStepsQuery, type OverviewData, overviewQueries } from './route.ts';
import { NO_TASKS, OwnPages, TaskSection, useRoleDescription } from './tasks.tsx';

const PERIOD_LABELS: Readonly<Record<Period, string>> = {
  month: '30 days',
  quarter: '3 months',
  year: '12 months',
  all: 'All time',
};

/** The editors' first page: open tasks, and gifts over time (decisions §4). */
export function OverviewPage({ org, period }: OrgPageProps & OverviewData) {
  const api = useApi();
  const can = useCan(org.id);
  const canRead = can('overview.read');
  const queries = overviewQueries(api, org.id, period, can);
  const overview = useAllowedQuery(queries.overview);
  const funds = useAllowedQuery(queries.funds);
  const { data: steps } = useSuspenseQuery(firstStepsQuery(api, org.id));
  const review = useAllowedQuery(queries.review);
  const path = pagePath('overview-page', { orgid: org.id });
  const segments = PERIODS.map((each) => ({
    label: PERIOD_LABELS[each],
    to: each === 'year' ? path : `${path}?period=${each}`,
    isCurrent: each === period,
  }));
  return (
    <EditorPage org={org} title="Overview" subtitle={useRoleDescription(org.id)}>
      <div className={styles.board}>
        <FirstSteps org={org} steps={steps} />
        <TaskSection
          orgId={org.id}
          pendingCounts={overview?.pendingCounts ?? { ...NO_TASKS, stories: review?.waiting ?? 0 }}
          disputes={overview?.disputes}
          available={funds?.available}
        />
        {funds && <AvailableSection orgId={org.id} available={Math.max(0, funds.available)} />}
        {canRead ? (
          <section aria-labelledby="came-in" className={styles.board}>
            <h2 id="came-in">What came in</h2>
            {overview && <RecentGifts orgId={org.id} overview={overview} />}
            <div>
              <div className={styles.period}>
                <SegmentLinks label="Period" segments={segments} />
              </div>
              {overview && <OverviewPanel overview={overview} />}
            </div>
          </section>
        ) : (
          <OwnPages orgId={org.id} />
        )}
      </div>
    </EditorPage>
  );
}

function AvailableSection({ orgId, available }: { orgId: string; available: number }) {
  return (
    <section aria-labelledby="available" className={styles.waiting}>
      <h2 id="available">Available for grants</h2>
      <p>
        <strong className={styles.available}>{formatDollars(available)}</strong>{' '}
        <Link to={pagePath('grants-page', { orgid: orgId })}>How this is computed</Link>
      </p>
    </section>
  );
}

function OverviewPanel({ overview }: { overview: Overview }) {
  const { amount, carbon, gifts } = calculateTotals(overview);
  if (findSeries(overview).length === 0) {
    return (
      <EmptyNote>
        No gifts in this period. Share your site’s address or QR code. The first gift will appear here.
      </EmptyNote>
    );
  }
  return (
    <>
      <dl className={styles.figures}>
        <Figure name="Given">{formatDollars(amount)}</Figure>
        <Figure name="Gifts">{formatWhole(gifts)}</Figure>
        <Figure name="Pounds offset">{formatWhole(carbon)}</Figure>
      </dl>
      <DollarsChart overview={overview} />
      {carbon !== 0 && <PoundsChart overview={overview} />}
      <details className={styles.details}>
        <summary>Show as a table</summary>
        <OverviewTable overview={overview} />
      </details>
    </>
  );
}

function Figure({ name, children }: { name: string; children: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

const CHART_HINT = 'Point at or tap a column, or use the arrow keys, to see its values.';

function DollarsChart({ overview }: { overview: Overview }) {
  const series = findSeries(overview);
  return (
    <ChartFigure title="Dollars given" legend={series}>
      <ColumnChart<Series>
        summary={summarizeChart(overview, 'Dollars given', 'amount', formatDollars)}
        label="Dollars given, column by column"
        hint={CHART_HINT}
        columns={toChartColumns(
          overview,
          (kinds) => series.map(({ key }) => ({ key, value: getSeriesValue(kinds, key, 'amount') })),
          (kinds) => describeDollars(kinds, series),
        )}
        format={formatWholeDollars}
      />
    </ChartFigure>
  );
}

function PoundsChart({ overview }: { overview: Overview }) {
  return (
    <ChartFigure title="Pounds offset">
      <ColumnChart<'pounds'>
        summary={summarizeChart(overview, 'Pounds offset', 'carbon', formatPounds)}
        label="Pounds offset, column by column"
        hint={CHART_HINT}
        columns={toChartColumns(
          overview,
          (kinds) => [{ key: 'pounds', value: sumColumn(kinds, 'carbon') }],
          (kinds) => formatPounds(sumColumn(kinds, 'carbon')),
        )}
        format={formatWhole}
      />
    </ChartFigure>
  );
}

type Kinds = Overview['columns'][number]['kinds'];

function toChartColumns<Key extends string>(
  { columns, step }: Overview,
  getParts: (kinds: Kinds) => readonly { key: Key; value: number }[],
  describe: (kinds: Kinds) => string,
) {
  return columns.map(({ start, kinds }) => ({
    name: formatColumnName(start, step),
    shortName: formatColumnName(start, step, true),
    parts: getParts(kinds),
    valuesText: `${formatColumnName(start, step)}: ${describe(kinds)}`,
  }));
}

/** "$120.00 (By card $100.00, Checks $20.00)" */
function describeDollars(kinds: Kinds, series: ReturnType<typeof findSeries>): string {
  const parts = series.flatMap(({ key, label }) => {
    const value = getSeriesValue(kinds, key, 'amount');
    return value === 0 ? [] : [`${label} ${formatDollars(value)}`];
  });
  const total = formatDollars(sumColumn(kinds, 'amount'));
  return parts.length < 2 ? total : `${total} (${parts.join(', ')})`;
}

/** "Dollars given from April 2025 to March 2026: $1,200.00 in all, most in May 2025." For screen readers. */
function summarizeChart(
  overview: Overview,
  subject: string,
  measure: Measure,
  format: (value: number) => string,
): string {
  const { columns, step } = overview;
  const getTotal = (column: (typeof columns)[number]) => sumColumn(column.kinds, measure);
  const largestColumn = columns.reduce((best, column) => (getTotal(column) > getTotal(best) ? column : best));
  const getName = (column: (typeof columns)[number] | undefined) =>
    column ? formatColumnName(column.start, step) : '';
  const total = format(calculateTotals(overview)[measure === 'carbon' ? 'carbon' : 'amount']);
  return `${subject} from ${getName(columns[0])} to ${getName(columns.at(-1))}: ${total} in all, most in ${getName(largestColumn)}.`;
}

function OverviewTable({ overview }: { overview: Overview }) {
  const { columns, step } = overview;
  const series = findSeries(overview);
  return (
    <NumberTable label="Chart data">
      <thead>
        <tr>
          <th scope="col">When</th>
          {series.map(({ key, label }) => (
            <th key={key} scope="col">
              {label}
            </th>
          ))}
          <th scope="col">All dollars</th>
          <th scope="col">Pounds</th>
        </tr>
      </thead>
      <tbody>
        {columns.toReversed().map(({ start, kinds }) => (
          <tr key={start}>
            <th scope="row">{formatColumnName(start, step)}</th>
            {series.map(({ key }) => (
              <td key={key}>{formatDollars(getSeriesValue(kinds, key, 'amount'))}</td>
            ))}
            <td>{formatDollars(sumColumn(kinds, 'amount'))}</td>
            <td>{formatPounds(sumColumn(kinds, 'carbon'))}</td>
          </tr>
        ))}
      </tbody>
    </NumberTable>
  );
}
