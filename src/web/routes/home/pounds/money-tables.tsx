import type { PublicPounds } from '#contract/schemas/grants.ts';
import { dayText } from '#domain/days.ts';
import { measureText } from '#domain/grant-texts.ts';
import { formatDollars, formatWhole } from '#domain/money.ts';
import { m } from '#messages';
import { NumberTable } from '#web/ui/number-table.tsx';
import styles from './pounds.module.css';

type MeasuresTableProps = {
  pounds: PublicPounds;
  /** Dollars of all grants. */
  paid: number;
};

export function MeasuresTable({ pounds: { measures, money, grants, totals }, paid }: MeasuresTableProps) {
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

function getMeasureName(measure: PublicPounds['measures'][number]['measure']): string {
  if (measure === 'several') return m.measureSeveral();
  return measure === 'few' ? m.measureFew() : measureText(measure);
}

export function MoneyTable({ pounds: { money, asOf } }: { pounds: PublicPounds }) {
  const rows = [
    { label: m.poundsGifts(), value: money.gifts },
    { label: m.poundsFees(), value: -money.fees },
    { label: m.poundsDisputed(), value: -money.disputed },
    { label: m.poundsPaidHomes(), value: money.paid === null ? null : -money.paid },
    { label: m.poundsLeft(), value: money.remaining },
    { label: m.poundsPromised(), value: money.promised, isPart: true },
    { label: m.poundsFree(), value: money.available, isPart: true },
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
          {rows.map(({ label, value, isPart }) => (
            <tr key={label} className={isPart ? styles.part : undefined}>
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
