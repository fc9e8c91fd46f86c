import type { ReactNode } from 'react';
import { pagePath } from '#contract/pages.ts';
import type { PublicPounds } from '#contract/schemas/grants.ts';
import type { Org } from '#contract/schemas/orgs.ts';
import { endpointPath, VISITOR_CALLS } from '#contract/visitor-calls.ts';
import { dayText } from '#domain/days.ts';
import { measureText } from '#domain/grant-texts.ts';
import { formatDollars, formatWhole } from '#domain/money.ts';
import { displayedStats } from '#domain/org.ts';
import { DEFAULT_SAVING_YEARS, LIFETIME_STUDY_URL } from '#domain/saving-years.ts';
import { m } from '#messages';
import { Link } from '#web/navigation/link.tsx';
import type { OrgPageProps } from '#web/site/page.ts';
import { ChartFigure, ColumnChart, type PatternName } from '#web/ui/column-chart.tsx';
import { NumberTable } from '#web/ui/number-table.tsx';
import { DocumentTitle, Page, PageTitle } from '#web/ui/page.tsx';
import { RichText } from '#web/ui/rich-text.tsx';
import { formatList } from '#web/ui/text.ts';
import styles from './pounds.module.css';
import { roundTotals } from './round-totals.ts';

export type PoundsData = { readonly pounds: PublicPounds };

/** Accounts for every pound sold and the homes that save it: first a sentence and a chart, then the details. */
export function PoundsPage({ org, pounds: exactPounds }: OrgPageProps & PoundsData) {
  const totals = roundTotals(exactPounds.totals);
  const pounds = { ...exactPounds, totals };
  const { grants, years, money } = pounds;
  return (
    <Page>
      <DocumentTitle parts={[m.headPounds(), org.name]} />
      <div className={styles.pounds}>
        <PageTitle>{m.headPounds()}</PageTitle>
        <Lead name={org.name} pounds={pounds} />
        {totals.soldPounds > 0 && <Bars totals={totals} />}
        <MoneyLine money={money} />
        <GrantsLine org={org} />
        {years.length > 0 && (
          <CollapsibleSection title={m.poundsEachYear()}>
            <YearsChart title={m.poundsChartSold()} years={years} parts={SOLD_PARTS} />
            <SoldTable pounds={pounds} />
            {grants > 0 && (
              <>
                <YearsChart title={m.poundsChartSaved()} years={years} parts={SAVED_PARTS} />
                <SavedTable pounds={pounds} />
              </>
            )}
          </CollapsibleSection>
        )}
        {grants > 0 && money.paid !== null && (
          <CollapsibleSection title={m.poundsMeasures()}>
            <Measures pounds={pounds} paid={money.paid} />
          </CollapsibleSection>
        )}
        <CollapsibleSection title={m.poundsMoney()}>
          <Money pounds={pounds} />
        </CollapsibleSection>
        <CollapsibleSection title={m.poundsHow()}>
          <Method org={org} pounds={pounds} />
        </CollapsibleSection>
      </div>
    </Page>
  );
}

/** Details that most visitors skip. They are expanded for printing. */
function CollapsibleSection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <details className={styles.fold}>
      <summary>
        <h2>{title}</h2>
      </summary>
      {children}
    </details>
  );
}

type PoundsProps = { pounds: PublicPounds };

/** Summarizes the pounds that donors paid for, and shows any shortfall. */
function Lead({ name, pounds: { asOf, grants, homes, totals } }: PoundsProps & { name: string }) {
  const { soldPounds, backedPounds, shortfallPounds, unallocatedPounds } = totals;
  if (grants === 0) {
    const lead = soldPounds === 0 ? m.poundsNone({ name }) : m.poundsNoGrants({ sold: formatWhole(soldPounds), name });
    return (
      <>
        <p className={styles.lead}>{lead}</p>
        <p>{m.poundsAsOf({ day: dayText(asOf) })}</p>
      </>
    );
  }
  const counts = {
    sold: formatWhole(soldPounds),
    backed: formatWhole(backedPounds),
    waiting: formatWhole(unallocatedPounds),
  };
  return (
    <>
      <p className={styles.lead}>{m.poundsBought({ ...counts, name, homes: formatWhole(homes), count: homes })}</p>
      {shortfallPounds > 0 && (
        <p className={styles.shortfall}>{m.poundsBehind({ behind: formatWhole(shortfallPounds) })}</p>
      )}
    </>
  );
}

