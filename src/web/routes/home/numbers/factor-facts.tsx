import { ELECTRICITY_REGIONS, type ElectricityRegion } from '#domain/electricity-regions.ts';
import type { FactorName } from '#domain/emissions.ts';
import {
  type Factor,
  type FactorSet,
  factorTitle,
  factorUnit,
  type PublishedValue,
  publishedValues,
  type Source,
  VERIFICATIONS,
} from '#domain/factor-sets.ts';
import { m } from '#messages';
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx';
import styles from './factor-facts.module.css';

type FactorFactsProps = {
  factorSet: FactorSet;
  name: FactorName;
  /** One-way miles of a flight, used to show only the values published for that distance. */
  miles?: number | undefined;
  /** A paragraph if the level of the headings above this component varies. */
  heading: 'h2' | 'p';
};

/** A factor with its value, its source, the range of published values, and collapsed details. */
export function FactorFacts({ factorSet, name, miles, heading: Heading }: FactorFactsProps) {
  const factor = factorSet.factors[name];
  const otherValues = publishedValues(name, miles);
  return (
    <section className={styles.factor}>
      <Heading className={styles.title}>
        {m.factorIs({ factor: factorTitle(name), value: formatFactorValue(factor), unit: factorUnit(name) })}
      </Heading>
      <p>
        <FactorSource factor={factor} /> {formatRange(otherValues, miles !== undefined)}
      </p>
      <details>
        <summary>
          {m.factorDetails()}
          <VisuallyHidden>: {factorTitle(name)}</VisuallyHidden>
        </summary>
        <FactorDetails factor={factor} otherValues={otherValues} />
      </details>
    </section>
  );
}

function FactorDetails({ factor, otherValues }: { factor: Factor; otherValues: readonly PublishedValue[] }) {
  return (
    <>
      {factor.region && <p>{describeRegion(factor.region)}</p>}
      <p>{factor.note()}</p>
      {factor.source && <p>{VERIFICATIONS[factor.source.verification]()}</p>}
      {otherValues.length > 0 && (
        <>
          <p>{m.factorOthers()}</p>
          <ul>
            {groupBySource(otherValues).map(({ source, values }) => (
              <li key={source.address}>
                {values.length < 3 ? (
                  <>
                    <SourceLink source={source} />: {values.map(formatValue).join('; ')}.{' '}
                    {VERIFICATIONS[source.verification]()}
                  </>
                ) : (
                  <>
                    <SourceLink source={source} />. {VERIFICATIONS[source.verification]()}
                    <ul>
                      {values.map(formatValue).map((text) => (
                        <li key={text}>{text}</li>
                      ))}
                    </ul>
                  </>
                )}
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

/** "Others publish 19.36 to 26.34." @param isForFlight true if the values apply only to flights of one length */
function formatRange(otherValues: readonly PublishedValue[], isForFlight: boolean): string {
  const sorted = otherValues.map(({ value }) => value).sort((a, b) => Number(a) - Number(b));
  const [lowest, highest] = [sorted[0], sorted.at(-1)];
  if (lowest === undefined || highest === undefined) return '';
  if (lowest === highest) return m.factorOther({ value: formatFactor(lowest) });
  const range = { min: formatBound(lowest), max: formatBound(highest) };
  return isForFlight ? m.factorRangeFlight(range) : m.factorRange(range);
}

/** "Its region of the grid is NPCC Upstate NY (NYUP), in NY." */
function describeRegion(region: ElectricityRegion): string {
  const { name, states } = ELECTRICITY_REGIONS[region];
  return m.factorRegion({ region: name, code: region, states: states.split(' ').join(', ') });
}

function FactorSource({ factor: { source } }: { factor: Factor }) {
  if (!source) return m.factorNoSource();
  return (
    <>
      {m.factorSource()} <SourceLink source={source} />.
    </>
  );
}

/** Groups values by source, in the order of each source's first value. */
function groupBySource(values: readonly PublishedValue[]) {
  const sources = new Set(values.map(({ source }) => source));
  return [...sources].map((source) => ({
    source,
    values: values.filter((publishedValue) => publishedValue.source === source),
  }));
}

type DisplayedValue = Pick<PublishedValue, 'value' | 'description' | 'flights'> & {
  minMiles?: number | undefined;
  maxMilesExclusive?: number | undefined;
};

/** "0.359 (CO₂ alone, without contrails, 2,300 miles or more)" */
function formatValue({ value, description, flights, minMiles, maxMilesExclusive }: DisplayedValue): string {
  const facts = [description?.(), flights ? flights() : formatFlightLength(minMiles, maxMilesExclusive)]
    .filter((fact) => fact !== undefined)
    .join(', ');
  return facts ? `${formatFactor(value)} (${facts})` : formatFactor(value);
}

function SourceLink({ source: { publisher, title, year, address } }: { source: Source }) {
  return (
    <a href={address} rel="noreferrer">
      {[publisher, title ?? [], year === undefined || title?.includes(String(year)) ? [] : String(year)]
        .flat()
        .join(', ')}
    </a>
  );
}

/** "300 to 2,300 miles" */
function formatFlightLength(minMiles: number | undefined, maxMilesExclusive: number | undefined): string | undefined {
  if (maxMilesExclusive === undefined)
    return minMiles === undefined ? undefined : m.flightFrom({ miles: formatMiles(minMiles) });
  return minMiles === undefined
    ? m.flightBelow({ miles: formatMiles(maxMilesExclusive) })
    : m.flightBetween({ from: formatMiles(minMiles), to: formatMiles(maxMilesExclusive) });
}

function formatMiles(miles: number): string {
  return miles.toLocaleString('en-US');
}

/** "0.456 (under 300 miles); 0.359 (300 miles or more)" */
function formatFactorValue({ value, shortFlights = [] }: Pick<Factor, 'value' | 'shortFlights'>): string {
  if (shortFlights.length === 0) return formatFactor(value);
  const flights = [...shortFlights, { value, maxMilesExclusive: undefined }];
  return flights
    .map((flight, index) =>
      formatValue({
        value: flight.value,
        minMiles: flights[index - 1]?.maxMilesExclusive,
        maxMilesExclusive: flight.maxMilesExclusive,
      }),
    )
    .join('; ');
}

/** A bound of a range, with at most three decimals. */
function formatBound(value: string): string {
  return /\.\d{4,}$/.test(value) ? Number(value).toFixed(3) : formatFactor(value);
}

/** Formats a factor as published: "11.70" keeps its 0, and "1371" gets a comma. */
function formatFactor(value: string): string {
  return /^\d{4,}$/.test(value) ? Number(value).toLocaleString('en-US') : value;
}
