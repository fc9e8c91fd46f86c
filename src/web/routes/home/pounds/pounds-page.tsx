import { callPath } from '#contract/calls.ts';
import { pagePath } from '#contract/pages.ts';
import type { EveryPound } from '#contract/schemas/grants.ts';
import type { Org } from '#contract/schemas/orgs.ts';
import { dayText } from '#domain/days.ts';
import { measureText } from '#domain/grant-texts.ts';
import { formatDollars, formatWhole } from '#domain/money.ts';
import { LIFE_STUDY, USUAL_SAVING_YEARS } from '#domain/saving-years.ts';
import { m } from '#messages';
import { Link } from '#web/navigation/link.tsx';
import type { OrgFrame } from '#web/site/page.ts';
import { ChartFigure, ColumnChart, type PatternName } from '#web/ui/column-chart.tsx';
import { NumberTable } from '#web/ui/number-table.tsx';
import { DocumentTitle, Page, PageTitle } from '#web/ui/page.tsx';
import { Rich } from '#web/ui/rich.tsx';
import { formatList } from '#web/ui/text.ts';
import styles from './pounds.module.css';

export type PoundsData = { readonly pounds: EveryPound };

/** Every pound that was sold, and the homes that save it. */
export function PoundsPage({ org, pounds }: OrgFrame & PoundsData) {
  const { grants, totals, years } = pounds;
  const figures = [
    { label: m.poundsSold(), value: totals.sold },
    { label: m.poundsGranted(), value: totals.granted },
    { label: m.poundsSaved(), value: totals.delivered },
    { label: m.poundsToCome(), value: totals.toCome + totals.notDone },
  ];
  return (
    <Page>
      <DocumentTitle parts={[m.headPounds(), org.name]} />
      <div className={styles.pounds}>
        <PageTitle>{m.headPounds()}</PageTitle>
        <Lead name={org.name} pounds={pounds} />
        <dl className={styles.figures}>
          {figures.map(({ label, value }) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{m.poundsAmount({ pounds: formatWhole(value) })}</dd>
            </div>
          ))}
        </dl>
        {years.length > 0 && <YearsChart title={m.poundsChartSold()} years={years} parts={SOLD_PARTS} />}
        {years.length > 0 && <SoldTable pounds={pounds} />}
        {grants > 0 && <YearsChart title={m.poundsChartSaved()} years={years} parts={SAVED_PARTS} />}
        {grants > 0 && (
          <details>
            <summary>{m.poundsEachYear()}</summary>
            <SavedTable pounds={pounds} />
          </details>
        )}
        {grants > 0 && pounds.money.paid !== null && <Measures pounds={pounds} paid={pounds.money.paid} />}
        <Money pounds={pounds} />
        <Method org={org} pounds={pounds} />
      </div>
    </Page>
  );
}

type PoundsProps = { pounds: EveryPound };

/** Summarizes the numbers below, including whether the fund is behind. */
function Lead({ name, pounds: { asOf, grants, homes, totals } }: PoundsProps & { name: string }) {
  const { sold, backed, behind, waiting, spare, delivered, toCome, notDone } = totals;
  const day = dayText(asOf);
  if (grants === 0) {
    const lead = sold === 0 ? m.poundsNone({ name }) : m.poundsNoGrants({ sold: formatWhole(sold), name });
    return (
      <>
        <p className={styles.lead}>{lead}</p>
        <p>{m.poundsAsOf({ day })}</p>
      </>
    );
  }
  const counts = { sold: formatWhole(sold), backed: formatWhole(backed), waiting: formatWhole(waiting) };
  return (
    <>
      <p className={styles.lead}>{m.poundsBought({ ...counts, name, homes: formatWhole(homes), count: homes })}</p>
      {behind > 0 && <p className={styles.shortfall}>{m.poundsBehind({ behind: formatWhole(Math.ceil(behind)) })}</p>}
      {behind === 0 && <p>{m.poundsNotBehind({ spare: formatWhole(spare) })}</p>}
      <p>
        {m.poundsDelivered({ day, delivered: formatWhole(delivered), toCome: formatWhole(toCome) })}{' '}
        {notDone > 0 && m.poundsNotDoneYet({ notDone: formatWhole(notDone) })}
      </p>
    </>
  );
}

type Year = EveryPound['years'][number];
type Part = { readonly key: PatternName; readonly label: string; readonly poundsIn: (year: Year) => number };

/** The charts' fills: solid for backed or saved pounds, striped for pounds to come, crossed for missing pounds. */
const SOLD_PARTS: readonly Part[] = [
  { key: 'pounds', label: m.poundsBacked(), poundsIn: ({ backed }) => backed },
  { key: 'renewal', label: m.poundsWaiting(), poundsIn: ({ waiting }) => waiting },
  { key: 'returned', label: m.poundsMissing(), poundsIn: ({ behind }) => behind },
];
const SAVED_PARTS: readonly Part[] = [
  { key: 'pounds', label: m.poundsSaved(), poundsIn: ({ delivered }) => delivered },
  { key: 'renewal', label: m.poundsToCome(), poundsIn: ({ toCome }) => toCome },
];