/** Pounds that donors paid for, and pounds that homes save, as two bars on one scale. */
function Bars({ totals }: { totals: PublicPounds['totals'] }) {
  const { backedPounds, unallocatedPounds, shortfallPounds, deliveredPounds, remainingPounds, unfinishedPounds } =
    totals;
  const bars = [
    {
      title: m.poundsPaidFor(),
      parts: [
        { label: m.poundsBacked(), pounds: backedPounds, fill: styles.solid },
        { label: m.poundsWaiting(), pounds: unallocatedPounds, fill: styles.open },
        { label: m.poundsMissing(), pounds: shortfallPounds, fill: styles.missing },
      ],
    },
    {
      title: m.poundsHomesSave(),
      parts: [
        { label: m.poundsSaved(), pounds: deliveredPounds, fill: styles.solid },
        { label: m.poundsToCome(), pounds: remainingPounds + unfinishedPounds, fill: styles.light },
      ],
    },
  ].map((bar) => ({ ...bar, total: bar.parts.reduce((sum, { pounds }) => sum + pounds, 0) }));
  const scale = Math.max(...bars.map(({ total }) => total));
  return (
    <dl className={styles.bars}>
      {bars.map(({ title, parts, total }) => (
        <div key={title}>
          <dt>
            {title} <strong>{m.poundsAmount({ pounds: formatWhole(total) })}</strong>
          </dt>
          <dd>
            <Bar parts={parts.map(({ pounds, fill }) => ({ fill, percent: (100 * pounds) / scale }))} />
            <ul>
              {parts.map(
                ({ label, pounds, fill }) =>
                  pounds > 0 && (
                    <li key={label}>
                      <svg width="14" height="14" aria-hidden="true">
                        <rect width="14" height="14" className={fill} />
                      </svg>
                      {label}: {m.poundsAmount({ pounds: formatWhole(pounds) })}
                    </li>
                  ),
              )}
            </ul>
          </dd>
        </div>
      ))}
    </dl>
  );
}

type BarPart = { readonly fill: string | undefined; readonly percent: number };

function Bar({ parts }: { parts: readonly BarPart[] }) {
  return (
    <svg className={styles.bar} width="100%" height="36" aria-hidden="true">
      {parts.map(({ fill, percent }, index) => {
        const start = parts.slice(0, index).reduce((sum, part) => sum + part.percent, 0);
        return <rect key={fill} x={`${start}%`} width={`${percent}%`} height="36" className={fill} />;
      })}
    </svg>
  );
}

/** Donors' money in one sentence. Omitted if it would reveal a single home's grant. */
function MoneyLine({ money: { paid, available } }: { money: PublicPounds['money'] }) {
  if (paid === null || available === null || available <= 0) return null;
  return <p>{m.poundsMoneyLine({ paid: formatDollars(paid), available: formatDollars(available) })}</p>;
}

/** The same grant count as on the home page (decisions §2). */
function GrantsLine({ org: { stats, statsDelta } }: { org: Org }) {
  const { grants } = displayedStats(stats, statsDelta);
  if (grants <= 0 || statsDelta.grants === 0) return null;
  const count = m.poundsGrantsCount({ count: grants, grants: formatWhole(grants) });
  const parts = m.homeRecorded({ recorded: formatWhole(stats.grants), added: formatWhole(statsDelta.grants) });
  return (
    <p>
      {count}: {parts}.
    </p>
  );
}

type Year = PublicPounds['years'][number];
type Part = { readonly key: PatternName; readonly label: string; readonly getPounds: (year: Year) => number };

/** The charts' fills: solid for backed or saved pounds, striped for pounds to come, crossed for missing pounds. */
const SOLD_PARTS: readonly Part[] = [
  { key: 'pounds', label: m.poundsBacked(), getPounds: ({ backedPounds }) => backedPounds },
  { key: 'renewal', label: m.poundsWaiting(), getPounds: ({ unallocatedPounds }) => unallocatedPounds },
  { key: 'returned', label: m.poundsMissing(), getPounds: ({ shortfallPounds }) => shortfallPounds },
];
const SAVED_PARTS: readonly Part[] = [
  { key: 'pounds', label: m.poundsSaved(), getPounds: ({ deliveredPounds }) => deliveredPounds },
  { key: 'renewal', label: m.poundsToCome(), getPounds: ({ remainingPounds }) => remainingPounds },
];

