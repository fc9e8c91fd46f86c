import { useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { pagePath } from '#contract/pages.ts';
import type { AvailableFundsResponse } from '#contract/schemas/grants.ts';
import type { RecurringSums } from '#contract/schemas/recurring-gifts.ts';
import type { Overview } from '#contract/schemas/treasury.ts';
import { formatDollars, formatPounds, formatWhole, formatWholeDollars } from '#domain/money.ts';
import { PERIODS, type Period } from '#domain/overview.ts';
import { useAllowedQuery } from '#web/api/queries.ts';
import { useCan } from '#web/session/actor.ts';
import { useApi } from '#web/session/app-context.ts';
import type { OrgPageProps } from '#web/site/page.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { ChartFigure, ColumnChart } from '#web/ui/column-chart.tsx';
import { EmptyNote } from '#web/ui/list-parts.tsx';
import { NumberTable } from '#web/ui/number-table.tsx';
import { SegmentLinks } from '#web/ui/segment-links.tsx';
import { statementUrl } from '../books/route.ts';
import { RecordChecks } from '../checks/check-dialogs.tsx';
import { EditorPage } from '../editor-frame.tsx';
import { GroupLinks } from '../group-links.tsx';
import { editPath } from '../stories/editorial-story.ts';
import { NEW_STORY } from '../stories/route.ts';
import { useToday } from '../use-dates.ts';
import {
  compareWithLastYear,
  formatColumnName,
  formatMonthName,
  getSeriesValue,
  listSeriesWithEntries,
  type Series,
  sumColumn,
  sumOverview,
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
  const recurring = useAllowedQuery(queries.recurring);
  const { data: steps } = useSuspenseQuery(firstStepsQuery(api, org.id));
  const review = useAllowedQuery(queries.review);
  const [isRecordingChecks, setIsRecordingChecks] = useState(false);
  const path = pagePath('overview-page', { orgid: org.id });
  const segments = PERIODS.map((option) => ({
    label: PERIOD_LABELS[option],
    to: option === 'year' ? path : `${path}?period=${option}`,
    isCurrent: option === period,
  }));
  return (
    <EditorPage
      org={org}
      title="Overview"
      subtitle={useRoleDescription(org.id)}
      actions={<QuickActions orgId={org.id} onRecordCheck={() => setIsRecordingChecks(true)} />}
    >
      {isRecordingChecks && <RecordChecks orgId={org.id} onClose={() => setIsRecordingChecks(false)} />}
      {overview && funds && recurring && (
        <KeyFigures orgId={org.id} overview={overview} funds={funds} recurring={recurring.active} />
      )}
      <div className={styles.board}>
        <FirstSteps org={org} steps={steps} />
        <div className={styles.columns}>
          <TaskSection
            orgId={org.id}
            pendingCounts={overview?.pendingCounts ?? { ...NO_TASKS, stories: review?.waiting ?? 0 }}
            disputes={overview?.disputes}
            available={funds?.available}
          />
          {canRead ? (
            overview && <RecentGifts orgId={org.id} gifts={overview.recentGifts} />
          ) : (
            <OwnPages orgId={org.id} />
          )}
        </div>
        {canRead && (
          <section aria-labelledby="over-time">
            <div className={styles.period}>
              <h2 id="over-time">Gifts over time</h2>
              <SegmentLinks label="Period" segments={segments} />
            </div>
            {overview && <OverviewChart overview={overview} />}
          </section>
        )}
      </div>
    </EditorPage>
  );
}

function QuickActions({ orgId, onRecordCheck }: { orgId: string; onRecordCheck: () => void }) {
  const can = useCan(orgId);
  return (
    <>
      {can('checks.manage') && (
        <Button kind="outline" onClick={onRecordCheck}>
          Record a check
        </Button>
      )}
      {can('stories.edit') && (
        <ButtonLink kind="outline" to={editPath('awardee', orgId, NEW_STORY)}>
          Add awardee
        </ButtonLink>
      )}
      <ButtonLink kind="outline" to={pagePath('qrcode-page', { orgid: orgId })}>
        Print poster
      </ButtonLink>
    </>
  );
}

type KeyFiguresProps = {
  orgId: string;
  overview: Pick<Overview, 'month' | 'year'>;
  funds: Pick<AvailableFundsResponse, 'available' | 'promised'>;
  recurring: RecurringSums['active'];
};

/** This month compared with the same days a year ago, this year, the money for grants, and the recurring gifts. */
export function KeyFigures({ orgId, overview: { month, year }, funds, recurring }: KeyFiguresProps) {
  const today = useToday();
  const thisYear = today.slice(0, 4);
  const params = { orgid: orgId };
  return (
    <GroupLinks
      label="Key figures"
      groups={[
        {
          label: `${formatMonthName(today)} so far`,
          value: formatDollars(month.amount),
          hint: compareWithLastYear(month),
          to: statementUrl(orgId, today.slice(0, 7)),
        },
        {
          label: `${thisYear} so far`,
          value: formatDollars(year),
          hint: 'See donors, fees, and grants',
          to: statementUrl(orgId, thisYear),
        },
        {
          label: 'Available for grants',
          value: formatDollars(Math.max(0, funds.available)),
          hint: `${formatDollars(funds.promised)} promised to homes`,
          to: pagePath('grants-page', params),
        },
        {
          label: 'Recurring gifts',
          value: formatWhole(recurring.gifts),
          hint: `${formatDollars(recurring.monthly)} a month`,
          to: pagePath('recurring-gifts-page', params),
        },
      ]}
    />
  );
}

function OverviewChart({ overview }: { overview: Overview }) {
  if (listSeriesWithEntries(overview).length === 0) {
    return (
      <EmptyNote>
        No gifts in this period. Share your site’s address or QR code. The first gift will appear here.
      </EmptyNote>
    );
  }
  return (
    <>
      <DollarsChart overview={overview} />
      <details className={styles.details}>
        <summary>Show as a table</summary>
        <OverviewTable overview={overview} />
      </details>
    </>
  );
}

function DollarsChart({ overview }: { overview: Overview }) {
  const series = listSeriesWithEntries(overview);
  return (
    <ChartFigure title={`Dollars given: ${formatDollars(sumOverview(overview))}`} headingLevel={3} legend={series}>
      <ColumnChart<Series>
        summary={summarizeChart(overview)}
        label="Dollars given, column by column"
        hint="Point at or tap a column, or use the arrow keys, to see its values."
        columns={overview.columns.map(({ start, kinds }) => ({
          name: formatColumnName(start, overview.step),
          shortName: formatColumnName(start, overview.step, true),
          parts: series.map(({ key }) => ({ key, value: getSeriesValue(kinds, key, 'amount') })),
          valuesText: `${formatColumnName(start, overview.step)}: ${describeDollars(kinds, series)}`,
        }))}
        format={formatWholeDollars}
      />
    </ChartFigure>
  );
}

type Kinds = Overview['columns'][number]['kinds'];

/** "$120.00 (By card $100.00, Checks $20.00)" */
function describeDollars(kinds: Kinds, series: ReturnType<typeof listSeriesWithEntries>): string {
  const parts = series.flatMap(({ key, label }) => {
    const value = getSeriesValue(kinds, key, 'amount');
    return value === 0 ? [] : [`${label} ${formatDollars(value)}`];
  });
  const total = formatDollars(sumColumn(kinds, 'amount'));
  return parts.length < 2 ? total : `${total} (${parts.join(', ')})`;
}

/** "Dollars given from April 2025 to March 2026: $1,200.00 in all, most in May 2025." For screen readers. */
function summarizeChart(overview: Overview): string {
  const { columns, step } = overview;
  const getTotal = (column: (typeof columns)[number]) => sumColumn(column.kinds, 'amount');
  const largestColumn = columns.reduce((best, column) => (getTotal(column) > getTotal(best) ? column : best));
  const getName = (column: (typeof columns)[number] | undefined) =>
    column ? formatColumnName(column.start, step) : '';
  const total = formatDollars(sumOverview(overview));
  return `Dollars given from ${getName(columns[0])} to ${getName(columns.at(-1))}: ${total} in all, most in ${getName(largestColumn)}.`;
}

function OverviewTable({ overview }: { overview: Overview }) {
  const { columns, step } = overview;
  const series = listSeriesWithEntries(overview);
  return (
    <NumberTable label="Chart data">
      <thead>
        <tr>
          <th scope="col">Period</th>
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