function YearsChart({ title, years, parts }: { title: string; years: readonly Year[]; parts: readonly Part[] }) {
  const visibleParts = parts.filter(({ poundsIn }) => years.some((year) => poundsIn(year) > 0));
  const totalOf = (year: Year) => parts.reduce((sum, { poundsIn }) => sum + poundsIn(year), 0);
  const hasPounds = (year: Year) => totalOf(year) > 0;
  const span = years.slice(years.findIndex(hasPounds), years.findLastIndex(hasPounds) + 1);
  const [first, last] = [span[0], span.at(-1)];
  if (!first || !last) return null;
  const total = formatWhole(span.reduce((sum, year) => sum + totalOf(year), 0));
  return (
    <ChartFigure title={title} legend={visibleParts}>
      <ColumnChart<PatternName>
        summary={m.poundsChartSummary({ title, first: String(first.year), last: String(last.year), total })}
        label={m.poundsChartColumns({ title })}
        hint={m.poundsChartHint()}
        columns={span.map((year) => ({
          name: String(year.year),
          shortName: String(year.year),
          parts: visibleParts.map(({ key, poundsIn }) => ({ key, value: poundsIn(year) })),
          values: `${year.year}: ${visibleParts.map(({ label, poundsIn }) => `${label} ${formatWhole(poundsIn(year))}`).join(', ')}`,
        }))}
        format={formatWhole}
      />
    </ChartFigure>
  );
}

type Columns = readonly { readonly label: string; readonly poundsIn: (year: Year) => number; readonly sum: number }[];

function SoldTable({ pounds: { years, totals } }: PoundsProps) {
  const columns: Columns = [
    { label: m.poundsSold(), poundsIn: ({ sold }) => sold, sum: totals.sold },
    { label: m.poundsBacked(), poundsIn: ({ backed }) => backed, sum: totals.backed },
    { label: m.poundsWaiting(), poundsIn: ({ waiting }) => waiting, sum: totals.waiting },
    { label: m.poundsMissing(), poundsIn: ({ behind }) => behind, sum: totals.behind },
  ];
  const yearsWithSales = years.filter((year) => year.sold > 0);
  return <YearsTable label={m.poundsChartSold()} years={yearsWithSales} columns={columns} />;
}

function SavedTable({ pounds: { years, totals } }: PoundsProps) {
  const columns: Columns = [
    { label: m.poundsGrantedThen(), poundsIn: ({ granted }) => granted, sum: totals.granted },
    { label: m.poundsSaved(), poundsIn: ({ delivered }) => delivered, sum: totals.delivered },
    { label: m.poundsToCome(), poundsIn: ({ toCome }) => toCome, sum: totals.toCome + totals.notDone },
  ];
  const { notDone } = totals;
  const rows = years.filter(({ granted, delivered, toCome }) => granted + delivered + toCome > 0);
  return <YearsTable label={m.poundsChartSaved()} years={rows} columns={columns} notDone={notDone} />;
}

type YearsTableProps = { label: string; years: readonly Year[]; columns: Columns; notDone?: number };

/** @param notDone pounds to come in an unknown year */
function YearsTable({ label, years, columns, notDone = 0 }: YearsTableProps) {
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
              <td key={column.label}>{formatWhole(column.poundsIn(year))}</td>
            ))}
          </tr>
        ))}
        {notDone > 0 && (
          <tr>
            <th scope="row">{m.poundsNotDone()}</th>
            <td colSpan={columns.length}>{formatWhole(notDone)}</td>
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

function measureName(measure: EveryPound['measures'][number]['measure']): string {
  if (measure === 'several') return m.measureSeveral();
  return measure === 'few' ? m.measureFew() : measureText(measure);
}

function Measures({ pounds: { measures, money, grants, totals }, paid }: PoundsProps & { paid: number }) {
  return (
    <>
      <h2>{m.poundsMeasures()}</h2>
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
              <th scope="row">{measureName(row.measure)}</th>
              <td>{formatWhole(row.grants)}</td>
              <td>{formatDollars(row.paid)}</td>
              <td>{formatWhole(row.pounds)}</td>
            </tr>
          ))}
          <tr>
            <th scope="row">{m.poundsAllMeasures()}</th>
            <td>{formatWhole(grants)}</td>
            <td>{formatDollars(paid)}</td>
            <td>{formatWhole(totals.granted)}</td>
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
    { label: m.poundsLeft(), value: money.left },
    { label: m.poundsPromised(), value: money.promised },
    { label: m.poundsFree(), value: money.available },
  ];
  return (
    <>
      <h2>{m.poundsMoney()}</h2>
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
function manualAmounts({ statsDelta: { co2, funds, grants } }: Org): string {
  return formatList([
    ...(co2 === 0 ? [] : [m.poundsAmount({ pounds: formatWhole(co2) })]),
    ...(funds === 0 ? [] : [formatDollars(funds)]),
    ...(grants === 0 ? [] : [m.poundsGrantsCount({ count: grants, grants: formatWhole(grants) })]),
  ]);
}

function Method({ org, pounds: { grants, savingYears } }: PoundsProps & { org: Org }) {
  const orgId = org.id;
  const amounts = manualAmounts(org);
  const tags = {
    numbers: (words: string) => <Link to={pagePath('numbers-page', { orgid: orgId })}>{words}</Link>,
    study: (words: string) => (
      <a href={LIFE_STUDY} rel="noreferrer">
        {words}
      </a>
    ),
  };
  const life = grants > 0 ? m.poundsLifeOwn : m.poundsLifeUsual;
  return (
    <>
      <h2>{m.poundsHow()}</h2>
      <p>{m.poundsHowYears()}</p>
      <p>{m.poundsHowRows()}</p>
      {amounts !== '' && <p>{m.poundsByHand({ amounts })}</p>}
      <p>
        <Rich text={life({ years: String(grants > 0 ? savingYears : USUAL_SAVING_YEARS) })} tags={tags} />
      </p>
      <p>
        <Rich text={m.poundsHowEstimated()} tags={tags} />
      </p>
      <p className={styles.files}>
        <a href={callPath('downloadPounds', { orgid: orgId })} download>
          {m.poundsCsv()}
        </a>{' '}
        <a href={callPath('readPounds', { orgid: orgId })} download="every-pound.json">
          {m.poundsJson()}
        </a>
      </p>
    </>
  );
}