function YearsChart({ title, years, parts }: { title: string; years: readonly Year[]; parts: readonly Part[] }) {
  const visibleParts = parts.filter(({ getPounds }) => years.some((year) => getPounds(year) > 0));
  const sumParts = (year: Year) => parts.reduce((sum, { getPounds }) => sum + getPounds(year), 0);
  const hasPounds = (year: Year) => sumParts(year) > 0;
  const yearRange = years.slice(years.findIndex(hasPounds), years.findLastIndex(hasPounds) + 1);
  const [first, last] = [yearRange[0], yearRange.at(-1)];
  if (!first || !last) return null;
  const total = formatWhole(yearRange.reduce((sum, year) => sum + sumParts(year), 0));
  return (
    <ChartFigure title={title} headingLevel={3} legend={visibleParts}>
      <ColumnChart<PatternName>
        summary={m.poundsChartSummary({ title, first: String(first.year), last: String(last.year), total })}
        label={m.poundsChartColumns({ title })}
        hint={m.poundsChartHint()}
        columns={yearRange.map((year) => ({
          name: String(year.year),
          shortName: String(year.year),
          parts: visibleParts.map(({ key, getPounds }) => ({ key, value: getPounds(year) })),
          valuesText: `${year.year}: ${visibleParts.map(({ label, getPounds }) => `${label} ${formatWhole(getPounds(year))}`).join(', ')}`,
        }))}
        format={formatWhole}
      />
    </ChartFigure>
  );
}

type Columns = readonly { readonly label: string; readonly getPounds: (year: Year) => number; readonly sum: number }[];

function SoldTable({ pounds: { years, totals } }: PoundsProps) {
  const columns: Columns = [
    { label: m.poundsSold(), getPounds: ({ soldPounds }) => soldPounds, sum: totals.soldPounds },
    { label: m.poundsBacked(), getPounds: ({ backedPounds }) => backedPounds, sum: totals.backedPounds },
    {
      label: m.poundsWaiting(),
      getPounds: ({ unallocatedPounds }) => unallocatedPounds,
      sum: totals.unallocatedPounds,
    },
    { label: m.poundsMissing(), getPounds: ({ shortfallPounds }) => shortfallPounds, sum: totals.shortfallPounds },
  ];
  const yearsWithSales = years.filter((year) => year.soldPounds > 0);
  return (
    <YearsTable label={m.poundsChartSold()} years={yearsWithSales} columns={columns.filter(({ sum }) => sum > 0)} />
  );
}

function SavedTable({ pounds: { years, totals } }: PoundsProps) {
  const columns: Columns = [
    { label: m.poundsGrantedThen(), getPounds: ({ grantedPounds }) => grantedPounds, sum: totals.grantedPounds },
    { label: m.poundsSaved(), getPounds: ({ deliveredPounds }) => deliveredPounds, sum: totals.deliveredPounds },
    {
      label: m.poundsToCome(),
      getPounds: ({ remainingPounds }) => remainingPounds,
      sum: totals.remainingPounds + totals.unfinishedPounds,
    },
  ];
  const { unfinishedPounds } = totals;
  const rows = years.filter(
    ({ grantedPounds, deliveredPounds, remainingPounds }) => grantedPounds + deliveredPounds + remainingPounds > 0,
  );
  return <YearsTable label={m.poundsChartSaved()} years={rows} columns={columns} unfinishedPounds={unfinishedPounds} />;
}

type YearsTableProps = { label: string; years: readonly Year[]; columns: Columns; unfinishedPounds?: number };

