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
import { columnName, columnTotal, type Measure, type Series, seriesIn, seriesValue, totalsOf } from './chart-data.ts';
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
  const money = useAllowedQuery(queries.funds);
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
          waiting={overview?.pendingCounts ?? { ...NO_TASKS, stories: review?.waiting ?? 0 }}
          disputes={overview?.disputes}
          available={money?.available}
        />
        {money && <Available orgId={org.id} available={Math.max(0, money.available)} />}
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

function Available({ orgId, available }: { orgId: string; available: number }) {
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
  const { amount, carbon, gifts } = totalsOf(overview);
  if (seriesIn(overview).length === 0) {
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

const HINT = 'Point at or tap a column, or use the arrow keys, to see its values.';

function DollarsChart({ overview }: { overview: Overview }) {
  const series = seriesIn(overview);
  return (
    <ChartFigure title="Dollars given" legend={series}>
      <ColumnChart<Series>
        summary={summaryOf(overview, 'Dollars given', 'amount', formatDollars)}
        label="Dollars given, column by column"
        hint={HINT}
        columns={columnsOf(
          overview,
          (kinds) => series.map(({ key }) => ({ key, value: seriesValue(kinds, key, 'amount') })),
          (kinds) => dollarsText(kinds, series),
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
        summary={summaryOf(overview, 'Pounds offset', 'carbon', formatPounds)}
        label="Pounds offset, column by column"
        hint={HINT}
        columns={columnsOf(
          overview,
          (kinds) => [{ key: 'pounds', value: columnTotal(kinds, 'carbon') }],
          (kinds) => formatPounds(columnTotal(kinds, 'carbon')),
        )}
        format={formatWhole}
      />
    </ChartFigure>
  );
}

type Kinds = Overview['columns'][number]['kinds'];

function columnsOf<Key extends string>(
  { columns, step }: Overview,
  parts: (kinds: Kinds) => readonly { key: Key; value: number }[],
  text: (kinds: Kinds) => string,
) {
  return columns.map(({ start, kinds }) => ({
    name: columnName(start, step),
    shortName: columnName(start, step, true),
    parts: parts(kinds),
    values: `${columnName(start, step)}: ${text(kinds)}`,
  }));
}

/** "$120.00 (By card $100.00, Checks $20.00)" */
function dollarsText(kinds: Kinds, series: ReturnType<typeof seriesIn>): string {
  const parts = series.flatMap(({ key, label }) => {
    const value = seriesValue(kinds, key, 'amount');
    return value === 0 ? [] : [`${label} ${formatDollars(value)}`];
  });
  const total = formatDollars(columnTotal(kinds, 'amount'));
  return parts.length < 2 ? total : `${total} (${parts.join(', ')})`;
}

/** "Dollars given from April 2025 to March 2026: $1,200.00 in all, most in May 2025." For screen readers. */
function summaryOf(overview: Overview, what: string, measure: Measure, format: (value: number) => string): string {
  const { columns, step } = overview;
  const totalOf = (column: (typeof columns)[number]) => columnTotal(column.kinds, measure);
  const greatest = columns.reduce((best, column) => (totalOf(column) > totalOf(best) ? column : best));
  const name = (column: (typeof columns)[number] | undefined) => (column ? columnName(column.start, step) : '');
  const all = format(totalsOf(overview)[measure === 'carbon' ? 'carbon' : 'amount']);
  return `${what} from ${name(columns[0])} to ${name(columns.at(-1))}: ${all} in all, most in ${name(greatest)}.`;
}

function OverviewTable({ overview }: { overview: Overview }) {
  const { columns, step } = overview;
  const series = seriesIn(overview);
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
            <th scope="row">{columnName(start, step)}</th>
            {series.map(({ key }) => (
              <td key={key}>{formatDollars(seriesValue(kinds, key, 'amount'))}</td>
            ))}
            <td>{formatDollars(columnTotal(kinds, 'amount'))}</td>
            <td>{formatPounds(columnTotal(kinds, 'carbon'))}</td>
          </tr>
        ))}
      </tbody>
    </NumberTable>
  );
}