/** @param unfinishedPounds pounds that will be saved, but the years aren't known yet */
function YearsTable({ label, years, columns, unfinishedPounds = 0 }: YearsTableProps) {
  return (
    <NumberTable label={label}>
      <thead>
        <tr>
          <th scope="col">{m.poundsYear()}</th>
          {columns.map((column) => (
            <th key={column.label} scope="col">
              {column.label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {years.map((year) => (
          <tr key={year.year}>
            <th scope="row">{year.year}</th>
            {columns.map((column) => (
              <td key={column.label}>{formatWhole(column.getPounds(year))}</td>
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
          {columns.map((column) => (
            <td key={column.label}>{formatWhole(column.sum)}</td>
          ))}
        </tr>
      </tbody>
    </NumberTable>
  );
}

function getMeasureName(measure: PublicPounds['measures'][number]['measure']): string {
  if (measure === 'several') return m.measureSeveral();
  return measure === 'few' ? m.measureFew() : measureText(measure);
}

function Measures({ pounds: { measures, money, grants, totals }, paid }: PoundsProps & { paid: number }) {
  return (
    <>
      {money.perTon !== null && <p>{m.poundsPerTon({ dollars: formatDollars(money.perTon) })}</p>}
      <NumberTable label={m.poundsMeasures()}>
        <thead>
          <tr>
            <th scope="col">{m.poundsMeasure()}</th>
            <th scope="col">{m.poundsGrants()}</th>
            <th scope="col">{m.poundsPaid()}</th>
            <th scope="col">{m.poundsOverYears()}</th>
          </tr>
        </thead>
        <tbody>
          {measures.map((row) => (
            <tr key={row.measure}>
              <th scope="row">{getMeasureName(row.measure)}</th>
              <td>{formatWhole(row.grants)}</td>
              <td>{formatDollars(row.paid)}</td>
              <td>{formatWhole(row.pounds)}</td>
            </tr>
          ))}
          <tr>
            <th scope="row">{m.poundsAllMeasures()}</th>
            <td>{formatWhole(grants)}</td>
            <td>{formatDollars(paid)}</td>
            <td>{formatWhole(totals.grantedPounds)}</td>
          </tr>
        </tbody>
      </NumberTable>
    </>
  );
}

function Money({ pounds: { money, asOf } }: PoundsProps) {
  const rows = [
    { label: m.poundsGifts(), value: money.gifts },
    { label: m.poundsFees(), value: -money.fees },
    { label: m.poundsDisputed(), value: -money.disputed },
    { label: m.poundsPaidHomes(), value: money.paid === null ? null : -money.paid },
    { label: m.poundsLeft(), value: money.remaining },
    { label: m.poundsPromised(), value: money.promised },
    { label: m.poundsFree(), value: money.available },
  ];
  return (
    <>
      <NumberTable label={m.poundsMoney()}>
        <thead>
          <tr>
            <th scope="col">{m.poundsUpTo({ day: dayText(asOf) })}</th>
            <th scope="col">{m.poundsDollars()}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ label, value }) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              <td>{value === null ? m.poundsNotShown() : formatDollars(value)}</td>
            </tr>
          ))}
        </tbody>
      </NumberTable>
      {rows.some(({ value }) => value === null) && <p>{m.poundsFewHomes()}</p>}
    </>
  );
}

/** Amounts that editors added to the home page's totals by hand. */
function formatManualAmounts({ statsDelta: { co2, funds, grants } }: Org): string {
  return formatList([
    ...(co2 === 0 ? [] : [m.poundsAmount({ pounds: formatWhole(co2) })]),
    ...(funds === 0 ? [] : [formatDollars(funds)]),
    ...(grants === 0 ? [] : [m.poundsGrantsCount({ count: grants, grants: formatWhole(grants) })]),
  ]);
}

function Method({ org, pounds: { asOf, grants, savingYears, totals } }: PoundsProps & { org: Org }) {
  const { shortfallPounds, surplusPounds, deliveredPounds, remainingPounds, unfinishedPounds } = totals;
  const orgId = org.id;
  const amounts = formatManualAmounts(org);
  const tags = {
    numbers: (words: string) => <Link to={pagePath('numbers-page', { orgid: orgId })}>{words}</Link>,
    study: (words: string) => (
      <a href={LIFETIME_STUDY_URL} rel="noreferrer">
        {words}
      </a>
    ),
  };
  const lifetimeMessage = grants > 0 ? m.poundsLifeOwn : m.poundsLifeUsual;
  return (
    <>
      {grants > 0 && shortfallPounds === 0 && <p>{m.poundsNotBehind({ spare: formatWhole(surplusPounds) })}</p>}
      {grants > 0 && (
        <p>
          {m.poundsDelivered({
            day: dayText(asOf),
            delivered: formatWhole(deliveredPounds),
            toCome: formatWhole(remainingPounds + unfinishedPounds),
          })}{' '}
          {unfinishedPounds > 0 && m.poundsNotDoneYet({ notDone: formatWhole(unfinishedPounds) })}
        </p>
      )}
      <p>{m.poundsHowYears()}</p>
      <p>{m.poundsHowRows()}</p>
      {amounts !== '' && <p>{m.poundsByHand({ amounts })}</p>}
      <p>
        <RichText
          text={lifetimeMessage({ years: String(grants > 0 ? savingYears : DEFAULT_SAVING_YEARS) })}
          tags={tags}
        />
      </p>
      <p>
        <RichText text={m.poundsHowEstimated()} tags={tags} />
      </p>
      <p className={styles.files}>
        <a href={endpointPath(VISITOR_CALLS.downloadPounds, { orgid: orgId })} download>
          {m.poundsCsv()}
        </a>{' '}
        <a href={endpointPath(VISITOR_CALLS.readPounds, { orgid: orgId })} download="every-pound.json">
          {m.poundsJson()}
        </a>
      </p>
    </>
  );
}
